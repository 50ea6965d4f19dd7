"""What is called by an id, or by so much of its beginning that only one thing can be meant."""

from collections import deque
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Final, Literal

from learnt.core.events import Kind
from learnt.core.identifiers import ENTRY_HANDLE, ContentRef, EventId, Subject
from learnt.core.knowledge.entries import Entry
from learnt.core.records import Record, text_of
from learnt.flows.stored import text_or_empty
from learnt.formats.injection import moment
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader

# What an id may be of.
Sort = Literal["entry", "proposal", "project", "session", "episode", "event"]
MOST: Final = 200  # of one sort, the newest
_TEXTS: Final = ("text", "problem", "target", "label")  # of views: what tells which it is


class Named(Record):
    """An id, and the first words of what it is of, as far as it has any."""

    id: str
    said: str


def beginning(outside: Outside, start: str, sorts: Collection[Sort]) -> list[Named]:
    """What of these sorts has an id that begins so, the newest of each sort; one such id alone."""
    by_id: dict[str, Named] = {}
    with outside.ledger.reading() as reader:
        whole = any(reader.view(Subject(f"{sort}:{start}")) for sort in sorts)
        if whole or ("event" in sorts and reader.event(EventId(start))):
            return [Named(start, "")]
        for sort in sorts:
            by_id |= {thing.id: thing for thing in _named(reader, sort, start)}
            if sort == "entry" and ENTRY_HANDLE.fullmatch(start):
                by_id |= {thing.id: thing for thing in _ending(reader, start)}
            if by_id and "-" in start[: len("skill-")]:
                break  # no session, episode or event has an id that begins so
    return [by_id[start]] if start in by_id else list(by_id.values())


def _ending(reader: Reader, end: str) -> Iterator[Named]:
    """The entries of that handle."""
    for subject, *refs in reader.columns(Entry.prefix, "text", "problem"):
        if subject.endswith(end):
            ref = ContentRef(next(filter(None, refs), ""))
            yield Named(subject.removeprefix(Entry.prefix), text_or_empty(reader, ref))


def alike(outside: Outside, name: str, sorts: Collection[Sort]) -> list[Named]:
    """What has nearly that id, where nothing has it: a letter was mistyped, or two were swapped."""
    if any(thing.id == name for thing in beginning(outside, name, sorts)):
        return []
    known = {thing.id: thing for thing in beginning(outside, name[:2], sorts)}
    close = get_close_matches(name, known, n=3, cutoff=0.85)
    return [known[thing] for thing in close]


def _named(reader: Reader, sort: Sort, start: str) -> Iterator[Named]:
    if sort == "event":
        for event in filter(None, map(reader.event, reader.event_ids(start, MOST))):
            yield Named(event.id, f"{moment(event.wall_ms)} {sentence(event)}")
    elif sort == "episode":
        for event in reader.events(kind=Kind.EPISODE_CLOSED):
            if (event.where.episode or "").startswith(start):
                yield Named(event.where.episode or "", f"an episode of {moment(event.wall_ms)}")
    else:
        prefix = "session:" if sort == "session" else f"{sort}:{start}"
        for view in deque(reader.views(prefix), None if sort == "session" else MOST):
            name = view.subject.split(":", 2 if sort == "session" else 1)[-1]
            refs = filter(None, (text_of(view.state.get(text)) for text in _TEXTS))
            if name.startswith(start):
                yield Named(name, text_or_empty(reader, ContentRef(next(refs, ""))))
