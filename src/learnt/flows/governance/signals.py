"""What the ledger says about use: what was shown of late, what is recalled, what finds nothing."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from learnt.core.events import Event, Kind, payload_of
from learnt.core.governance.misses import Miss
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId
from learnt.core.payloads.entry_events import Missed, NotDelivered, Recalled
from learnt.core.projects import household
from learnt.core.records import Record
from learnt.core.sessions.sessions import IMPORTER
from learnt.core.tokens import words
from learnt.core.totals import Happening
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import legible
from learnt.ports import Outside, Reader

_LOOKED_AT = 3  # times as many recalls, for those at which something was asked


class GivenEntry(Record):
    """An entry given whole or `hinted` at; `reworded`: it said something else then."""

    entry: EntryId
    said: str
    hinted: bool
    reworded: bool


class SeenMoment(Record, kw_only=True):
    """When something was looked for; `mode` says how. `late`: the agent never got it."""

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
        payload = payload_of(Missed, event) if missed else payload_of(Recalled, event)
        recall = Recalled() if isinstance(payload, Missed) else payload
        versions = {drawn.entry: drawn.version for drawn in recall.eligible}
        yield SeenMoment(
            event=event.id,
            wall_ms=event.wall_ms,
            mode=payload.mode or "",
            session=event.where.session or "",
            prompt=legible(reader, payload.prompt),
            given=tuple(
                _given(reader, name, versions.get(name), hinted=hinted)
                for names, hinted in ((recall.shown, False), (recall.hinted, True))
                for name in names
            ),
            late=event.id in gone,
        )


def _given(reader: Reader, name: EntryId, version: int | None, *, hinted: bool) -> GivenEntry:
    entry = entry_of(reader, name)
    text = legible(reader, entry.about if entry else None) or "(erased)"
    reworded = bool(entry and entry.corrected and version not in {None, entry.version})
    return GivenEntry(name, text, hinted, reworded)


LATEST = 1_000  # recalls
EPISODE_MS = 86_400_000  # after a session's last prompt
LOOKED_AT = 6  # recalls, for samples of their prompts


@dataclass(slots=True)
class Reuse:
    """One entry's reuse: each session counted once, answers that never arrived left out."""

    entry: EntryId
    first_ms: int
    last_ms: int
    count: int = 0
    sessions: set[str] = field(default_factory=set)
    projects: set[ProjectId] = field(default_factory=set)
    recalls: list[EventId] = field(default_factory=list)  # the first few

    def add(self, happening: Happening) -> None:
        """Count one more."""
        self.count += 1
        self.first_ms = min(self.first_ms, happening.wall_ms)
        self.last_ms = max(self.last_ms, happening.wall_ms)
        if happening.session:
            self.sessions.add(happening.session)
        if happening.project is not None:
            self.projects.add(happening.project)
        if len(self.recalls) < LOOKED_AT:
            self.recalls.append(happening.recall)


def joined(several: Sequence[Reuse]) -> Reuse:
    """The reuse of several entries together, under the first one's id."""
    return Reuse(
        entry=several[0].entry,
        first_ms=min(reuse.first_ms for reuse in several),
        last_ms=max(reuse.last_ms for reuse in several),
        count=sum(reuse.count for reuse in several),
        sessions=set().union(*(reuse.sessions for reuse in several)),
        projects=set().union(*(reuse.projects for reuse in several)),
        recalls=[recall for reuse in several for recall in reuse.recalls],
    )


def reuses(reader: Reader) -> list[Reuse]:
    """Every entry that was ever put before an agent, most often first."""
    gone = {(h.subject, h.recall) for h in reader.happenings(Kind.NOT_DELIVERED)}
    by_subject: dict[str, Reuse] = {}
    for happening in reader.happenings(Kind.REUSED):
        subject, when = happening.subject, happening.wall_ms
        if gone and (subject, happening.recall) in gone:
            continue
        if subject not in by_subject:
            by_subject[subject] = Reuse(EntryId(subject.removeprefix("entry:")), when, when)
        by_subject[subject].add(happening)
    return sorted(by_subject.values(), key=lambda reuse: (-reuse.count, reuse.entry))


def borne(reader: Reader, names: Collection[EntryId]) -> list[Reuse]:
    """The entries among these that bore on what was asked or done, shown or not, once a session."""
    by_entry: dict[EntryId, Reuse] = {}
    for event in reader.events(kind=Kind.RECALLED, newest=LATEST) if names else ():
        recall, session = payload_of(Recalled, event), event.where.session or ""
        for name in {*recall.shown, *recall.already} & set(names) if recall.mode != "start" else ():
            reuse = by_entry.setdefault(name, Reuse(name, event.wall_ms, event.wall_ms))
            reuse.first_ms = min(reuse.first_ms, event.wall_ms)
            reuse.sessions.add(session)
            reuse.count = len(reuse.sessions)
    return list(by_entry.values())


class ProjectMisses(Record):
    """One project's prompts that found nothing, each once."""

    scope: ProjectId | None  # the first of those that share knowledge; None: typed in no project
    misses: tuple[Miss, ...]
    when_ms: Mapping[ContentRef, tuple[int, int]]  # first and last typed


def misses(reader: Reader) -> list[Happening]:
    """The prompts that were missed, also erased ones, but for undone imports.

    A prompt after which the agent was given or opened a note, before its session's next prompt,
    was not missed; nor one for which it launched a skill.
    """
    taken_back = reader.happenings(Kind.NOT_DELIVERED)
    gone = {
        event.subject for event in taken_back if event.subject.startswith(f"session:{IMPORTER}:")
    }
    prompts = [event for event in reader.happenings(Kind.MISSED) if event.mode == "hook"]
    # Of an episode that launched a skill its end names the prompt.
    closed = reader.happenings(Kind.EPISODE_CLOSED) if prompts else ()
    by_skill = {(event.subject, event.prompt) for event in closed if event.prompt}
    shown_at = defaultdict[str, list[int]](list)
    for event in reader.happenings(Kind.RECALLED) if prompts else ():
        if event.shown and event.mode in {"read", "failure", "file"}:
            shown_at[event.subject].append(event.wall_ms)
    following: dict[str, int] = {}
    kept = list[Happening]()
    for event in reversed(prompts):
        until = following.get(event.subject, event.wall_ms + EPISODE_MS)
        following[event.subject] = event.wall_ms
        opened = any(event.wall_ms <= when < until for when in shown_at.get(event.subject, ()))
        answered = opened or (event.subject, event.prompt) in by_skill
        if not answered and event.subject not in gone:
            kept.append(event)
    return kept[::-1]


def missed(
    outside: Outside, reader: Reader, happenings: Sequence[Happening] | None = None
) -> list[ProjectMisses]:
    """The prompts (or these) that found nothing, by project; no erased ones, nor undone imports."""
    same = reader.same_projects()
    scopes: dict[ProjectId | None, ProjectId | None] = {None: None}
    times: defaultdict[ProjectId | None, Counter[ContentRef]] = defaultdict(Counter)
    when: defaultdict[ProjectId | None, dict[ContentRef, tuple[int, int]]] = defaultdict(dict)
    for happening in misses(reader) if happenings is None else happenings:
        if happening.prompt is None:
            continue
        project, prompt, wall_ms = happening.project, happening.prompt, happening.wall_ms
        if project is not None and project not in scopes:
            scopes[project] = min(household(project, same))
        scope = scopes[project]
        times[scope][prompt] += 1
        first, last = when[scope].get(prompt, (wall_ms, wall_ms))
        when[scope][prompt] = (min(first, wall_ms), max(last, wall_ms))
    texts = {prompt: reader.text(prompt) for prompt in set().union(*times.values())}
    # A prompt's stems, and the first word of each.
    terms = {
        prompt: {outside.stem(word): word for word in reversed(words(text))}
        for prompt, text in texts.items()
        if text is not None
    }
    return [
        ProjectMisses(
            scope=scope,
            misses=tuple(
                Miss(prompt=prompt, terms=terms[prompt], count=count)
                for prompt, count in times[scope].items()
                if prompt in terms
            ),
            when_ms=when[scope],
        )
        for scope in sorted(times, key=lambda scope: scope or "")
    ]


def prompts_of(reader: Reader, recalls: Iterable[EventId], most: int) -> list[ContentRef]:
    """The first distinct prompts, at most so many, that these recalls answered."""
    events = filter(None, map(reader.event, recalls))
    prompts = (payload_of(Recalled, event).prompt for event in events)
    return list(dict.fromkeys(prompt for prompt in prompts if prompt is not None))[:most]
