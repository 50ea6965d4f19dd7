"""What was put before agents of late, and when: the moments themselves, not their sums."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import EntryId, EventId
from learnt.core.payloads.recall_events import Missed, NotDelivered, Recalled
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import legible
from learnt.ports import Outside, Reader

_LOOKED_AT = 3  # times as many recalls, for those at which something was asked


class GivenEntry(NamedTuple):
    """An entry that was given at a moment: whole, or `hinted` at by one line.

    `said` is what it says now; `reworded`: it said something else then.
    """

    entry: EntryId
    said: str
    hinted: bool
    reworded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMoment:
    """When something was looked for: at a prompt (`hook`), a failure, a file, or by who asked.

    `given` is empty where nothing was known; `late`: it never reached the agent.
    """

    event: EventId
    wall_ms: int
    mode: str
    session: str
    prompt: str
    given: tuple[GivenEntry, ...]
    late: bool


def recent(outside: Outside, most: int, *, known: bool = False) -> list[SeenMoment]:
    """The latest moments, or those at which something was known, latest first."""
    with outside.ledger.reading() as reader:
        events = [
            event
            for kind in ((Kind.RECALLED,) if known else (Kind.RECALLED, Kind.MISSED))
            for event in reader.events(kind=kind, newest=_LOOKED_AT * most)
            if event.payload.get("mode") not in {"start", "act"}  # which nothing was asked at
        ]
        return list(_moments(reader, sorted(events, key=attrgetter("stamp"))[::-1][:most]))


def recent_in(reader: Reader, session: str) -> list[SeenMoment]:
    """The moments of a session, in their order."""
    kinds = {Kind.RECALLED, Kind.MISSED}
    return list(_moments(reader, [e for e in reader.events(session=session) if e.kind in kinds]))


def _moments(reader: Reader, events: list[Event]) -> Iterator[SeenMoment]:
    sessions = {event.where.session for event in events if event.where.session}
    gone = {
        payload_of(NotDelivered, event).recall
        for session in sessions
        for event in reader.events(session=session, kind=Kind.NOT_DELIVERED)
    }
    for event in events:
        missed = event.kind is Kind.MISSED
        told = payload_of(Missed, event) if missed else payload_of(Recalled, event)
        found = Recalled() if isinstance(told, Missed) else told
        versions = {each.entry: each.version for each in found.eligible}
        given = [
            _given(reader, name, versions.get(name), hinted=hinted)
            for names, hinted in ((found.shown, False), (found.hinted, True))
            for name in names
        ]
        yield SeenMoment(
            event=event.id,
            wall_ms=event.wall_ms,
            mode=told.mode or "",
            session=event.where.session or "",
            prompt=legible(reader, told.prompt),
            given=tuple(given),
            late=event.id in gone,
        )


def _given(reader: Reader, name: EntryId, version: int | None, *, hinted: bool) -> GivenEntry:
    entry = entry_of(reader, name)
    said = legible(reader, entry.about if entry else None) or "(erased)"
    reworded = bool(entry and entry.corrected and version not in {None, entry.version})
    return GivenEntry(name, said, hinted, reworded)
