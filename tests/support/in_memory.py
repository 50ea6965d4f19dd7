"""Every port in memory: the same contracts without a disk, for tests."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from learnt.core import views
from learnt.core.events import Draft, Event, Kind, Sight, next_stamp, payload_of, stamped
from learnt.core.health.executions import OTHERS, Use, UseTotals, uses
from learnt.core.health.outcomes import Trouble
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    EventId,
    NaturalKey,
    ProjectId,
    Subject,
    content_ref,
    event_id,
    hashed_name,
)  # fmt: skip
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.session_events import SessionStarted
from learnt.core.projects import Project
from learnt.core.recall.closeness import WeighedQuery
from learnt.core.recall.ranking import Matches, idf
from learnt.core.records import JsonObject, canonical, decode, encode, holds
from learnt.core.safety import Clean, owned
from learnt.core.sessions.observations import NO_RESPONSE, Observation, Observed, Response
from learnt.core.sessions.sessions import Session
from learnt.core.totals import EntryTotals, Happening, PeopleTotals, SessionTotals
from learnt.language_ports import Language
from learnt.ports import Clock, Outside, Random, Stemmer, ViewOf
from learnt.stores.processes import Witness
from learnt.stores.skill_shelf import DiskSkillShelf
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_search import Document, close, document, mark, scored
from tests.support.in_memory_clock import FixedClock as FixedClock
from tests.support.in_memory_files import (
    InMemoryCitedFiles,
    InMemoryDocuments,
    InMemoryFolders,
    InMemoryPrompts,
    InMemorySpool,
    InMemoryTraces,
    InMemoryTranscripts,
)
from tests.support.in_memory_model import InMemoryModelDoor
from tests.support.in_memory_totals import happening, people, totals
from tests.support.in_memory_views import columns, marked, without_sessions


@dataclass(slots=True)
class CountedRandom:
    """Bytes that look random and are the same in every run."""

    drawn: int = 0

    def bytes(self, count: int) -> bytes:
        self.drawn += 1
        return sha256(str(self.drawn).encode()).digest()[:count]


@dataclass(slots=True)
class _Tables:
    """All that a transaction may change, copied to undo one; the inbox goes by arrival number."""

    events: list[Event] = field(default_factory=list)
    views: dict[Subject, JsonObject] = field(default_factory=dict)
    contents: dict[ContentRef, str] = field(default_factory=dict)
    inbox: dict[int, Observed] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)  # ids and natural keys of what arrived
    arrived: int = 0

    def copied(self) -> "_Tables":
        return _Tables(*(copy(getattr(self, name)) for name in self.__slots__))


class _Unit:
    """Reader and writer in one: a transaction on the ledger's tables."""

    def __init__(self, ledger: "InMemoryLedger") -> None:
        self._of, self._tables = ledger, ledger.tables

    def moment(self) -> tuple[int, ...]:
        return len(self._tables.events), self._of.written

    def touched(self, since: tuple[int, ...], kinds: Collection[Kind]) -> frozenset[Subject]:
        later = self._tables.events[since[0] :]
        return frozenset(event.subject for event in later if event.kind in kinds)

    def view(self, subject: Subject) -> JsonObject | None:
        return self._tables.views.get(subject)

    def views(self, prefix: str, holding: str = "") -> Iterator[ViewOf]:
        for subject, state in sorted(self._tables.views.items()):
            if subject.startswith(prefix) and holding in canonical(state):
                yield ViewOf(subject=subject, state=state)

    def columns(self, prefix: str, *members: str) -> Iterator[tuple[Any, ...]]:
        return columns(self.views(prefix), members)

    def entry_totals(self) -> Sequence[EntryTotals]:
        return totals(decode(Entry, view.state) for view in self.views(Entry.prefix))

    def session_totals(self) -> SessionTotals:
        sessions = [decode(Session, view.state) for view in self.views(Session.prefix)]
        starts = self.events(kind=Kind.SESSION_STARTED)
        attended = {e.where.session for e in starts if payload_of(SessionStarted, e).attended}
        return SessionTotals(
            sessions=len(sessions),
            attended=len(attended),
            episodes=sum(session.episodes for session in sessions),
            recalls=sum(session.recalls for session in sessions),
            misses=sum(session.misses for session in sessions),
            undelivered=sum(session.undelivered for session in sessions),
        )

    def people(self) -> Sequence[PeopleTotals]:
        return people(self.events())

    def events(
        self,
        *,
        subject: Subject | None = None,
        kind: Kind | None = None,
        session: str | None = None,
        newest: int | None = None,
        before_ms: int | None = None,
        since_ms: int | None = None,
    ) -> Iterator[Event]:
        fitting = [
            event
            for event in sorted(self._tables.events, key=lambda event: event.stamp)
            if (subject is None or event.subject == subject)
            and (kind is None or event.kind is kind)
            and (session is None or event.where.session == session)
            and (before_ms is None or event.stamp.ms < before_ms)
            and (since_ms is None or event.stamp.ms >= since_ms)
        ]
        return iter(fitting if newest is None else fitting[::-1][:newest])

    def event(self, event: EventId) -> Event | None:
        return next((kept for kept in self._tables.events if kept.id == event), None)

    def event_ids(self, beginning: str, most: int) -> Sequence[EventId]:
        fitting = (e.id for e in self._tables.events if e.id.startswith(beginning))
        return sorted(fitting, reverse=True)[:most]

    def keyed(self, key: NaturalKey) -> Event | None:
        return next((event for event in self._tables.events if event.natural_key == key), None)

    def text(self, ref: ContentRef) -> Clean | None:
        text = self._tables.contents.get(ref)
        return None if text is None else owned(text)

    def happenings(self, kind: Kind, since_ms: int = 0) -> Iterator[Happening]:
        return map(happening, self.events(kind=kind, since_ms=since_ms))

    def uses(self, skill: ContentRef | None = None, newest: int | None = None) -> Iterator[Use]:
        of_sessions = (e for e in self.events() if e.subject.startswith("session:"))
        every = (use for use in uses(of_sessions) if skill in {None, use.skill})
        ordered = sorted(every, key=lambda use: (use.skill, use.wall_ms, use.event))
        for _, of_skill in groupby(ordered, key=attrgetter("skill")):
            yield from list(of_skill)[-newest if newest else 0 :]

    def use_totals(self) -> Sequence[UseTotals]:
        every = {skill: [*used] for skill, used in groupby(self.uses(), key=attrgetter("skill"))}
        own = {s: [u.own_grade for u in every[s] if u.own_grade is not None] for s in every}
        return [
            UseTotals(
                s,
                len(used),
                len(own[s]),
                sum(own[s]),
                sum(u.imported for u in used),
                sum(u.trouble is not Trouble.NONE for u in used),
                *(sum(u.cause is cause for u in used) for cause in sorted(OTHERS)),
            )
            for s, used in every.items()
        ]

    def count(self, kind: Kind) -> int:
        return sum(1 for _ in self.events(kind=kind))

    def _projects(self) -> list[Project]:
        return [decode(Project, view.state) for view in self.views("project:")]

    def projects_knowing(self, aliases: Sequence[str]) -> Sequence[Project]:
        sought = set(aliases)
        return [p for p in self._projects() if sought & {*p.paths, *p.stores}]

    def same_projects(self) -> Sequence[Project]:
        return [project for project in self._projects() if project.same_as is not None]

    def _documents(self) -> list[Document]:
        entries = (decode(Entry, view.state) for view in self.views("entry:"))
        documents = (document(entry, self.text, self._of.stem) for entry in entries)
        return [document for document in documents if document is not None]

    def same_entry(self, fingerprint: str, scope: ProjectId | None) -> EntryId | None:
        same = (d.entry for d in self._seen([scope]) if d.fingerprint == fingerprint)
        return min(same, default=None)

    def _seen(self, scopes: Iterable[ProjectId | None]) -> list[Document]:
        marks = {mark(scope) for scope in (None, *scopes)}
        return [document for document in self._documents() if document.scope in marks]

    def frequencies(self, terms: Sequence[str], scopes: Sequence[ProjectId]) -> Mapping[str, int]:
        words = [{*d.subject.split(), *d.body.split()} for d in self._seen(scopes)]
        return {term: sum(term in distinct for distinct in words) for term in terms}

    def match(self, terms: Sequence[str], scopes: Sequence[ProjectId], limit: int) -> Matches:
        seen = self._seen(scopes)
        counts = self.frequencies(terms, scopes)
        weights = {term: idf(count, len(seen)) for term, count in counts.items() if count}
        average = max(1.0, sum(len(d.marked) for d in seen) / max(1, len(seen)))
        matches = [match for match in scored(seen, weights, average) if match.shared]
        return Matches(best=matches[:limit], frequencies=counts, entries=len(seen))

    def marked(
        self, marks: Collection[str], scopes: Sequence[ProjectId]
    ) -> Mapping[str, Sequence[EntryId]]:
        return marked(self.views(Entry.prefix), self.text, marks, scopes)

    def closest(self, asked: WeighedQuery, scopes: Sequence[ProjectId], limit: int) -> Matches:
        seen, counts = self._seen(scopes), self.frequencies(list(asked.whole), scopes)
        best = [match for match in close(seen, asked, counts, len(seen)) if match.shared]
        return Matches(best=best[:limit], frequencies=counts, entries=len(seen))

    def observed(
        self, session: str, *, episode: str | None = None, open_only: bool = False, naming: str = ""
    ) -> Sequence[Observed]:
        return [
            observed
            for observed in self._tables.inbox.values()
            if observed.observation.session == session
            and episode in {None, observed.observation.episode}
            and not (open_only and observed.closed)
            and (not naming or canonical(naming)[1:-1] in canonical(observed.observation.detail))
        ]

    def activity(self, session: str, events: Collection[str]) -> int:
        seen = (
            number
            for number, observed in self._tables.inbox.items()
            if observed.observation.session == session and observed.observation.event in events
        )
        return max(seen, default=0)

    def sessions_observed(self) -> Sequence[str]:
        return sorted({kept.observation.session for kept in self._tables.inbox.values()})

    def contents_with(self, text: str) -> Sequence[ContentRef]:
        contents = sorted(self._tables.contents.items())
        return [ref for ref, content in contents if holds(content, text)]

    def events_citing(self, ref: ContentRef, kind: Kind | None = None) -> Iterator[Event]:
        for event in self.events(kind=kind):
            if ref in canonical(event.payload) or event.where.place == ref:
                yield event

    def append(self, draft: Draft) -> Event | None:
        if draft.natural_key is not None and self.keyed(draft.natural_key) is not None:
            return None
        ledger = self._of
        wall = ledger.clock.now_ms()
        last = max((event.stamp for event in self._tables.events), default=None)
        identifier = event_id(wall, ledger.random.bytes(10))
        stamp = next_stamp(last, wall, "0" * 16)
        event = stamped(draft, identifier, stamp, wall, ledger.witness.of(draft, self))
        self.merge(event)
        return event

    def merge(self, event: Event) -> bool:
        if self.event(event.id) is not None:
            return False
        self._tables.events.append(event)
        state = views.fold(self.events(subject=event.subject))
        if state is not None:
            self._tables.views[event.subject] = state
        return True

    def keep(self, kind: str, text: str) -> ContentRef:
        ref = content_ref(self._of.key, kind, text)
        self._tables.contents.setdefault(ref, text)
        return ref

    def observe(
        self, observation: Observation, key: NaturalKey, response: Response = NO_RESPONSE
    ) -> bool:
        tables = self._tables
        if not tables.keys.isdisjoint({observation.id, key}):
            return False
        tables.keys |= {observation.id, key}
        tables.arrived += 1
        tables.inbox[tables.arrived] = Observed(observation=observation, response=response)
        return True

    def close_episode(self, session: str, episode: str) -> None:
        for number, kept in self._tables.inbox.items():
            if (kept.observation.session, kept.observation.episode) == (session, episode):
                self._tables.inbox[number] = replace(kept, closed=True)

    def _drop(self, goes: Callable[[Observed], bool]) -> int:
        before = self._tables.inbox
        self._tables.inbox = {n: kept for n, kept in before.items() if not goes(kept)}
        return len(before) - len(self._tables.inbox)

    def forget_observations(self, before_ms: int) -> int:
        return self._drop(lambda kept: kept.observation.ms < before_ms)

    def erase(self, refs: Sequence[ContentRef]) -> int:
        return sum(self._tables.contents.pop(ref, None) is not None for ref in refs)

    def erase_observations(self, *, session: str | None = None, text: str | None = None) -> int:
        if session is not None:
            return self._drop(lambda kept: kept.observation.session == session)
        return self._drop(lambda kept: text is None or holds(canonical(encode(kept)), text))

    def forget_sessions(self, names: Collection[str]) -> None:
        hashed = {name: hashed_name(self._of.key, name) for name in names}
        self._tables.events = [without_sessions(event, hashed) for event in self._tables.events]
        self._of.rebuild()


class InMemoryLedger:
    """A ledger that is gone with its process."""

    def __init__(self, *, key: bytes, clock: Clock, random: Random, stem: Stemmer) -> None:
        self.key, self.clock, self.random, self.stem = key, clock, random, stem
        self.tables = _Tables()
        self.written = 0  # transactions
        self.witness = Witness(Sight)
        self.told = self.witness.told

    @contextmanager
    def reading(self) -> Iterator[_Unit]:
        yield _Unit(self)

    @contextmanager
    def one_snapshot(self) -> Iterator[None]:
        yield

    def refresh(self) -> None:
        pass

    @contextmanager
    def writing(self) -> Iterator[_Unit]:
        with ExitStack() as undo:  # whatever ends it, as in the ledger on disk: nothing of it stays
            undo.callback(setattr, self, "tables", self.tables.copied())
            yield _Unit(self)
            undo.pop_all()
        self.written += 1

    durably_writing = writing

    def settle(self) -> None:
        return

    tidy = make_room_to_scrub = scrub = settle

    @contextmanager
    def within(self, expired: Callable[[], bool]) -> Iterator[None]:
        yield

    def _refolded(self) -> dict[Subject, JsonObject]:
        subjects = {event.subject for event in self.tables.events}
        states = ((s, views.fold(_Unit(self).events(subject=s))) for s in subjects)
        return {subject: state for subject, state in states if state is not None}

    def verify(self) -> Sequence[str]:
        fresh, stored = self._refolded(), self.tables.views
        return sorted(s for s in fresh.keys() | stored.keys() if fresh.get(s) != stored.get(s))

    def rebuild(self) -> None:
        self.tables.views = self._refolded()


def outside(
    stem: Stemmer, language: Language, *, share: float = 0.0, clock: Clock | None = None
) -> Outside:
    """A whole outside in memory."""
    clock, random, documents = clock or FixedClock(), CountedRandom(), InMemoryDocuments()
    return Outside(
        ledger=InMemoryLedger(key=b"k" * 32, clock=clock, random=random, stem=stem),
        spool=InMemorySpool(),
        traces=InMemoryTraces(documents.files),
        folders=InMemoryFolders(),
        documents=documents,
        shelf=DiskSkillShelf(),
        transcripts=InMemoryTranscripts(),
        past=SqlitePast(),
        prompts=InMemoryPrompts(),
        cited_files=InMemoryCitedFiles(),
        model_door=InMemoryModelDoor(),
        clock=clock,
        random=random,
        stem=stem,
        language=language,
        share=share,
    )
