"""What is called by an id, or by so much of its beginning that only one thing can be meant."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import EventId
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.records import decode
from learnt.core.sessions.sessions import Session
from learnt.flows.stored import text_or_empty
from learnt.formats.injection import moment
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader, ViewOf

MOST: Final = 200  # of one sort, the newest
_ALIKE: Final = 0.85
_OWN: Final = 8  # characters: `e-`, `skill-` and the like, but not yet a dash of a UUID


# What an id may be of.
Sort = Literal["entry", "proposal", "project", "session", "episode", "event"]


class Named(NamedTuple):
    """An id, and the first words of what it is of, as far as it has any."""

    id: str
    said: str


def beginning(outside: Outside, start: str, sorts: Collection[Sort]) -> list[Named]:
    """What of these sorts has an id that begins so, the newest of each sort; one such id alone."""
    found: list[Named] = []
    with outside.ledger.reading() as reader:
        for sort in sorts:
            found += _FOUND[sort](outside, reader, start)
            if found and "-" in start[:_OWN]:
                break  # nothing else has an id that begins so
    exact = [each for each in found if each.id == start]
    return exact[:1] or list({each.id: each for each in found}.values())


def alike(outside: Outside, name: str, sorts: Collection[Sort]) -> list[Named]:
    """What has nearly that id: a letter was mistyped, or two changed places."""
    known = {each.id: each for each in beginning(outside, name[:2], sorts)}
    return [known[close] for close in get_close_matches(name, known, n=3, cutoff=_ALIKE)]


def _viewed(prefix: str, said: Callable[[Reader, ViewOf], str]) -> "_Finder":
    def found(_: Outside, reader: Reader, start: str) -> Iterator[Named]:
        for view in deque(reader.views(prefix + start), MOST):
            yield Named(view.subject.removeprefix(prefix), said(reader, view))

    return found


def _entry(reader: Reader, view: ViewOf) -> str:
    entry = decode(Entry, view.state)
    return text_or_empty(reader, entry.about) or str(entry.stage)


def _proposal(reader: Reader, view: ViewOf) -> str:
    proposal = decode(Proposal, view.state)
    return f"{proposal.kind} {text_or_empty(reader, proposal.target)}, {proposal.status}"


def _project(reader: Reader, view: ViewOf) -> str:
    return text_or_empty(reader, decode(Project, view.state).label)


def _sessions(outside: Outside, reader: Reader, start: str) -> Iterator[Named]:
    names = [view.subject.split(":", 2)[2] for view in reader.views(Session.prefix)]
    names += [each.name for each in outside.past.known()] if outside.past.wanted else []
    yield from (Named(name, "a session") for name in names if name.startswith(start))


def _episodes(_: Outside, reader: Reader, start: str) -> Iterator[Named]:
    for event in reader.events(kind=Kind.EPISODE_CLOSED):
        if (event.where.episode or "").startswith(start):
            yield Named(event.where.episode or "", f"an episode of {moment(event.wall_ms)}")


def _events(_: Outside, reader: Reader, start: str) -> Iterator[Named]:
    for name in reader.event_ids(start, MOST):
        if (event := reader.event(EventId(name))) is not None:
            yield Named(name, f"{moment(event.wall_ms)} {sentence(event)}")


_Finder = Callable[[Outside, Reader, str], Iterator[Named]]
_FOUND: Final[Mapping[Sort, _Finder]] = {
    "entry": _viewed(Entry.prefix, _entry),
    "proposal": _viewed(Proposal.prefix, _proposal),
    "project": _viewed(Project.prefix, _project),
    "session": _sessions,
    "episode": _episodes,
    "event": _events,
}
