"""How an entry's confidence came to be what it is: its course over time, with each event on it.

No second rule: at every moment it is the confidence of what the events until then add up to.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.events import Event
from learnt.core.identifiers import EventId
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.entry_fold import step
from learnt.core.knowledge.kinds import KINDS, Policy

MOST_POINTS: Final = 240  # of a curve, besides its events
DAY_MS: Final = 86_400_000  # confidence is told by the day


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The confidence at a moment, 0 to 1; None while it is not validated.

    `event` is what happened then; the point before it, at the same moment, has what was until then.
    """

    ms: int
    level: float | None
    event: EventId | None = None


def course(
    events: Iterable[Event], now_ms: int, kinds: Mapping[str, Policy] = KINDS
) -> list[Point]:
    """The confidence of one entry from its first event until now, by its events in order.

    Only what changes an entry is on it. The last point is its confidence now.
    """
    states = list(_states(events))
    if not states:
        return []
    first_ms, end_ms = states[0][0], max(now_ms, states[-1][0])
    stride = max(DAY_MS, -(-(end_ms - first_ms) // MOST_POINTS // DAY_MS) * DAY_MS)
    ends = [*(ms for ms, _, _ in states[1:]), end_ms]
    points: list[Point] = []
    for (ms, event, entry), until_ms in zip(states, ends, strict=True):
        points.append(Point(ms=ms, level=level(entry, ms, kinds), event=event))
        points += _fading(entry, ms, until_ms, stride, kinds)
    # Where a clock was ahead, now is earlier than the last event says.
    points[-1] = replace(points[-1], level=level(states[-1][2], now_ms, kinds))
    return points


def _states(events: Iterable[Event]) -> Iterator[tuple[int, EventId, Entry]]:
    """What the entry was after each event that changed it; a clock that went back stands still."""
    entry, ms = None, 0
    for event in events:
        after, ms = step(entry, event), max(ms, event.wall_ms)
        if entry is None or _told(after) != _told(entry):
            yield ms, event.id, after
        entry = after


def _told(entry: Entry) -> tuple[object, ...]:
    return entry.standing, entry.stage, entry.disputes, entry.masked


def _fading(
    entry: Entry, after_ms: int, until_ms: int, stride: int, kinds: Mapping[str, Policy]
) -> list[Point]:
    """The points between two moments, and at the second: in between nothing happens but time."""
    moments = [*range((after_ms // DAY_MS + 1) * DAY_MS, until_ms, stride), until_ms]
    return [Point(ms=ms, level=level(entry, ms, kinds)) for ms in moments]
