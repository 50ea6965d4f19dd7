"""A session is what its events add up to: its context epoch and what was shown in it."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Kind
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.records import JsonObject, decode, encode
from learnt.core.sessions.sessions import Session, lineage, step
from tests.core.happenings import happened

SUBJECT = "session:claude-code:s:1"
A, B = EntryId("e-a"), EntryId("e-b")
KNOWN = Session(
    agent="claude-code",
    id="s:1",
    source="startup",
    project=ProjectId("p-1"),
    epoch=1,
    started_ms=500,
    last_ms=900,
    shown=(A,),
    hinted=(A,),
    counted={A: 1},
    recalls=1,
    misses=2,
    undelivered=3,
    episodes=4,
    failures=5,
)


def after(session: Session | None, kind: Kind, payload: JsonObject | None = None) -> Session:
    """The session after one more event."""
    return step(session, happened(SUBJECT, kind, payload, project=ProjectId("p-2")))


def test_the_first_event_begins_the_session() -> None:
    """Its name is all behind the agent's, and it belongs to the first project it was in."""
    begun = after(None, Kind.SESSION_STARTED, {"source": "startup"})

    expected = Session(
        agent="claude-code",
        id="s:1",
        source="startup",
        project=ProjectId("p-2"),
        started_ms=1_000,
        last_ms=1_000,
    )

    assert expected == begun
    assert replace(begun, last_ms=2_000) == step(
        begun, happened(SUBJECT, Kind.REUSED, at=2_000, project=ProjectId("p-3"))
    )


@pytest.mark.parametrize(
    ("kind", "payload", "changes"),
    [
        (Kind.SESSION_STARTED, {"source": "resume"}, {"source": "resume"}),
        (Kind.SESSION_STARTED, {"source": "startup"}, {"source": "startup"}),
        (
            Kind.SESSION_STARTED,
            {"source": "compact"},
            {"source": "compact", "epoch": 2, "shown": (), "hinted": ()},
        ),
        (
            Kind.SESSION_STARTED,
            {"source": "clear"},
            {"source": "clear", "epoch": 2, "shown": (), "hinted": ()},
        ),
        (Kind.MISSED, {}, {"misses": 3}),
        (Kind.EPISODE_CLOSED, {"failed": 2, "tools": 7}, {"episodes": 5, "failures": 7}),
        (Kind.EPISODE_CLOSED, {}, {"episodes": 5}),
        (Kind.SESSION_LINKED, {"relation": "cleared", "other": "s0"}, {"linked_to": "s0"}),
        (Kind.SESSION_ENDED, {"reason": "clear"}, {"ended": "clear"}),
        (Kind.SESSION_ENDED, {}, {"ended": "ended"}),
        (Kind.GATED, {}, {}),
        (Kind.RECALLED, {"mode": "explicit", "shown": [B], "counted": [B]}, {}),
        (
            Kind.RECALLED,
            {"mode": "hook", "shown": [B], "counted": [B]},
            {"recalls": 2, "shown": (A, B), "counted": {A: 1, B: 1}},
        ),
        (
            Kind.RECALLED,
            {"mode": "hook", "shown": [A, B], "counted": [A]},
            {"recalls": 2, "shown": (A, B), "counted": {A: 2}},
        ),
        (Kind.RECALLED, {"mode": "hook", "hinted": [A, B]}, {"recalls": 2, "hinted": (A, B)}),
        (
            Kind.RECALLED,
            {"mode": "failure", "shown": [B], "counted": [B], "hinted": [B]},
            {"shown": (A, B), "hinted": (A, B), "counted": {A: 1, B: 1}},
        ),
        (Kind.RECALLED, {"mode": "file", "hinted": [B]}, {"hinted": (A, B)}),
        (
            Kind.NOT_DELIVERED,
            {"recall": "r", "entries": [A], "uncounted": [A], "hinted": [A]},
            {"undelivered": 4, "shown": (), "hinted": (), "retracted": {A: 1}},
        ),
        (
            Kind.NOT_DELIVERED,
            {"recall": "r", "entries": [B], "uncounted": []},
            {"undelivered": 4},
        ),
        (Kind.NOT_DELIVERED, {"reason": "import undone"}, {}),
    ],
)
def test_each_event_does_its_own(
    kind: Kind, payload: JsonObject, changes: dict[str, object]
) -> None:
    """And moves the session's last sign of life; nothing else changes."""
    expected = replace(KNOWN, last_ms=1_000, **changes)  # a table

    assert expected == after(KNOWN, kind, payload)


@pytest.mark.parametrize("source", ["startup", "resume", "compact", "clear"])
def test_a_start_reopens_what_had_ended(source: str) -> None:
    """A resumed session goes on."""
    ended = replace(KNOWN, ended="other")

    assert "" == after(ended, Kind.SESSION_STARTED, {"source": source}).ended


def test_what_a_subagent_was_given_is_not_in_the_sessions_context() -> None:
    """It counts as used in the session, and may be given to the agent itself."""
    given: JsonObject = {"mode": "failure", "shown": [B], "counted": [B], "hinted": [B]}
    event = happened(SUBJECT, Kind.RECALLED, given, subagent="a-1")

    assert replace(KNOWN, last_ms=1_000, counted={A: 1, B: 1}) == step(KNOWN, event)


def test_a_purge_leaves_the_name() -> None:
    """Nothing that was counted or shown, and the start is unknown."""
    assert Session(agent="claude-code", id="s:1", ended="purged") == after(KNOWN, Kind.PURGED)


def test_an_entry_is_counted_once_until_it_is_taken_back() -> None:
    """`attempt` numbers the next count; none while the entry stands counted."""
    shown: JsonObject = {"mode": "hook", "shown": [A], "counted": [A]}
    lost: JsonObject = {"entries": [A], "uncounted": [A]}
    attempts, session = [], Session(agent="claude-code", id="s:1")
    for kind, payload in (
        (Kind.RECALLED, shown),
        (Kind.NOT_DELIVERED, lost),
        (Kind.RECALLED, shown),
        (Kind.NOT_DELIVERED, lost),
    ):
        attempts.append(session.attempt(A))
        session = after(session, kind, payload)

    assert [0, None, 1, None] == attempts
    assert 2 == session.attempt(A)
    assert 0 == session.attempt(B)


def test_a_fold_leaves_the_older_session_alone() -> None:
    """States that were handed out before keep their counts."""
    before = replace(KNOWN, counted=dict(KNOWN.counted), retracted={})

    after(KNOWN, Kind.RECALLED, {"mode": "hook", "shown": [B], "counted": [A, B]})
    after(KNOWN, Kind.NOT_DELIVERED, {"entries": [A], "uncounted": [A]})

    assert before == KNOWN


def test_a_state_holds_no_default() -> None:
    """A session of which nothing is known is its name."""
    assert {"agent": "a", "id": "s"} == encode(Session(agent="a", id="s"))
    assert {"agent": "", "id": ""} == encode(Session(agent="", id=""))


@pytest.mark.parametrize(
    "session",
    [
        KNOWN,
        replace(KNOWN, ended="clear", retracted={A: 1}, linked_to="s0", project=None),
        Session(agent="a", id="s"),
    ],
)
def test_a_state_gives_its_session_back(session: Session) -> None:
    """Nothing is lost on the way through a view."""
    assert session == decode(Session, encode(session))
    assert {} == decode(Session, {"agent": "a", "id": "s", "counted": []}).counted


def test_a_lineage_ends_even_where_sessions_go_on_from_each_other() -> None:
    """Each is named once."""
    assert ["a", "b"] == lineage("a", {"a": "b", "b": "a"}.__getitem__)
    assert ["a"] == lineage("a", lambda name: name)
