"""What the ledger in memory finds by marks, and leaves of events whose sessions are purged."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from learnt.core.events import Event
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.entries import Entry
from learnt.core.records import canonical, decode
from learnt.core.sessions.sessions import payload_without, subject_without
from learnt.ports import ViewOf
from learnt.stores.sqlite_rows import NEWEST, Text, marks_of


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


def columns(views: Iterable[ViewOf], members: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The subject and some members of each, as a ledger on the disk gives them."""
    for view in views:
        found: list[Any] = []
        for path in members:
            value: Any = view.state
            for name in path.split("."):
                value = value.get(name) if isinstance(value, Mapping) else None
            scalar = value is None or isinstance(value, str | int | float)
            found.append(value if scalar else canonical(value))
        yield (view.subject, *found)


def marked(
    views: Iterable[ViewOf], text: Text, marks: Collection[str], scopes: Sequence[ProjectId]
) -> dict[str, list[EntryId]]:
    """By mark the newest entries among views that have it and hold in these projects."""
    found: defaultdict[str, list[EntryId]] = defaultdict(list)
    for view in views:
        entry = decode(Entry, view.state)
        if entry.scope is None or entry.scope in scopes:
            for row in marks_of(entry, text):
                found[row.mark].append(entry.id)
    return {mark: sorted(found[mark], reverse=True)[:NEWEST] for mark in marks if mark in found}
