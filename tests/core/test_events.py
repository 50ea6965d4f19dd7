"""Events: stamps that rise, and payloads brought to today's version."""

import pytest
from msgspec.structs import astuple

from learnt.core.events import (
    CURRENT_VERSION,
    NOWHERE,
    UPCASTERS,
    Actor,
    Event,
    Kind,
    NewEvent,
    Origin,
    Stamp,
    UnknownVersion,
    Where,
    next_stamp,
    stamped,
    upcast,
)
from learnt.core.identifiers import EventId, NaturalKey, Subject
from learnt.core.payloads.entry_events import Reused
from learnt.core.records import JsonObject


def test_the_first_stamp_is_the_wall_clock() -> None:
    """A ledger without events takes the time as it is."""
    assert Stamp(50, 0, "a") == next_stamp(None, 50, "a")


@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        (51, Stamp(51, 0, "b")),
        (50, Stamp(50, 8, "b")),
        (49, Stamp(50, 8, "b")),
        (0, Stamp(50, 8, "b")),
        (-5, Stamp(50, 8, "b")),
    ],
)
def test_stamps_rise_whatever_the_clock_does(wall: int, expected: Stamp) -> None:
    """A later wall time is taken, any other is counted on from the last stamp."""
    assert expected == next_stamp(Stamp(50, 7, "a"), wall, "b")


def test_stamps_order_by_time_then_count_then_home() -> None:
    """Two homes' events of one moment have one order everywhere."""
    rising = [Stamp(1, 9, "z"), Stamp(2, 0, "z"), Stamp(2, 1, "a"), Stamp(2, 1, "b")]

    assert rising == sorted(reversed(rising))


def test_a_place_is_nowhere_until_it_is_known() -> None:
    """Nothing is claimed of an event's place by default."""
    unknown = (None,) * 7

    assert unknown == astuple(Where()) == astuple(NOWHERE)


def test_a_draft_becomes_its_event() -> None:
    """All that was decided is recorded, with today's version of its payload."""
    draft = NewEvent(
        subject=Subject("entry:e-1"),
        actor=Actor.HUMAN,
        payload=Reused(recall=EventId("r")),
        origin=Origin.USER,
        where=Where(session="s"),
        natural_key=NaturalKey("n"),
    )

    expected = Event(
        id=EventId("i"),
        stamp=Stamp(5, 1, "a"),
        wall_ms=4,
        subject=Subject("entry:e-1"),
        kind=Kind.REUSED,
        version=1,
        actor=Actor.HUMAN,
        origin=Origin.USER,
        where=Where(session="s"),
        natural_key=NaturalKey("n"),
        payload={"recall": "r"},
    )

    assert expected == stamped(draft, EventId("i"), Stamp(5, 1, "a"), 4, None)


def test_every_kind_has_a_version() -> None:
    """A payload can be written for whatever can happen; episodes have got outcomes since."""
    later = {Kind.EPISODE_CLOSED: 2, Kind.DECIDED: 2}
    assert {**dict.fromkeys(Kind, 1), **later} == dict(CURRENT_VERSION)


def test_an_episode_of_before_outcomes_is_not_graded() -> None:
    """What was recorded of it stays; nothing is made up."""
    old: JsonObject = {"ended_by": "prompt", "tools": 2}
    expected = {**old, "trouble": "none", "cause": "none"}
    assert expected == upcast(Kind.EPISODE_CLOSED, 1, old)


def test_the_traces_of_an_old_decision_are_what_was_seen() -> None:
    """They move to where every event by a human has them; one without any has none."""
    old: JsonObject = {"verdict": "rejected", "traces": ["k.1"]}
    expected = {"verdict": "rejected", "seen": {"traces": ["k.1"]}}
    assert expected == upcast(Kind.DECIDED, 1, old)
    assert {"verdict": "rejected"} == upcast(Kind.DECIDED, 1, {"verdict": "rejected"})


def test_every_older_version_can_be_read() -> None:
    """For each kind there is an upcaster from every version before today's."""
    wanted = {(kind, old) for kind in Kind for old in range(1, CURRENT_VERSION[kind])}

    assert wanted == set(UPCASTERS)


def _renamed(payload: JsonObject) -> JsonObject:
    return {"text": payload["prompt"]}


def _counted(payload: JsonObject) -> JsonObject:
    return {**payload, "tokens": len(str(payload["text"]))}


TABLE = {(Kind.MISSED, 1): _renamed, (Kind.MISSED, 2): _counted}
TODAY = {Kind.MISSED: 3, Kind.REUSED: 1}


@pytest.mark.parametrize(
    ("version", "payload"),
    [
        (1, {"prompt": "abc"}),
        (2, {"text": "abc"}),
        (3, {"text": "abc", "tokens": 3}),
    ],
)
def test_a_payload_of_any_version_becomes_todays(version: int, payload: JsonObject) -> None:
    """Upcasters run in order, from the payload's version on."""
    expected = {"text": "abc", "tokens": 3}

    assert expected == upcast(Kind.MISSED, version, payload, TABLE, TODAY)


def test_todays_payload_is_not_touched() -> None:
    """Without older versions the payload itself comes back."""
    payload = {"a": 1}

    assert payload is upcast(Kind.REUSED, 1, payload, TABLE, TODAY)


def test_a_newer_payload_is_refused() -> None:
    """A payload that a newer Learnt wrote is not guessed at."""
    with pytest.raises(UnknownVersion, match="version 4 is newer"):
        upcast(Kind.MISSED, 4, {}, TABLE, TODAY)


def test_a_gap_in_the_table_is_refused() -> None:
    """A version that nothing leads on from is named, not skipped."""
    with pytest.raises(UnknownVersion, match="version 2 has no upcaster"):
        upcast(Kind.MISSED, 1, {"prompt": ""}, {(Kind.MISSED, 1): _renamed}, TODAY)


def test_the_callers_payload_is_left_alone() -> None:
    """Upcasting makes a new payload."""
    payload = {"prompt": "abc"}

    upcast(Kind.MISSED, 1, payload, TABLE, TODAY)

    assert {"prompt": "abc"} == payload
