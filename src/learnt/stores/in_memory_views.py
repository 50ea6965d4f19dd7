"""What the ledger in memory makes of entries and of events."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from learnt.core.events import Event
from learnt.core.knowledge.entries import Entry
from learnt.core.records import shared
from learnt.core.sessions.forgotten import payload_without, subject_without
from learnt.ports import EntryTotals


def totals(entries: Sequence[Entry]) -> EntryTotals:
    """What entries that are alike add up to."""
    moments = [entry.remembered_ms for entry in entries]
    return EntryTotals(
        **shared(entries[0], "stage scope topic live"),
        corrected=entries[0].corrected > 0,
        entries=len(entries),
        reused=sum(entry.reused for entry in entries),
        masked=sum(entry.masked for entry in entries),
        first_ms=min(moments),
        last_ms=max(moments),
    )


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
