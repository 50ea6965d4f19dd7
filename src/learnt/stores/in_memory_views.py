"""What the ledger in memory leaves of events whose sessions are purged."""

from collections.abc import Mapping
from dataclasses import replace

from learnt.core.events import Event
from learnt.core.sessions.forgotten import payload_without, subject_without


def without_sessions(event: Event, hashed: Mapping[str, str]) -> Event:
    """The event, with what stands for sessions' names in their place."""
    session = event.where.session
    payload = payload_without(event.payload, hashed)
    assert isinstance(payload, dict)
    return replace(
        event,
        subject=subject_without(event.subject, hashed),
        where=replace(event.where, session=hashed.get(session or "", session)),
        payload=payload,
    )
