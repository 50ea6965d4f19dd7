"""A session between an agent and its user; in a name's place stands a hash where it is purged."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import ClassVar, Final

from msgspec import field
from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import EntryId, EventId, ProjectId, Subject
from learnt.core.payloads import session_events
from learnt.core.payloads.entry_events import MOMENTS, Missed, NotDelivered, Recalled
from learnt.core.records import JsonValue, Record

IMPORTER: Final = "import"  # the agent of an import, which is a session of its own
_LONGEST: Final = 1_000  # sessions, each continued from the next


class Session(Record, kw_only=True):
    """What is true of a session now.

    `shown` holds the entries in the agent's context since the last compaction, `hinted` those that
    a line of it names, `listed` those of its contents, `rules` the rules that were given whole.
    `counted` says how often each entry's reuse was counted, `retracted` how often that was taken
    back. `exemplars` are the past successes of skills in that context. `epoch` counts compactions.
    `missed`: nothing was given at its last prompt, or opened since, so that prompt is a miss.
    """

    prefix: ClassVar[str] = "session:"  # of the subjects of its events

    agent: str
    id: str
    source: str = ""
    project: ProjectId | None = None
    epoch: int = 0
    started_ms: int = 0
    last_ms: int = 0
    ended: str = ""
    shown: tuple[EntryId, ...] = ()
    counted: dict[str, int] = field(default_factory=dict)
    retracted: dict[str, int] = field(default_factory=dict)
    recalls: int = 0
    misses: int = 0
    undelivered: int = 0
    episodes: int = 0
    failures: int = 0
    linked_to: str = ""
    exemplars: tuple[EventId, ...] = ()
    hinted: tuple[EntryId, ...] = ()
    listed: tuple[EntryId, ...] = ()
    rules: tuple[EntryId, ...] = ()
    missed: bool = False

    def attempt(self, entry: EntryId) -> int | None:
        """The number of this entry's next count in the session, or None if it stands counted."""
        counted, retracted = self.counted.get(entry, 0), self.retracted.get(entry, 0)
        return None if counted > retracted else retracted


def lineage(name: str, goes_on_from: Callable[[str], str]) -> list[str]:
    """A session, the one that it goes on from, and so on to the first; at most 1,000.

    >>> lineage("c", {"c": "b", "b": "a", "a": ""}.__getitem__)
    ['c', 'b', 'a']
    """
    names = {name: None}  # a set in the order of the links
    while len(names) < _LONGEST and (name := goes_on_from(name)) and name not in names:
        names[name] = None
    return [*names]


def step(session: Session | None, event: Event) -> Session:
    """The session after one more event about it."""
    _, agent, name = event.subject.split(":", 2)
    session = session or Session(agent=agent, id=name, started_ms=event.wall_ms)
    # What every event says is part of each change: a second `replace` costs as much as the first.
    project = session.project or event.where.project
    changed = partial(replace, session, last_ms=event.wall_ms, project=project)
    match event.kind:
        case Kind.SESSION_STARTED:
            source = payload_of(session_events.SessionStarted, event).source
            if source not in {"compact", "clear"}:
                return changed(source=source, ended="")
            # What was in the context is gone after a compaction; a resumed session still has it.
            gone = dict.fromkeys(("shown", "hinted", "exemplars", "listed", "rules"), ())
            return changed(source=source, ended="", epoch=session.epoch + 1, **gone)
        case Kind.RECALLED:
            recall = payload_of(Recalled, event)
            return _recalled(session, recall, changed, in_subagent=bool(event.where.subagent))
        case Kind.MISSED:
            tentative = payload_of(Missed, event).tentative
            return changed(misses=session.misses + 1, missed=tentative)
        case Kind.NOT_DELIVERED:
            return _not_delivered(session, payload_of(NotDelivered, event), changed)
        case Kind.EPISODE_CLOSED:
            closed = payload_of(session_events.EpisodeClosed, event)
            new = not closed.again  # else a report came late, and it was counted
            failures = session.failures + closed.failed * new
            return changed(episodes=session.episodes + new, failures=failures)
        case Kind.SESSION_LINKED:
            return changed(linked_to=payload_of(session_events.SessionLinked, event).other)
        case Kind.SESSION_ENDED:
            return changed(ended=payload_of(session_events.SessionEnded, event).reason or "ended")
        case Kind.PURGED:
            return Session(agent=agent, id=name, ended="purged")
        case _:
            return changed()


def _recalled(
    session: Session, recall: Recalled, changed: Callable[..., Session], *, in_subagent: bool
) -> Session:
    if recall.mode in {"start", "act"}:
        rules, listed = _with(session.rules, recall.shown), _with(session.listed, recall.hinted)
        return session if in_subagent else changed(rules=rules, listed=listed)
    if recall.mode not in {*MOMENTS, "read", "skill"}:
        return changed()
    opened = session.missed and recall.mode != "hook" and bool(recall.shown)
    if in_subagent:  # which has its own context
        recall = replace(recall, shown=(), hinted=(), exemplars=())
    return changed(
        recalls=session.recalls + (recall.mode == "hook"),
        misses=session.misses - opened,
        missed=session.missed and not opened and recall.mode != "hook",
        shown=_with(session.shown, recall.shown),
        hinted=_with(session.hinted, recall.hinted),
        exemplars=(*session.exemplars, *recall.exemplars),
        counted=_counted(session.counted, recall.counted),
    )


def _with(entries: tuple[EntryId, ...], more: Iterable[EntryId]) -> tuple[EntryId, ...]:
    return (*entries, *(entry for entry in more if entry not in entries))


def _not_delivered(
    session: Session, lost: NotDelivered, changed: Callable[..., Session]
) -> Session:
    return changed(
        undelivered=session.undelivered + (lost.recall is not None),
        misses=0 if session.agent == IMPORTER else session.misses,  # an import was undone
        shown=tuple(entry for entry in session.shown if entry not in lost.entries),
        hinted=tuple(entry for entry in session.hinted if entry not in lost.hinted),
        listed=tuple(entry for entry in session.listed if entry not in lost.hinted),
        rules=tuple(entry for entry in session.rules if entry not in lost.entries),
        exemplars=tuple(name for name in session.exemplars if name not in lost.exemplars),
        retracted=_counted(session.retracted, lost.uncounted),
    )


def _counted(counts: Mapping[str, int], entries: Iterable[str]) -> dict[str, int]:
    more = dict(counts)
    for entry in entries:
        more[entry] = more.get(entry, 0) + 1
    return more


_OF_A_SESSION: Final = 3  # parts of a subject that names one: what it is, its agent, the name


def subject_without(subject: Subject, names: Mapping[str, str]) -> Subject:
    """The subject, with what stands for a session's name in its place.

    >>> subject_without(Subject("session:claude-code:s1"), {"s1": "h-0"})
    'session:claude-code:h-0'
    """
    parts = subject.split(":", _OF_A_SESSION - 1)
    if len(parts) == _OF_A_SESSION:
        parts[-1] = names.get(parts[-1], parts[-1])
    return Subject(":".join(parts))


def payload_without(payload: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """The payload, likewise: a string that is the whole name."""
    match payload:
        case str():
            return names.get(payload, payload)
        case Mapping():
            return {key: payload_without(value, names) for key, value in payload.items()}
        case list() | tuple():
            return [payload_without(value, names) for value in payload]
        case _:
            return payload
