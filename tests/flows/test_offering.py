"""One way to give what bears on a moment: a prompt, a failure and a file are alike in it."""

from typing import get_args

import pytest

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId, handle, session_subject
from learnt.core.payloads.entry_events import MOMENTS, Candidate, Mode, Recalled
from learnt.core.recall.eligibility import HINTS_A_SESSION, Bearing
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.offering import offer, record, session_at
from learnt.flows.sessions.observe import Arrival, place_of, session_of
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import Stage
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
