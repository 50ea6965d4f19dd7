"""What a session's start shows first, and how much of it there is room for."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.knowledge.entries import Stage
from learnt.core.recall.eligibility import (
    LEAST_WORDS,
    MOST_WORDS,
    RECENT_MS,
    Listable,
    expected_use,
    fill,
    is_rule,
)

NOW = 100 * RECENT_MS
PLAIN = Listable(actor=Actor.AGENT, stage=Stage.CANDIDATE, last_ms=0, reused=1, sessions=9)


@pytest.mark.parametrize(
    "wanted",
    [
        replace(PLAIN, actor=Actor.HUMAN),
        replace(PLAIN, stage=Stage.VALIDATED),
        replace(PLAIN, reused=2),
        replace(PLAIN, last_ms=NOW - RECENT_MS + 1),
        replace(PLAIN, touched=True),
        replace(PLAIN, sessions=8),
    ],
    ids=["own", "validated", "used", "recent", "touched", "used since"],
)
def test_what_is_likelier_wanted_comes_first(wanted: Listable) -> None:
    """The person's own, what was used before or kept lately, and what is about changed files."""
    assert expected_use(wanted, NOW) > expected_use(PLAIN, NOW)


def test_a_line_that_nobody_opens_moves_down() -> None:
    """With each session that began since; one that is opened each time stays where it was."""
    unopened = [replace(PLAIN, reused=0, sessions=count) for count in range(30)]
    opened = [replace(PLAIN, reused=count, sessions=0) for count in range(1, 30)]

    uses = [expected_use(row, NOW) for row in unopened]
    assert uses == sorted(uses, reverse=True) and len({*uses}) == len(uses)
    assert min(expected_use(row, NOW) for row in opened) > expected_use(unopened[2], NOW)


def test_a_persons_note_that_nobody_opens_goes_behind_one_that_is() -> None:
    """Whose it is does not keep it on top for good."""
    own = replace(PLAIN, actor=Actor.HUMAN, reused=0, sessions=40)
    used = replace(PLAIN, reused=20, sessions=20)
    assert expected_use(used, NOW) > expected_use(own, NOW)


@pytest.mark.parametrize(
    ("kind", "stage", "actor", "origin", "whether"),
    [
        ("rule", Stage.VALIDATED, Actor.HUMAN, Origin.USER, True),
        ("rule", Stage.CANDIDATE, Actor.HUMAN, Origin.USER, False),
        ("rule", Stage.VALIDATED, Actor.AGENT, Origin.USER, False),
        ("rule", Stage.VALIDATED, Actor.HUMAN, Origin.MIXED, False),
        ("rule", Stage.VALIDATED, Actor.TOOL, Origin.TOOL, False),
        ("rule", Stage.RETIRED, Actor.HUMAN, Origin.USER, False),
        ("business_rule", Stage.VALIDATED, Actor.HUMAN, Origin.USER, False),
        (None, Stage.VALIDATED, None, None, False),
    ],
)
def test_a_rule_is_a_persons_and_validated(
    kind: str | None, stage: str, actor: str | None, origin: str | None, whether: bool
) -> None:
    """No agent, no import and no tool lays down how somebody works."""
    assert whether is is_rule(kind, stage, actor, origin)


def size(item: Sequence[int], words: int) -> int:
    """The size of a line: so many words of it, each with its own size."""
    return 1 + sum(item[:words])


@given(st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=20)), st.integers(0, 2_000))
def test_lines_are_shortened_before_any_is_dropped(items: list[list[int]], room: int) -> None:
    """What is shown fits, the first come first, and no line more or longer would fit."""
    shown, words, all_shown = fill(items, size, room)

    def needed(count: int, width: int) -> int:
        return sum(size(item, width) for item in items[:count])

    assert items[: len(shown)] == shown and all_shown is (len(shown) == len(items))
    assert needed(len(shown), words) <= room
    assert LEAST_WORDS <= words <= MOST_WORDS
    if len(shown) < len(items):
        assert words == LEAST_WORDS and needed(len(shown) + 1, LEAST_WORDS) > room
    elif words < MOST_WORDS:
        assert needed(len(items), words + 1) > room
