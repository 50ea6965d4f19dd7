"""What was X there is Y here: every name of the five seeds has a row, each row names what is."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tools.docs import ROOT, seeds

NAMES = ROOT / "tests" / "data" / "seeds" / "names.txt"
TABLE = ROOT / "docs" / "seeds.tsv"
PLUGIN = ROOT / "plugins" / "claude-code" / "learnt"


CLI = (ROOT / "docs" / "cli.md").read_text("utf-8")
GROUPS = {"db", "evolve", "health", "knowledge", "skills"}


def sections(file: Path) -> dict[str, list[str]]:
    """The lines of a file by the heading that they stand below."""
    found: dict[str, list[str]] = {}
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("# "):
            rows = found[line] = []
        else:
            rows.append(line)
    return found


ROWS = [row.split("\t") for rows in sections(TABLE).values() for row in rows]
HERE = sorted({code for _, here in ROWS for code in re.findall("`([^`]+)`", here)})


def test_every_name_of_the_seeds_has_one_row() -> None:
    """`names.txt` lists them as they stand in the seeds' documents."""
    rows = {
        head: [row.partition("\t")[0] for row in rows] for head, rows in sections(TABLE).items()
    }
    for head, names in sections(NAMES).items():
        assert sorted(rows[head]) == sorted(names)
        assert len(names) == len(set(names)) > 20


def test_the_page_is_the_table() -> None:
    """Generated, and nothing was added by hand."""
    assert (ROOT / "docs" / "seeds.md").read_text("utf-8") == seeds()


@pytest.mark.parametrize("code", [code for code in HERE if code.startswith("learnt ")])
def test_a_command_that_is_named_is_one(code: str) -> None:
    """With its options, by the page of the command line."""
    words = code.split()
    two = " ".join(words[:3]) if words[1] in GROUPS else " ".join(words[:2])
    described = CLI.partition(f"\n## {two}\n")[2].partition("\n## ")[0]
    assert described
    assert all(word in described for word in words if word.startswith("--"))


@pytest.mark.parametrize("code", [code for code in HERE if code.startswith("learnt.")])
def test_a_name_of_python_that_is_named_is_one(code: str) -> None:
    """A module, or what can be had of one."""
    parts = code.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return
    pytest.fail(code)


def test_what_the_plugin_has_is_there() -> None:
    """Its commands, its skill and its agent."""
    for name in ("commands/harvest", "commands/memory-evolve", "agents/skill-improver"):
        assert (PLUGIN / f"{name}.md").exists()
    assert (PLUGIN / "skills" / "self-evolving-memory" / "SKILL.md").exists()


def test_fields_that_stay_are_answered() -> None:
    """Those of `--json` that are called the same stand in its schema."""
    schema = (ROOT / "docs" / "answers.schema.json").read_text("utf-8")
    for there, here in ROWS:
        if here.startswith("the same field of `learnt health"):
            assert f'"{there}"' in schema, there
