"""Imports point one way, and the rule that says so bites."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.source import PACKAGE, ROOT, imported, sources

CHECK = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def checked(folder: Path, package: Path) -> subprocess.CompletedProcess[str]:
    """The contracts of a pyproject.toml, held against a package."""
    return subprocess.run(
        [sys.executable, "-c", CHECK, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(package), "PATH": "", "COLUMNS": "200"},
    )


def test_every_contract_is_kept() -> None:
    """As many as there are, and none broken."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    count = len(project["tool"]["importlinter"]["contracts"])

    done = checked(ROOT, PACKAGE.parent)

    assert f"Contracts: {count} kept, 0 broken." in done.stdout, done.stdout + done.stderr
    assert 0 == done.returncode


PLANTED = {
    "core/tokens.py": "import pathlib",
    "formats/wire.py": "import learnt.ports",
    "flows/recall/ask.py": "import sqlite3",
    "stores/spool.py": "import learnt.flows.recall.ask",
    "bootstrap.py": "import pydantic",
    "stores/traces.py": "import sqlglot",
    "surfaces/probes.py": "import onnxruntime",
    "stores/git_program.py": "import openai",
    "stores/home_folder.py": "import starlette",
    "surfaces/hook.py": "import learnt.core.safety",
}


def test_a_violation_is_noticed(tmp_path: Path) -> None:
    """Each of the contracts breaks when somebody breaks it."""
    shutil.copytree(PACKAGE, tmp_path / "learnt", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, line in PLANTED.items():
        path = tmp_path / "learnt" / file
        path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")

    done = checked(tmp_path, tmp_path)

    assert re.search(r"Contracts: 0 kept, \d+ broken", done.stdout), done.stdout + done.stderr
    assert 0 != done.returncode


def test_the_core_imports_the_standard_library_msgspec_and_itself() -> None:
    """Nothing of any other ring, and nobody else's package."""
    foreign = [
        (source.name, name)
        for source in sources()
        if source.name.startswith("core/")
        for name in imported(source.tree)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith(("learnt.core", "msgspec"))
    ]

    assert [] == foreign


def test_no_import_is_relative() -> None:
    """A module is named in one way wherever it is used; only the hook's copies have two names."""
    relative = [s.name for s in sources() if re.search(r"^\s*from \.", s.text, re.MULTILINE)]
    assert [] == [name for name in relative if not name.startswith("formats/evidence/")]
