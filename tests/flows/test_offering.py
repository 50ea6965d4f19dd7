"""One way to give what bears on a moment: a prompt, a failure and a file are alike in it."""

from typing import get_args

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, entry_subject, handle, session_subject
from learnt.core.knowledge.entries import Stage as Entries
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.payloads.entry_events import (
    MOMENTS,
    Candidate,
    EntryDecided,
    Mode,
    Recalled,
    Remembered,
)
from learnt.core.recall.eligibility import HINTS_A_SESSION, Bearing
from learnt.flows.governance.explain import explain
from learnt.flows.governance.survey import Wanted, survey
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.standing import candidates, lately, stage_by_hand
from learnt.flows.recall.ask import ask, read
from learnt.flows.recall.offering import offer, record, session_at
from learnt.flows.sessions.locate import look
from learnt.flows.sessions.observe import Arrival, place_of, session_of
from learnt.flows.stored import append
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import ELSEWHERE, HERE, PROMPT, Stage
from tests.support import in_memory

SESSION = session_subject("claude-code", "s1")


def give(stage: Stage, mode: Mode, *entries: EntryId, sure: bool = True, call: str = "t1") -> str:
    """What is put before the agent where these entries bear on a moment, as it is recorded."""
    outside = stage.outside
    detail = {"tool_use_id": call}
    seen = stage.observation("PostToolUseFailure", episode="p1", detail=detail)
    place, name = place_of(outside, seen), session_of(outside, seen)
    arrival = Arrival(observation=seen, session=name, place=place)
    bearing = [
        Bearing(entry=stage.entry(name), candidate=Candidate(entry=name), sure=sure)
        for name in entries
    ]
    with outside.ledger.writing() as writer:
        session = session_at(writer, SESSION)
        offering = offer(outside, Checker(outside, writer, place), session, mode, bearing)
        where = arrival.where(outside, writer)
        return offering.text if record(outside, writer, arrival, offering.recalled, where) else ""


def test_the_three_moments_are_modes() -> None:
    """A question, a reading, a skill's call, a session's start and a command are none of them."""
    assert frozenset({"hook", "failure", "file"}) == MOMENTS
    assert {"explicit", "read", "skill", "start", "act"} == set(get_args(Mode)) - MOMENTS


@pytest.mark.parametrize("mode", sorted(MOMENTS))
def test_a_note_is_given_once_a_context_epoch_whatever_the_moment(mode: Mode) -> None:
    """It is recorded with its moment, and its reuse is counted."""
    stage = Stage()
    entry = stage.remember().entry

    assert handle(entry) in give(stage, mode, entry)
    assert "" == give(stage, "failure", entry, call="t2")

    first, second = (payload_of(Recalled, event) for event in stage.events(Kind.RECALLED))
    assert (mode, (entry,), ()) == (first.mode, first.shown, second.shown)
    assert (entry,) == second.already
    assert 1 == stage.reused(entry)


def test_what_was_hinted_may_be_given_whole_later_and_not_the_other_way() -> None:
    """A line is no use yet; it is given once."""
    stage = Stage()
    entry = stage.remember().entry

    assert f"\n{handle(entry)} Stripe" in give(stage, "file", entry, sure=False)
    assert 0 == stage.reused(entry)
    assert "" == give(stage, "file", entry, sure=False, call="t2")
    assert f"\n{handle(entry)} TRUST" in give(stage, "failure", entry, call="t3")
    assert "" == give(stage, "file", entry, sure=False, call="t4")


def test_a_call_reported_twice_is_answered_once() -> None:
    """Two hooks of one home may report it."""
    stage = Stage()
    entry = stage.remember().entry

    assert give(stage, "file", entry, sure=False)
    assert "" == give(stage, "file", entry, sure=False)
    assert 1 == len(stage.events(Kind.RECALLED))


def test_hints_are_under_the_coin_too() -> None:
    """What it holds back is not named either, and how it fell is recorded."""
    stage = Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))
    entries = [stage.vouched(f"Port {n} is taken", f"Stop process {n}") for n in range(30)]
    for number, entry in enumerate(entries):
        give(stage, "failure", entry, sure=False, call=f"t{number}")

    arms = [payload_of(Recalled, event).eligible[0].arm for event in stage.events(Kind.RECALLED)]
    with stage.outside.ledger.reading() as reader:
        hinted = session_at(reader, SESSION).hinted
    assert [e for e, arm in zip(entries, arms, strict=True) if arm == "shown"] == list(hinted)
    assert 5 < len(hinted) < 25


def test_what_is_not_to_be_injected_is_known_and_not_given() -> None:
    """A candidate of an agent's is found, which is recorded, and stays out."""
    stage = Stage()
    entry = stage.learn("Table t_room holds rooms by hotel").entry

    assert "" == give(stage, "hook", entry)
    (event,) = stage.events(Kind.RECALLED)
    assert entry == payload_of(Recalled, event).found[0].entry


def test_a_session_has_a_cap_whatever_its_compactions() -> None:
    """Each context may have the same line again, until the session has had its number of lines."""
    stage = Stage()
    entry = stage.remember().entry

    given = []
    for number in range(HINTS_A_SESSION + 2):
        given.append(bool(give(stage, "failure", entry, sure=False, call=f"t{number}")))
        stage.report("SessionStart", detail={"source": "compact"}, episode=f"x{number}")

    assert [*[True] * HINTS_A_SESSION, False, False] == given


PROBLEM = "Kafka consumer rebalances forever after constructor timeout"
LIKELY = "the kafka dashboard is empty, how do I raise its retention"


def hinted(stage: Stage, prompt: str = LIKELY) -> EntryId:
    """An entry that a prompt named by a line."""
    entry = stage.remember(PROBLEM, "Raise max.poll.interval.ms").entry
    text = stage.prompt(prompt)
    assert f"\n{handle(entry)} {PROBLEM}\n" in text
    assert "Approach" not in text
    return entry


def waiting(stage: Stage, folder: str = HERE) -> list[tuple[EntryId, int]]:
    """The candidates, and by how many prompts each was looked for."""
    with stage.outside.ledger.reading() as reader:
        wanted = lately(reader, stage.outside.clock.now_ms()).wanted
    return [(each.note.id, wanted[each.note.id]) for each in candidates(stage.outside, folder)]


def readings(stage: Stage) -> list[Recalled]:
    """What is recorded of entries that were read by their ids."""
    every = (payload_of(Recalled, event) for event in stage.events(Kind.RECALLED))
    return [each for each in every if each.mode != "hook"]


def test_reading_what_a_line_named_counts_as_use_once_a_session() -> None:
    """It is in the context from then on: a prompt does not show it again."""
    stage = Stage()
    entry = hinted(stage)
    assert 0 == stage.reused(entry)

    for _ in range(2):
        (hit,) = read(stage.outside, entry, folder=HERE, actor=Actor.AGENT, session="s1")
        assert PROBLEM == hit.note.problem

    assert 1 == stage.reused(entry)
    assert ("read", "hook", (entry,)) == (readings(stage)[0].mode, readings(stage)[0].moment,
                                          readings(stage)[0].shown)  # fmt: skip
    assert "" == stage.prompt(PROBLEM)


def test_reading_what_no_line_named_is_a_question() -> None:
    """In another session, by a person, or without a hint: nothing counts as used."""
    stage = Stage()
    entry = hinted(stage)

    for actor, session in ((Actor.HUMAN, ""), (Actor.AGENT, "s2"), (Actor.AGENT, "")):
        assert read(stage.outside, entry, folder=HERE, actor=actor, session=session)

    assert ["explicit"] * 3 == [each.mode for each in readings(stage)]
    assert 0 == stage.reused(entry)


def test_what_a_project_does_not_see_is_not_read() -> None:
    """Nor what is gone, nor what commands its reader; and nothing is recorded."""
    stage = Stage()
    entry = hinted(stage)

    assert [] == read(stage.outside, entry, folder=ELSEWHERE, actor=Actor.AGENT)
    assert [] == read(stage.outside, EntryId("e-00000000000000"), folder=HERE, actor=Actor.AGENT)
    assert [] == readings(stage)


def test_status_counts_by_moment() -> None:
    """Notes, lines, and lines that were followed."""
    stage = Stage()
    entry = hinted(stage)
    stage.prompt(PROBLEM, session="s2")
    read(stage.outside, entry, folder=HERE, actor=Actor.AGENT, session="s1")

    moments = {each.moment: each for each in survey(stage.outside, HERE).moments}

    assert ("prompt", 2, 1, 1, 1) == moments["prompt"]
    assert ("failure", 0, 0, 0, 0) == moments["failure"]
    assert {"prompt", "failure", "file"} == moments.keys()


def test_a_candidate_that_bears_on_a_prompt_is_no_miss() -> None:
    """It is known, and waits for a person; what it is about need not be learnt."""
    stage = Stage()
    stage.remember(PROBLEM, "Raise max.poll.interval.ms", actor=Actor.AGENT)

    assert "" == stage.prompt(PROBLEM)

    assert [] == stage.events(Kind.MISSED)
    (event,) = stage.events(Kind.RECALLED)
    assert "candidate" == payload_of(Recalled, event).found[0].stage


def test_a_candidate_that_prompts_look_for_waits_for_a_person() -> None:
    """With how many looked for it, where its project is; not once it is vouched for."""
    stage = Stage()
    entry = stage.remember(PROBLEM, "Raise max.poll.interval.ms", actor=Actor.AGENT).entry
    assert [(entry, 0)] == waiting(stage)
    stage.prompt(PROBLEM)
    stage.prompt(PROBLEM, session="s2")

    assert [(entry, 2)] == waiting(stage)
    assert [Wanted(entry, PROBLEM, 2)] == list(survey(stage.outside, HERE).wanted)
    assert [] == waiting(stage, ELSEWHERE)
    stage_by_hand(stage.outside, entry, Actor.HUMAN, Stages.VALIDATED)
    assert [] == waiting(stage)


def test_what_is_to_be_remembered_is_no_miss() -> None:
    """Nobody looked for it: somebody said it."""
    stage = Stage()

    assert "" == stage.prompt("Remember: the staging gateway listens on port 8443")
    assert [] == stage.events(Kind.MISSED) + stage.events(Kind.RECALLED)
    assert "" == stage.prompt("I remember that the staging gateway listened on port 8443")
    assert 1 == len(stage.events(Kind.MISSED))


def test_the_checker_knows_the_root() -> None:
    """Where a skill that came of an entry would lie."""
    stage = Stage()
    place = look(stage.outside, HERE)
    with stage.outside.ledger.reading() as reader:
        assert place.root == Checker(stage.outside, reader, place).root


def test_why_tells_of_a_line_that_nobody_read() -> None:
    """Of the entry, and of the recall: how likely it was, and what the coin said."""
    stage = Stage()
    entry = hinted(stage)

    (told,) = (step for step in explain(stage.outside, entry).events if step.kind == "recalled")

    assert "recalled: 1 named by a line" == told.said
    (named,) = (each.text for each in told.details if each.label == "named by a line")
    assert f"{entry}; 2 shared terms, 38 % likely; shown, chance 100 %" == named


@pytest.fixture
def stage() -> Stage:
    """Where every entry is under the coin that can be."""
    return Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))


def draws(stage: Stage, entry: EntryId) -> list[EntryDecided]:
    """How the coin fell for an entry, a session each."""
    with stage.outside.ledger.reading() as reader:
        events = list(reader.events(subject=entry_subject(entry), kind=Kind.DECIDED))
    return [payload_of(EntryDecided, event) for event in events]


def first_withheld(stage: Stage) -> str:
    """A session that is not shown the entry."""
    names = (f"s{number}" for number in range(40))
    return next(name for name in names if not stage.prompt(session=name))


def test_a_session_is_one_unit_however_often_it_asks(stage: Stage) -> None:
    """Withheld once, it stays so, after a compaction as well."""
    entry = stage.vouched()
    name = first_withheld(stage)
    before = draws(stage, entry)
    stage.report("SessionStart", session=name, detail={"source": "compact"}, episode="p-c")
    for _ in range(3):
        assert "" == stage.prompt(session=name)

    assert before == draws(stage, entry)
    assert ("drawn", "withheld", 500_000) == (
        before[-1].action,
        before[-1].arm,
        before[-1].propensity,
    )
    assert len(before) == stage.entry(entry).units


def test_who_goes_on_from_a_session_has_its_coin(stage: Stage) -> None:
    """A session begun by /clear in the same process is of one lineage with the one it left."""
    stage.vouched()
    names = [f"s{number}" for number in range(12)]
    own = {name: bool(stage.prompt(session=name)) for name in names}
    assert {True, False} == set(own.values())
    for name in names:
        stage.report("SessionEnd", session=name, detail={"reason": "clear"})
        stage.report("SessionStart", session=f"{name}-on", detail={"source": "clear"})

        assert own[name] == bool(stage.prompt(session=f"{name}-on"))


def test_a_changed_entry_is_drawn_for_anew(stage: Stage) -> None:
    """Units are of a text: the new one has none yet, and arms of its own."""
    entry = stage.vouched()
    names = [f"s{number}" for number in range(16)]
    for name in names:
        stage.prompt(session=name)
    before = [draw.arm for draw in draws(stage, entry)]
    with stage.outside.ledger.writing() as writer:
        said = next(writer.events(subject=entry_subject(entry), kind=Kind.REMEMBERED))
        again = replace(payload_of(Remembered, said), stage=Entries.VALIDATED)
        append(writer, entry_subject(entry), Actor.AGENT, again)
    assert (0, 1) == (stage.entry(entry).units, stage.entry(entry).version)
    for name in names:
        stage.prompt(session=f"{name}-later")
    after = draws(stage, entry)[len(before) :]

    assert {1} == {draw.version for draw in after}
    assert 16 == stage.entry(entry).units == len(after)


def test_after_forty_units_nine_in_ten_are_shown(stage: Stage) -> None:
    """What the coin's chance was is recorded with each unit and with each recall."""
    entry = stage.vouched()
    for number in range(60):
        stage.prompt(session=f"s{number}")

    chances = [draw.propensity for draw in draws(stage, entry)]
    assert [500_000] * 40 + [900_000] * 20 == chances
    recalled = [payload_of(Recalled, event).eligible for event in stage.events(Kind.RECALLED)]
    assert chances == [of.propensity for (of,) in recalled]


def test_what_a_person_remembered_is_under_the_coin(stage: Stage) -> None:
    """It has a unit for each session, as any other note."""
    entry = stage.remember(actor=Actor.HUMAN).entry
    given = [handle(entry) in stage.prompt(session=f"s{number}") for number in range(20)]
    assert {True, False} == set(given)
    assert 20 == stage.entry(entry).units == len(draws(stage, entry))


@pytest.mark.parametrize("kept", ["warning", "asked for"])
def test_some_things_are_never_held_back(stage: Stage, kept: str) -> None:
    """What warns of something, and what somebody asks for."""
    match kept:
        case "warning":
            entry = stage.vouched(cautions=("Never on a Friday",))
        case _:
            entry = stage.vouched()
            first_withheld(stage)
            (hit,) = ask(stage.outside, PROMPT, folder=HERE, actor=Actor.HUMAN, most=3)
            assert entry == hit.note.id
            return

    assert all(handle(entry) in stage.prompt(session=f"s{number}") for number in range(20))
    assert [] == draws(stage, entry)
