"""Every risk that the docs name has its guard, and the guard a test that is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(
    r"^\| (?P<risk>[^|]+) \| (?P<guard>[^|]+) \| `(?P<file>[^:|]+)::(?P<test>\w+)` \|$"
)
ROWS = [
    found
    for line in (ROOT / "docs" / "knowledge.md").read_text("utf-8").splitlines()
    if (found := ROW.match(line))
]


def test_the_risks_of_the_seed_are_all_there() -> None:
    """Pollution, bloat, staleness, and instructions in conflict; and some of our own."""
    named = {row["risk"].split(":")[0] for row in ROWS}
    assert {"pollution", "bloat", "staleness", "instruction conflict"} < named
    assert len(ROWS) >= 12


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["test"])
def test_each_guard_has_its_test(row: re.Match[str]) -> None:
    """By the name that the docs give."""
    tree = ast.parse((ROOT / row["file"]).read_text("utf-8"))
    assert row["test"] in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
