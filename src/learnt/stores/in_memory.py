"""Every port in memory: the same contracts without a disk, for tests, trials and plug-ins."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from learnt.core import views
from learnt.core.events import Draft, Event, Kind, next_stamp, stamped
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    EventId,
    NaturalKey,
    ProjectId,
    Subject,
    content_ref,
    event_id,
)
from learnt.core.json_values import JsonObject, canonical, holds, text_of
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.recall.ranking import Match, Matches, bm25, idf, occurrences
from learnt.core.records import decode
from learnt.core.sessions.observations import NO_RESPONSE, Observation, Observed, Response
from learnt.core.tokens import terms as terms_of
from learnt.ports import Clock, Happening, Language, Outside, Random, Stemmer, ViewOf
from learnt.stores.in_memory_files import (
    InMemoryCitedFiles,
    InMemoryDocuments,
    InMemoryFolders,
    InMemorySpool,
    InMemoryTraces,
    InMemoryTranscripts,
)


@dataclass(slots=True)
class FixedClock:
    """A clock that stands where it is set."""

    ms: int = 1_700_000_000_000

    def now_ms(self) -> int:
        return self.ms


@dataclass(slots=True)
class CountedRandom:
    """Bytes that look random and are the same in every run."""

    drawn: int = 0

    def bytes(self, count: int) -> bytes:
        self.drawn += 1
        return sha256(str(self.drawn).encode()).digest()[:count]


@dataclass(slots=True)
class _Tables:
    """All that a transaction may change; copied when one begins, so that it can be undone."""

    events: list[Event] = field(default_factory=list)
    views: dict[Subject, JsonObject] = field(default_factory=dict)
    contents: dict[ContentRef, str] = field(default_factory=dict)
    inbox: dict[str, Observation] = field(default_factory=dict)
    responses: dict[str, Response] = field(default_factory=dict)
    keys: set[NaturalKey] = field(default_factory=set)
    arrivals: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)

    def copied(self) -> "_Tables":
        return _Tables(*(copy(getattr(self, name)) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Document:
    scope: ProjectId | None
    fingerprint: str
    subject: Sequence[str]
    body: Sequence[str]


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

    def views(self, prefix: str) -> Iterator[ViewOf]:
        for subject, state in sorted(self._tables.views.items()):
            if subject.startswith(prefix):
                yield ViewOf(subject=subject, state=state)

    def events(
        self,
        *,
        subject: Subject | None = None,
        kind: Kind | None = None,
        session: str | None = None,
        newest: int | None = None,
    ) -> Iterator[Event]:
        found = [
            event
            for event in sorted(self._tables.events, key=lambda event: event.stamp)
            if (subject is None or event.subject == subject)
            and (kind is None or event.kind is kind)
            and (session is None or event.where.session == session)
        ]
        return iter(found if newest is None else found[::-1][:newest])

    def event(self, event: EventId) -> Event | None:
        return next((known for known in self._tables.events if known.id == event), None)

    def keyed(self, key: NaturalKey) -> Event | None:
        return next((known for known in self._tables.events if known.natural_key == key), None)

    def text(self, ref: ContentRef) -> str | None:
        return self._tables.contents.get(ref)

    def happenings(self, kind: Kind) -> Iterator[Happening]:
        for event in self.events(kind=kind):
            prompt = text_of(event.payload.get("prompt"))
            yield Happening(
                subject=event.subject,
                session=event.where.session or "",
                project=event.where.project,
                wall_ms=event.wall_ms,
                recall=EventId(text_of(event.payload.get("recall"))),
                prompt=ContentRef(prompt) if prompt else None,
                mode=text_of(event.payload.get("mode")),
            )

    def count(self, kind: Kind) -> int:
        return sum(1 for _ in self.events(kind=kind))

    def _projects(self) -> list[Project]:
        return [decode(Project, view.state) for view in self.views("project:")]

    def projects_knowing(self, aliases: Sequence[str]) -> Sequence[Project]:
        sought = set(aliases)
        return [p for p in self._projects() if sought & {*p.paths, *p.stores}]

    def same_projects(self) -> Sequence[Project]:
        return [project for project in self._projects() if project.same_as is not None]

    def _documents(self) -> dict[EntryId, _Document]:
        found = {}
        for view in self.views("entry:"):
            entry = decode(Entry, view.state)
            if entry.live:
                found[entry.id] = _Document(
                    entry.scope,
                    entry.fingerprint,
                    self._stems(entry.about, *entry.tags, *entry.entities),
                    self._stems(entry.approach, *entry.cautions),
                )
        return found

    def _stems(self, *refs: ContentRef | None) -> list[str]:
        texts = (self.text(ref) or "" for ref in refs if ref is not None)
        return [term for text in texts for term in terms_of(text, self._of.stem)]

    def same_entry(self, fingerprint: str, scope: ProjectId | None) -> EntryId | None:
        found = [
            entry
            for entry, document in self._documents().items()
            if document.fingerprint == fingerprint and document.scope in {None, scope}
        ]
        return min(found, default=None)

    def _seen(self, scopes: Sequence[ProjectId]) -> dict[EntryId, _Document]:
        seen = {None, *scopes}
        return {e: d for e, d in self._documents().items() if d.scope in seen}

    def frequencies(self, terms: Sequence[str], scopes: Sequence[ProjectId]) -> Mapping[str, int]:
        held = [{*document.subject, *document.body} for document in self._seen(scopes).values()]
        return {term: sum(term in distinct for distinct in held) for term in terms}

    def match(self, terms: Sequence[str], scopes: Sequence[ProjectId], limit: int) -> Matches:
        seen = self._seen(scopes)
        counts = self.frequencies(terms, scopes)
        weights = {term: idf(count, len(seen)) for term, count in counts.items() if count}
        lengths = [len(document.subject) + len(document.body) for document in seen.values()]
        average = max(1.0, math.fsum(lengths) / max(1, len(lengths)))
        found = []
        for entry, document in seen.items():
            told = occurrences(weights, document.subject, document.body)
            length = len(document.subject) + len(document.body)
            if told:
                found.append(
                    Match(
                        entry=entry,
                        score=bm25(weights, told, length, average),
                        subject_terms=frozenset(document.subject),
                        shared=frozenset(told),
                    )
                )
        best = sorted(found, key=lambda match: (-match.score, match.entry))[:limit]
        return Matches(best=best, frequencies=counts, entries=len(seen))

    def observed(
        self,
        session: str,
        *,
        episode: str | None = None,
        open_only: bool = False,
        naming: str = "",
    ) -> Sequence[Observed]:
        tables = self._tables
        return [
            Observed(
                observation=tables.inbox[name],
                closed=name in tables.closed,
                response=tables.responses[name],
            )
            for name in tables.arrivals
            if name in tables.inbox
            and tables.inbox[name].session == session
            and episode in {None, tables.inbox[name].episode}
            and not (open_only and name in tables.closed)
            and (not naming or canonical(naming)[1:-1] in canonical(tables.inbox[name].detail))
        ]

    def activity(self, session: str, events: Collection[str]) -> int:
        seen = [
            number
            for number, name in enumerate(self._tables.arrivals, 1)
            if (held := self._tables.inbox.get(name))
            and held.session == session
            and held.event in events
        ]
        return max(seen, default=0)

    def sessions_observed(self) -> Sequence[str]:
        return sorted({held.session for held in self._tables.inbox.values()})

    def contents_with(self, text: str) -> Sequence[ContentRef]:
        sought = text.casefold()
        held = sorted(self._tables.contents.items())
        return [ref for ref, text in held if sought in text.casefold()]

    def events_citing(self, ref: ContentRef) -> Iterator[Event]:
        for event in self.events():
            if ref in canonical(event.payload) or event.where.place == ref:
                yield event

    def append(self, draft: Draft) -> Event | None:
        if draft.natural_key is not None and self.keyed(draft.natural_key) is not None:
            return None
        ledger = self._of
        wall = ledger.clock.now_ms()
        last = max((event.stamp for event in self._tables.events), default=None)
        identifier = event_id(wall, ledger.random.bytes(10))
        event = stamped(draft, identifier, next_stamp(last, wall, "0" * 16), wall)
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
        if observation.id in self._tables.arrivals or key in self._tables.keys:
            return False
        self._tables.keys.add(key)
        self._tables.arrivals.append(observation.id)
        self._tables.inbox[observation.id] = observation
        self._tables.responses[observation.id] = response
        return True

    def close_episode(self, session: str, episode: str) -> None:
        self._tables.closed |= {
            name
            for name, held in self._tables.inbox.items()
            if held.session == session and held.episode == episode
        }

    def _drop(self, goes: Callable[[Observation], bool]) -> int:
        gone = [name for name, held in self._tables.inbox.items() if goes(held)]
        for name in gone:
            del self._tables.inbox[name]
        return len(gone)

    def forget_observations(self, before_ms: int) -> int:
        return self._drop(lambda held: held.ms < before_ms)

    def erase(self, refs: Sequence[ContentRef]) -> int:
        return sum(self._tables.contents.pop(ref, None) is not None for ref in refs)

    def erase_observations(self, *, session: str | None = None, text: str | None = None) -> int:
        if session is not None:
            return self._drop(lambda held: held.session == session)
        responses = self._tables.responses
        return self._drop(
            lambda held: (
                text is None or holds(canonical([asdict(held), asdict(responses[held.id])]), text)
            )
        )


class InMemoryLedger:
    """A ledger that is gone with its process."""

    def __init__(self, *, key: bytes, clock: Clock, random: Random, stem: Stemmer) -> None:
        self.key, self.clock, self.random, self.stem = key, clock, random, stem
        self.tables = _Tables()
        self.written = 0  # transactions

    @contextmanager
    def reading(self) -> Iterator[_Unit]:
        yield _Unit(self)

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

    @contextmanager
    def within(self, expired: Callable[[], bool]) -> Iterator[None]:
        yield

    def verify(self) -> Sequence[str]:
        unit = _Unit(self)
        return [
            subject
            for subject, state in self.tables.views.items()
            if state != views.fold(unit.events(subject=subject))
        ]

    def rebuild(self) -> None:
        unit = _Unit(self)
        for subject in {event.subject for event in self.tables.events}:
            state = views.fold(unit.events(subject=subject))
            if state is not None:
                self.tables.views[subject] = state

    def tidy(self) -> None:
        return

    def scrub(self) -> None:
        return


def outside(
    stem: Stemmer, language: Language, *, share: float = 0.0, clock: Clock | None = None
) -> Outside:
    """A whole outside in memory."""
    clock, random = clock or FixedClock(), CountedRandom()
    return Outside(
        ledger=InMemoryLedger(key=b"k" * 32, clock=clock, random=random, stem=stem),
        spool=InMemorySpool(),
        traces=InMemoryTraces(),
        folders=InMemoryFolders(),
        documents=InMemoryDocuments(),
        transcripts=InMemoryTranscripts(),
        cited_files=InMemoryCitedFiles(),
        clock=clock,
        random=random,
        stem=stem,
        language=language,
        share=share,
    )
