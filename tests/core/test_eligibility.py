"""What a hook may inject, and the coin."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import Candidate
from learnt.core.recall.eligibility import (
    HINTS_A_SESSION,
    HINTS_AN_EPOCH,
    LEAST_WORDS,
    MILLION,
    MOST_CHARACTERS,
    MOST_ENTRIES,
    MOST_TOKENS,
    MOST_WORDS,
    NOTES_A_SESSION,
    NOTES_AN_EPOCH,
    RECENT_MS,
    Bearing,
    Draw,
    Listable,
    draw,
    expected_use,
    fill,
    fits,
    injectable,
    is_rule,
    pack,
    within_caps,
)


def entry(name: str, stage: Stage = Stage.VALIDATED, origin: Origin = Origin.USER) -> Entry:
    """An entry of a stage and an origin."""
    return Entry(id=EntryId(name), stage=stage, origin=origin)


def bears(name: str, *, sure: bool = True, stage: Stage = Stage.VALIDATED) -> Bearing:
    """An entry of a stage that bears on a moment."""
    found = Candidate(entry=EntryId(name))
    return Bearing(entry=entry(name, stage), candidate=found, sure=sure)


@pytest.mark.parametrize("origin", Origin)
def test_validated_entries_may_be_injected(origin: Origin) -> None:
    """Wherever they came from, a human or a hard check vouched for them."""
    assert injectable(entry("e", Stage.VALIDATED, origin))


@pytest.mark.parametrize("origin", Origin)
def test_a_candidate_only_in_words_that_a_person_marked(origin: Origin) -> None:
    """What a tool, a page or an agent said waits until somebody looked, and what rules picked."""
    marked = replace(entry("e", Stage.CANDIDATE, origin), actor=Actor.HUMAN)
    assert (origin is Origin.USER) == injectable(marked)
    assert not injectable(replace(marked, actor=Actor.LEARNT))


@pytest.mark.parametrize("stage", [Stage.REJECTED, Stage.RETIRED])
def test_what_is_out_stays_out(stage: Stage) -> None:
    """Rejected and retired entries are never injected."""
    assert not injectable(entry("e", stage, Origin.USER))


def test_what_hurts_stays_out() -> None:
    """Validated or not: it is masked."""
    assert injectable(entry("e"))
    assert not injectable(replace(entry("e"), masked=True))


PAIRS = [(f"e-{item}", f"s-{unit}") for item in range(40) for unit in range(50)]


def test_without_a_share_everything_is_shown() -> None:
    """Nothing is under the coin, and the record says so."""
    assert {Draw("shown", MILLION)} == {draw(b"k", *pair, 0.0) for pair in PAIRS}
    assert MILLION == 1_000_000


def test_with_the_whole_share_half_is_withheld() -> None:
    """Each pair under the coin has an even chance, recorded as it was."""
    draws = [draw(b"k", *pair, 1.0) for pair in PAIRS]

    assert {MILLION // 2} == {drawn.propensity for drawn in draws}
    withheld = sum(drawn.arm == "withheld" for drawn in draws)
    assert 0.45 < withheld / len(draws) < 0.55


def test_most_units_are_shown_by_a_chance_of_nine_in_ten() -> None:
    """The chance is recorded, and whom an even coin shows it to this one does, too."""
    mostly = [draw(b"k", *pair, 1.0, 0.9) for pair in PAIRS]
    even = [draw(b"k", *pair, 1.0) for pair in PAIRS]

    assert {900_000} == {drawn.propensity for drawn in mostly}
    assert 0.08 < sum(drawn.arm == "withheld" for drawn in mostly) / len(PAIRS) < 0.12
    assert all(m.arm == "shown" for m, e in zip(mostly, even, strict=True) if e.arm == "shown")


def test_a_share_puts_that_part_under_the_coin() -> None:
    """About a fifth for a share of a fifth; the rest is shown for certain."""
    draws = [draw(b"k", *pair, 0.2) for pair in PAIRS]

    under = [drawn for drawn in draws if drawn.propensity != MILLION]

    assert 0.17 < len(under) / len(draws) < 0.23
    assert {"shown"} == {drawn.arm for drawn in draws if drawn.propensity == MILLION}
    assert 0.4 < sum(drawn.arm == "withheld" for drawn in under) / len(under) < 0.6


def test_who_is_under_the_coin_stays_so_as_the_share_grows() -> None:
    """A larger share adds pairs and moves none."""
    small = {pair for pair in PAIRS if draw(b"k", *pair, 0.2).propensity != MILLION}
    large = {pair for pair in PAIRS if draw(b"k", *pair, 0.6).propensity != MILLION}

    assert small < large
    assert all(draw(b"k", *pair, 0.2) == draw(b"k", *pair, 1.0) for pair in small)


def test_the_coin_falls_the_same_way_however_often_it_is_asked() -> None:
    """One item in one session has one arm; other keys, items and sessions have their own."""
    once = [draw(b"k", *pair, 1.0) for pair in PAIRS]

    assert once == [draw(b"k", *pair, 1.0) for pair in PAIRS]
    assert once != [draw(b"l", *pair, 1.0) for pair in PAIRS]
    assert 2 == len({draw(b"k", "e-1", f"s-{n}", 1.0) for n in range(20)})
    assert 2 == len({draw(b"k", f"e-{n}", "s-1", 1.0) for n in range(20)})


def test_the_coin_falls_as_it_always_did() -> None:
    """Draws are in the ledger: another way to make them would move what they were made for."""
    draws = [draw(b"k", f"e-{number % 8}", f"s-{number}", 0.5) for number in range(40)]
    marks = {("shown", MILLION): "-", ("shown", 500_000): "S", ("withheld", 500_000): "W"}

    told = "".join(marks[drawn.arm, drawn.propensity] for drawn in draws)

    assert "--SS-SS--WWW--WSW-WWS-SSS--S---WW-W-----" == told
    assert {int} == {type(drawn.propensity) for drawn in draws}


def test_the_coin_takes_any_name() -> None:
    """A lone surrogate in a session's name does no harm."""
    assert draw(b"k", "e", "\ud800", 1.0) in {Draw("shown", 500_000), Draw("withheld", 500_000)}


def test_at_most_one_unproven() -> None:
    """Of notes and hints together; a candidate's note goes before a candidate's line."""
    first, second = bears("c1", stage=Stage.CANDIDATE), bears("c2", stage=Stage.CANDIDATE)
    hint = bears("c3", sure=False, stage=Stage.CANDIDATE)
    proven = [bears("v1"), bears("v2")]

    assert [*proven, first] == within_caps([*proven, first, second])
    assert [first, *proven] == within_caps([hint, first, second, *proven])
    assert [*proven, hint] == within_caps([hint, *proven])
    assert [] == within_caps([])


def test_a_moment_gives_three_notes_and_four_lines_at_most() -> None:
    """The best of each, notes first."""
    notes, hints = (
        [bears(f"n{i}") for i in range(4)],
        [bears(f"h{i}", sure=False) for i in range(5)],
    )

    assert [*notes[:3], *hints[:4]] == within_caps([*hints, *notes])


def test_a_context_has_a_cap_of_each() -> None:
    """Whatever the moments: what it holds already leaves less room."""
    notes, hint = [bears("n1"), bears("n2")], bears("h", sure=False)

    assert [notes[0], hint] == within_caps([*notes, hint], notes=NOTES_AN_EPOCH - 1)
    assert notes == within_caps([*notes, hint], hints=HINTS_AN_EPOCH)
    assert [] == within_caps([*notes, hint], NOTES_AN_EPOCH + 1, HINTS_AN_EPOCH)


def test_a_session_has_caps_beyond_its_epochs() -> None:
    """What earlier contexts were given counts as well."""
    notes, hint = [bears("n1"), bears("n2")], bears("h", sure=False)

    assert notes == within_caps([*notes, hint], before=(NOTES_A_SESSION - 2, HINTS_A_SESSION))
    assert [notes[0], hint] == within_caps([*notes, hint], 9, before=(NOTES_A_SESSION - 10, 0))


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
