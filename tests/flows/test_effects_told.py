"""What showing an entry does, told from the sessions that a coin decided on."""

from collections.abc import Callable

import pytest

from learnt.core.events import Actor, Kind
from learnt.core.health.effects import BetDecision
from learnt.core.health.outcomes import TaskKind
from learnt.core.identifiers import EntryId, handle
from learnt.errors import NotFound, Refused
from learnt.flows.health.effects import UNIT_MS, MeasuredEntry, by_task, mask, measured, unmask
from learnt.flows.sessions.observe import report
from learnt.formats.evidence.calls import of_call
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import PROMPT, Stage
from tests.support import in_memory
from tests.support.in_memory import FixedClock

FAILS, PASSES = "Exit code 1\n1 failed, 3 passed in 1s", "4 passed in 1s"


def hurts(shown: bool, _: int) -> str:
    """A session's test, where the entry leads astray."""
    return FAILS if shown else PASSES


def helps(shown: bool, _: int) -> str:
    """Where it is what was needed."""
    return PASSES if shown else FAILS


def neither(_: bool, number: int) -> str:
    """Where it is of no account."""
    return PASSES if number // 2 % 2 else FAILS


@pytest.fixture
def stage() -> Stage:
    """Where every entry is under the coin that can be."""
    return Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))


def later(stage: Stage, ms: int) -> None:
    """Time goes by."""
    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += ms


def lived(
    stage: Stage,
    sessions: int,
    ends: Callable[[bool, int], str],
    *,
    prompt: str = PROMPT,
    prefix: str = "s",
) -> int:
    """Sessions that each ask, and end in a test that passes or fails; how many were told."""
    told = 0
    for number in range(sessions):
        name = f"{prefix}{number}"
        shown = bool(stage.prompt(prompt, session=name, episode=f"{name}-p"))
        told += shown
        later(stage, 1_000)
        ended(stage, name, ends(shown, number))
    return told


def ended(stage: Stage, name: str, response: str) -> None:
    """A test of a session's episode, and its end."""
    run_a_test(stage, name, response, f"{name}-p")
    own = {"session": name, "episode": f"{name}-p"}
    stage.report("SessionEnd", detail={"reason": "other"}, **own)
    later(stage, 1_000)


def run_a_test(stage: Stage, name: str, response: str, episode: str) -> None:
    """A test of an episode."""
    evidence = of_call("Bash", {"command": "pytest"}, response)
    call = {"tool": "Bash", "id": f"{name}-t{stage.reports}", "evidence": evidence}
    stage.report("PostToolBatch", detail={"calls": [call]}, session=name, episode=episode)
    later(stage, 1_000)


def only(stage: Stage) -> MeasuredEntry:
    (one,) = measured(stage.outside)
    return one


def test_an_effect_is_told_by_kind_of_task(stage: Stage) -> None:
    """What hurts where documents are edited, and is of no account where tests are run alone."""
    stage.vouched()
    lived(stage, 20, neither)
    for number in range(20):
        name = f"d{number}"
        shown = bool(stage.prompt(session=name, episode=f"{name}-p"))
        evidence = of_call("Edit", {"file_path": "docs/guide.md"}, "updated")
        call = {"tool": "Edit", "id": f"{name}-e", "evidence": evidence}
        where = {"session": name, "episode": f"{name}-p"}
        stage.report("PostToolBatch", detail={"calls": [call]}, **where)
        ended(stage, name, hurts(shown, number))
    later(stage, UNIT_MS)
    one = only(stage)
    told = by_task([one])
    assert [(TaskKind.TEST, 20), (TaskKind.DOCS, 20)] == [
        (kind, of.units) for kind, of in told.items()
    ]
    assert (BetDecision.UNDECIDED, BetDecision.WORSE) == tuple(of.ruling for of in told.values())
    assert 40 == one.effect.units == by_task([one, one])[TaskKind.DOCS].units


def test_what_is_to_be_expected_is_of_before_the_first_unit(stage: Stage) -> None:
    """By the project's last episodes then; what came since is no part of it."""
    lived(stage, 8, lambda *_: FAILS, prefix="before")
    stage.vouched()
    lived(stage, 12, lambda *_: PASSES)
    later(stage, UNIT_MS)
    assert {1 / 10} == {unit.baseline for unit in only(stage).tally}


def test_what_hurts_is_masked_and_a_person_brings_it_back(stage: Stage) -> None:
    """No hook shows it, whatever the session; taken back, it begins again."""
    entry = stage.vouched()
    lived(stage, 24, hurts)
    later(stage, UNIT_MS)
    known = only(stage).effect
    assert (BetDecision.WORSE, 24) == (known.ruling, known.units)
    assert known.estimate is not None and known.estimate < -0.9
    assert known.high < 0 < known.hurts

    assert [entry] == mask(stage.outside)
    assert stage.entry(entry).masked
    assert [] == mask(stage.outside)
    assert ["" for _ in range(8)] == [stage.prompt(session=f"m{n}") for n in range(8)]
    assert 24 == stage.entry(entry).units

    with pytest.raises(Refused, match="Only a person"):
        unmask(stage.outside, entry, Actor.AGENT)
    unmask(stage.outside, entry, Actor.HUMAN)
    assert not stage.entry(entry).masked
    assert [] == measured(stage.outside)
    assert any(handle(entry) in stage.prompt(session=f"u{n}") for n in range(8))
    with pytest.raises(NotFound, match="not masked"):
        unmask(stage.outside, entry, Actor.HUMAN)
    assert [] == mask(stage.outside)
    assert [] == stage.outside.ledger.verify()


def test_what_helps_is_told_and_stays(stage: Stage) -> None:
    """With its interval, and no more units needed."""
    entry = stage.vouched()
    lived(stage, 24, helps)
    later(stage, UNIT_MS)
    known = only(stage).effect

    assert BetDecision.BETTER is known.ruling
    assert known.low > 0 and known.more == 0
    assert known.graded_less < 3 > known.graded_more
    assert [] == mask(stage.outside)
    assert not stage.entry(entry).masked


def test_what_does_neither_is_undecided(stage: Stage) -> None:
    """Its interval holds 0."""
    stage.vouched()
    told = lived(stage, 24, neither)
    later(stage, UNIT_MS)
    known = only(stage).effect

    assert (BetDecision.UNDECIDED, 24, told) == (known.ruling, known.units, known.shown)
    assert known.low < 0 < known.high
    assert [] == mask(stage.outside)


def test_a_unit_counts_two_days_after_it_began(stage: Stage) -> None:
    """Until then what it comes to may change."""
    stage.vouched()
    lived(stage, 6, hurts)
    one = only(stage)
    assert (0, 6) == (one.effect.units, one.open)
    later(stage, UNIT_MS)
    assert (6, 0) == (only(stage).effect.units, only(stage).open)


def test_what_came_before_the_unit_or_long_after_is_not_its_outcome(stage: Stage) -> None:
    """A session's earlier episode failed, and one of two days later: the unit saw neither."""
    stage.vouched()
    name = "s1"
    stage.prompt("something else entirely happens here", session=name, episode="before")
    later(stage, 1_000)
    run_a_test(stage, name, FAILS, "before")
    stage.prompt(session=name, episode=f"{name}-p")
    later(stage, 1_000)
    ended(stage, name, PASSES)
    later(stage, UNIT_MS)
    stage.prompt("go on with it", session=name, episode="days after")
    run_a_test(stage, name, FAILS, "days after")
    stage.prompt("now for the other thing", session=name, episode="last")

    assert 3 == len(stage.events(Kind.EPISODE_CLOSED))
    (unit,) = only(stage).tally
    assert 1.0 == unit.success


def test_an_outcome_is_not_known_where_nothing_was_seen(stage: Stage) -> None:
    """No trouble and no grade; and the project's mean was fixed before the first unit."""
    lived(stage, 3, lambda _, number: PASSES if number else FAILS, prefix="before")
    stage.vouched()
    stage.prompt(session="quiet", episode="q")
    later(stage, 1_000)
    stage.report("SessionEnd", session="quiet", episode="q", detail={"reason": "other"})
    lived(stage, 4, hurts, prefix="after")
    later(stage, UNIT_MS)
    tally = only(stage).tally

    assert {0.6} == {unit.baseline for unit in tally}
    assert 1 == sum(count for unit, count in tally.items() if unit.success is None)


def test_a_fork_that_drew_for_itself_is_a_unit_of_its_parents(stage: Stage) -> None:
    """It was not known whose it is: the coin of the lineage is the one that fell first."""
    entry = stage.vouched()
    stage.prompt(session="s1", episode="p1")
    later(stage, 1_000)
    stage.prompt(session="s2", episode="p2")
    later(stage, 1_000)
    parent = {"session": "s2", "episode": "p2", "detail": {"parent": "s1"}}
    report(stage.outside, stage.observation("Stop", **parent))
    assert 1 == len(stage.events(Kind.SESSION_LINKED))
    ended(stage, "s2", FAILS)
    later(stage, UNIT_MS)

    assert 2 == stage.entry(entry).units
    (unit,) = only(stage).tally
    assert 0.0 == unit.success


def test_an_entry_is_told_alone_and_one_that_is_gone_is_not_found(stage: Stage) -> None:
    """One without a unit has an effect of which nothing is known."""
    entry = stage.vouched()
    (one,) = measured(stage.outside, entry)
    assert (0, None) == (one.effect.units, one.effect.estimate)
    with pytest.raises(NotFound):
        measured(stage.outside, EntryId("e-nowhere"))
