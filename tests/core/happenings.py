"""Events made by hand: what a test doesn't name is plain."""

from typing import Any
from zlib import crc32

from learnt.core.events import Actor, Event, Kind, Origin, Stamp, Where
from learnt.core.identifiers import EventId, Subject
from learnt.core.records import JsonObject

HOME = "00000000000000aa"


def happened(
    subject: str,
    kind: Kind,
    payload: JsonObject | None = None,
    *,
    at: int = 1_000,
    actor: Actor = Actor.LEARNT,
    origin: Origin | None = None,
    **where: Any,
) -> Event:
    """One event about a subject; `at` is its stamp and its wall time in milliseconds."""
    return Event(
        id=EventId(f"{at:08x}-0000-7000-8000-{crc32(f'{subject} {kind}'.encode()):012x}"),
        stamp=Stamp(at, 0, HOME),
        wall_ms=at,
        subject=Subject(subject),
        kind=kind,
        version=1,
        actor=actor,
        origin=origin,
        where=Where(**where),
        natural_key=None,
        payload=payload or {},
    )
