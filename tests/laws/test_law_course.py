"""Laws of the course of confidence, for any history: it is confidence itself, at each moment."""

from dataclasses import replace
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.events import Event, Kind
from learnt.core.identifiers import EventId
from learnt.core.knowledge.course import DAY_MS, course
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.entry_fold import step
from learnt.core.records import JsonObject
from tests.core.happenings import happened

SUBJECT = "entry:e-1"
_RESULTS = ["success", "failure", "reset", "invalidate", "confirmed"]
_words = st.tuples(
    st.integers(0, 40 * DAY_MS), st.sampled_from(_RESULTS), st.sampled_from([300, 1_000, 1_500])
)
_histories = st.tuples(
    st.sampled_from(["validated", "candidate"]),
    st.sampled_from(["schema", "business_rule", "data_snapshot"]),
    st.lists(_words, max_size=12),
)


def _events(history: tuple[str, str, list[tuple[int, str, int]]]) -> list[Event]:
    stage, kind, words = history
    said: JsonObject = {"stage": stage, "kind": kind, "form": "fact", "text": "k.t"}
    at, events = 1, [happened(SUBJECT, Kind.REMEMBERED, said, at=1)]
    for later, result, weight in words:
        at += later
        word: JsonObject = {"result": result, "weight": weight, "credibility": 1_000}
        events.append(happened(SUBJECT, Kind.FEEDBACK, word, at=at))
    # Events of one moment have ids of their own, as in a ledger.
    ids = (EventId(f"{n:08d}-0000-7000-8000-000000000000") for n in range(len(events)))
    return [replace(event, id=own) for event, own in zip(events, ids, strict=True)]


def _folded(events: list[Event]) -> Entry:
    folded = reduce(step, events, None)
    assert folded is not None
    return folded


@given(_histories, st.integers(0, 400 * DAY_MS))
def test_the_last_point_is_what_the_entry_has_now(
    history: tuple[str, str, list[tuple[int, str, int]]], later: int
) -> None:
    """What the page draws last is what every command shows."""
    events = _events(history)
    now = events[-1].wall_ms + later

    assert level(_folded(events), now) == course(events, now)[-1].level


@given(_histories)
def test_at_an_event_it_is_what_the_events_add_up_to(
    history: tuple[str, str, list[tuple[int, str, int]]],
) -> None:
    """The fold of all until then, and before it the fold of those before; time never goes back."""
    events = _events(history)
    points = course(events, events[-1].wall_ms)
    until = {event.id: events[: n + 1] for n, event in enumerate(events)}
    times = [point.ms for point in points]

    for n, point in enumerate(points):
        if point.event is not None:
            assert level(_folded(until[point.event]), point.ms) == point.level
            before = until[point.event][:-1]
            assert not before or level(_folded(before), point.ms) == points[n - 1].level
    assert sorted(times) == times
