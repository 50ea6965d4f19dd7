"""What a hook may inject, and the coin."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import Candidate
from learnt.core.recall.eligibility import (
    HINTS_A_SESSION,
    HINTS_AN_EPOCH,
    MILLION,
    NOTES_A_SESSION,
    NOTES_AN_EPOCH,
    Bearing,
    Draw,
    draw,
    injectable,
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
