"""The database domain's lists: what is damaged says so and is never taken for an empty one."""

from pathlib import Path

import pytest

from learnt.domains.database.lists import lines, sections, worded
from learnt.errors import EnvironmentTrouble


def test_lines_stand_below_their_heading(tmp_path: Path) -> None:
    """Remarks and empty lines are none."""
    (tmp_path / "own.txt").write_text("# of mine\n[a]\none two\n\n[b]\n", encoding="utf-8")
    assert {"a": ("one two",), "b": ()} == sections(str(tmp_path / "own"))


@pytest.mark.parametrize("content", [None, b"before a heading\n[a]\n", b"[a]\n\xff\n"])
def test_a_damaged_list_is_told(tmp_path: Path, content: bytes | None) -> None:
    """Missing, cut or no text: with what to do."""
    if content is not None:
        (tmp_path / "own.txt").write_bytes(content)
    with pytest.raises(EnvironmentTrouble, match="Install Learnt again"):
        sections(str(tmp_path / "own"))


def test_a_heading_that_is_missing_is_told() -> None:
    """A list cut short would let through less or more than was meant."""
    with pytest.raises(EnvironmentTrouble):
        lines("en", "nowhere")
    with pytest.raises(EnvironmentTrouble):
        worded("nowhere")
