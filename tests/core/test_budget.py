"""How much may be put into a prompt."""

from collections.abc import Sequence

import pytest

from learnt.core.recall.eligibility import MOST_CHARACTERS, MOST_ENTRIES, MOST_TOKENS, fits, pack


def joined(items: Sequence[str]) -> str:
    """The plainest rendering."""
    return "".join(items)


def test_the_budget() -> None:
    """Three entries, two thousand tokens, and less than the agent shows whole."""
    assert (3, 2_000, 9_500) == (MOST_ENTRIES, MOST_TOKENS, MOST_CHARACTERS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("x" * 8_000, True),
        ("x" * 8_001, False),
        ("锁" * 2_666, True),
        ("锁" * 2_667, False),
        ("x" * 9_501, False),
    ],
)
def test_what_fits(text: str, expected: bool) -> None:
    """Both limits hold; for unspaced scripts the tokens decide."""
    assert expected == fits(text)


def test_no_more_than_asked_for() -> None:
    """The first so many, in their order."""
    assert ["a", "b"] == pack(["a", "b", "c"], joined, 2)
    assert [] == pack(["a"], joined, 0)
    assert ["a"] == pack(["a"], joined, 2)


def test_what_does_not_fit_is_passed_over() -> None:
    """A smaller one behind it still gets its place."""
    items = ["a" * 4_000, "b" * 4_001, "c" * 4_000, "d"]

    assert [items[0], items[2]] == pack(items, joined, 3)


def test_the_rendering_counts() -> None:
    """What stands around the items is part of the budget."""
    assert [] == pack(["a"], lambda items: "x" * 8_001, 3)
    assert ["a", "b"] == pack(["a", "b", "c"], lambda items: "x" * 4_000 * len(items), 3)
