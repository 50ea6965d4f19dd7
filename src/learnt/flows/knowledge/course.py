"""The course of an entry's confidence, with the events on it in words."""

from typing import NamedTuple

from learnt.core.identifiers import EntryId, EventId, entry_subject
from learnt.core.knowledge.course import course
from learnt.formats.sentences import sentence
from learnt.ports import Outside


class MarkedPoint(NamedTuple):
    """The confidence at a moment, None where there is none; `said` is what happened, if anything.

    `actor` is who did it.
    """

    ms: int
    level: float | None
    said: str
    actor: str


def course_of(outside: Outside, name: EntryId) -> list[MarkedPoint]:
    """An entry's confidence from its first event until now."""
    with outside.ledger.reading() as reader:
        events = list(reader.events(subject=entry_subject(name)))
    said: dict[EventId | None, tuple[str, str]] = {None: ("", "")}
    said |= {event.id: (sentence(event), event.actor) for event in events}
    points = course(events, outside.clock.now_ms(), outside.kinds.policies)
    return [MarkedPoint(point.ms, point.level, *said[point.event]) for point in points]
