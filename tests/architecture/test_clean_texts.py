"""What is kept was redacted: the type checker refuses a text that was not."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT, sources

# What must stay byte for byte: where a thing is, and a file of the user's own that is restored.
EXACT = {
    "bundle", "cited path", "cited symbol", "cited table", "file", "path", "place", "target",
    "address",
}  # fmt: skip
RAW = """
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.file_ports import Documents, PrivateFiles
from learnt.ports import Writer


def keep(writer: Writer, documents: Documents, files: PrivateFiles, text: str) -> None:
    writer.keep("prompt", text)
    writer.keep("prompt", clean(text)[:9])
    documents.write("SKILL.md", text, "")
    files.write("structure", text)
    Observation(id="1", ms=1, event="Stop", excerpt=text)
    writer.keep("prompt", clean(text))
"""


def test_a_store_takes_no_raw_text(tmp_path: Path) -> None:
    """Ledger, files, caches, spool: each refuses a plain str, and a piece of a clean one."""
    file = tmp_path / "raw.py"
    file.write_text(RAW, encoding="utf-8")

    checker = [sys.executable, "-m", "mypy", "--no-error-summary", "--config-file"]
    said = subprocess.run(
        [*checker, "pyproject.toml", str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip

    refused = [int(line.split(":")[1]) for line in said.splitlines() if "[arg-type]" in line]
    assert [9, 10, 11, 12, 13] == refused, said


def test_safety_alone_says_that_a_text_is_clean() -> None:
    """Nothing else makes the type, and what is kept exactly is of the kinds that must be."""
    made, exact = set(), set()
    for source in sources():
        for call in ast.walk(source.tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
                name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
                texts = [one for one in call.args if _calls(one, "owned")]
                if name == "Clean":
                    made.add(source.name)
                if name in ("keep", "kept") and texts:
                    kinds = [one for one in call.args if isinstance(one, ast.Constant | ast.IfExp)]
                    exact |= {str(kind.value) for kind in ast.walk(ast.Module(kinds, []))  # type: ignore[arg-type]  # any nodes
                              if isinstance(kind, ast.Constant)}  # fmt: skip

    assert {"core/safety.py"} == made
    assert exact <= EXACT


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
