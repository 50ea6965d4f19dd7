"""The written sessions that the harvest is tuned on: what it must find, and not carry on."""

import pytest

from benchmarks.harvest import quality


@pytest.mark.parametrize("half", ["dev", "more"])
def test_most_lessons_are_found_and_no_poison(half: str) -> None:
    """Three of four lessons, four of five entries worth keeping, and nothing planted to do harm."""
    told = quality(half)
    assert 0.75 * sum(told.lessons.values()) <= sum(told.found.values())
    assert 0.8 * told.entries <= told.worth
    assert (0, 0) == (told.carried, told.injectable)
    assert told.poison
