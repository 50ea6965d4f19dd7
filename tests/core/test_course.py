"""The course of an entry's confidence: each event on it, and what time takes in between."""

from learnt.core.events import Event, Kind
from learnt.core.knowledge.course import DAY_MS, MOST_POINTS, course
from learnt.core.records import JsonObject
from tests.core.happenings import happened

SUBJECT = "entry:e-1"
REMEMBERED: JsonObject = {"stage": "validated", "kind": "schema", "form": "fact", "text": "k.t"}


def _remembered(day: int = 0, stage: str = "validated") -> Event:
    return happened(SUBJECT, Kind.REMEMBERED, {**REMEMBERED, "stage": stage}, at=day * DAY_MS + 1)


def _word(day: int, result: str, weight: int = 300) -> Event:
    payload: JsonObject = {"result": result, "weight": weight}
    return happened(SUBJECT, Kind.FEEDBACK, payload, at=day * DAY_MS + 1)


def test_of_nothing_there_is_no_course() -> None:
    """No event, no point."""
    assert [] == course([], 9 * DAY_MS)


def test_an_event_stands_on_the_curve_after_what_was_before() -> None:
    """A failure makes a step: twice the same moment, with what was until then first."""
    failed = _word(3, "failure", 1_500)
    points = course([_remembered(), failed], 5 * DAY_MS)
    at = next(n for n, point in enumerate(points) if point.event == failed.id)

    assert points[at - 1].ms == points[at].ms == failed.wall_ms
    assert (points[at - 1].level or 0) > 0.9 > (points[at].level or 0)
    assert [0, 1, 2, 3, 3, 3, 4, 5] == [point.ms // DAY_MS for point in points]


def test_a_candidate_has_no_confidence_until_it_is_validated() -> None:
    """There is nothing to draw before."""
    staged = happened(SUBJECT, Kind.STAGED, {"stage": "validated"}, at=2 * DAY_MS + 1)
    points = course([_remembered(stage="candidate"), staged], 4 * DAY_MS)

    assert [None, None, None, None, 1.0] == [point.level for point in points][:5]
    assert staged.id == points[4].event


def test_what_changes_nothing_is_not_on_it() -> None:
    """That it was shown moves no confidence."""
    shown = happened(SUBJECT, Kind.REUSED, {}, at=DAY_MS)
    points = course([_remembered(), shown], 2 * DAY_MS)

    assert shown.id not in [point.event for point in points]


def test_a_purge_ends_it() -> None:
    """Of what was erased there is no confidence any more."""
    purged = happened(SUBJECT, Kind.PURGED, {}, at=2 * DAY_MS)

    assert course([_remembered(), purged], 3 * DAY_MS)[-1].level is None


def test_years_take_no_more_points_than_a_screen_shows() -> None:
    """A day is the least that is told, and more where there are very many."""
    assert len(course([_remembered()], 5_000 * DAY_MS)) <= MOST_POINTS + 3


def test_a_clock_that_went_back_draws_nothing_backwards() -> None:
    """Events keep their order; where one was ahead of now, now is where it was."""
    ahead, behind = _word(9, "success"), _word(4, "failure")
    points = course([_remembered(), ahead, behind], 5 * DAY_MS)
    times = [point.ms for point in points]

    assert sorted(times) == times
    assert ahead.wall_ms == times[-1]
