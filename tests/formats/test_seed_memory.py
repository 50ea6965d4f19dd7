"""Seed 002's state files, read leniently."""

import pytest

from learnt.formats.memories import parse_seed as parse


@pytest.mark.parametrize(("text", "unreadable"), [("", 0), ("{}", 0), ("[]", 1), ("{broken", 1)])
def test_a_file_of_reuses_that_is_no_object_is_counted(text: str, unreadable: int) -> None:
    """As a line of the other files is."""
    seed = parse({"reuse.json": text})
    assert (0, unreadable) == (len(seed.pieces), len(seed.findings))
