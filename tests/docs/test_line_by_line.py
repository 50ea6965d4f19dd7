"""What part 17 says is shown by a test is shown by one that is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "design").glob("017-*.md")), ids=str)
def test_each_test_that_is_named_exists(page: Path) -> None:
    """Its file, and in it the function."""
    for file, name in NAMED.findall(page.read_text("utf-8")):
        assert f"def {name}" in (ROOT / file).read_text("utf-8") or not name, f"{file}::{name}"


def test_every_oracle_has_a_line() -> None:
    """1 to 59, alone or in a span."""
    lines = (ROOT / "docs" / "design" / "017-line-by-line.md").read_text("utf-8").split("\n")
    firsts = [line.split("|")[1].partition("(")[0] for line in lines if re.match(r"\| \d", line)]
    spans = [part.split(" to ") for first in firsts for part in first.split(",")]
    told = [n for span in spans for n in range(int(span[0]), int(span[-1]) + 1)]
    assert [*range(1, 60)] == sorted(told)
