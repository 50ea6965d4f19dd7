"""The database domain's lists: what is damaged fails, and is never taken for an empty one."""

from pathlib import Path

import pytest

from learnt.domains.database.lists import sections, worded


def test_lines_stand_below_their_heading(tmp_path: Path) -> None:
    """Remarks and empty lines are none."""
    (tmp_path / "own.txt").write_text("# of mine\n[a]\none two\n\n[b]\n", encoding="utf-8")
    assert {"a": ("one two",), "b": ()} == sections(str(tmp_path / "own"))


@pytest.mark.parametrize("content", [None, b"before a heading\n[a]\n", b"[a]\n\xff\n"])
def test_a_damaged_list_is_never_an_empty_one(tmp_path: Path, content: bytes | None) -> None:
    """Missing, cut or no text: it would let through less or more than was meant."""
    if content is not None:
        (tmp_path / "own.txt").write_bytes(content)
    with pytest.raises((OSError, KeyError, ValueError)):
        sections(str(tmp_path / "own"))
    with pytest.raises(KeyError):
        worded("nowhere")
