"""Strangers' sentences and pasted ones, by an author who had not seen the rules."""

import pytest

from benchmarks.foreign import measure, texts


@pytest.mark.slow
def test_no_strangers_sentence_is_put_before_an_agent() -> None:
    """Neither what an agent looked up between a failure and its cure, nor what somebody pasted."""
    told = measure("dev")
    assert (0, 0) == (told.injected, told.trusted)
    assert told.taken <= 0.02 * told.pasted
    assert told.cures >= 0.7 * told.foreign


def test_some_of_each_sort() -> None:
    """The same of every sixth text."""
    told = measure("dev", every=6)
    assert (0, 0, 0) == (told.injected, told.taken, told.trusted)
    assert told.kept > 0  # rules alone pick few of a person's own remarks: the agent reads them


def test_the_set_is_as_large_as_promised() -> None:
    """By two authors or more each."""
    for half, least in (("dev", 75), ("unseen", 150)):
        assert least <= len(texts(half, "foreign")) and len(texts(half, "pasted")) >= 160
