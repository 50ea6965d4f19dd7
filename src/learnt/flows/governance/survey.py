"""What there is: counts from the views, the last recalls, questions for a person."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Final

from msgspec import field

from learnt.core.digest.remarks import Basis
from learnt.core.events import Actor, Kind, natural_key, payload_of
from learnt.core.governance.actors import is_plain
from learnt.core.identifiers import EntryId, ProjectId, project_subject
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.topics import GrowthHistory
from learnt.core.payloads.entry_events import Remembered, Staged
from learnt.core.payloads.session_events import ProjectLinked
from learnt.core.projects import Project, twin
from learnt.core.records import APART, UNTOLD, Record, Row
from learnt.core.totals import EntryTotals, Happening
from learnt.flows.governance.outdated import OutdatedSkill, outdated
from learnt.flows.governance.signals import SeenMoment, recent
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.knowledge.relating import open_disputes, suspicions
from learnt.flows.knowledge.remembering import MOST_QUOTES
from learnt.flows.knowledge.standing import lately, log, record
from learnt.flows.recall.conversations import searchable
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored, append, text_behind, text_or_empty
from learnt.formats.answers import filled
from learnt.ports import Outside, Reader

LOOKED_AT: Final = 100  # events
MOST_AT_ONCE: Final = 3
MOST_WANTED = MOST_RECENT = 3
AT_ONCE_MS: Final = 7 * 86_400_000


class Holdings(Record, kw_only=True):
    """What is known, in all and to a project."""

    project: ProjectId | None
    entries: dict[str, int]  # by stage
    entries_here: int  # of the project
    candidates_here: int  # of these, not proved yet
    disputes_here: int  # between these, to be settled
    suspicions_here: int  # of rules alone, to be related


class Survey(Holdings, kw_only=True):
    """The state of a home."""

    sessions: int
    sessions_attended: int  # a person at the keyboard, by the agent's own flags
    episodes: int
    recalls: int
    misses: int
    not_delivered: int  # answers that came too late
    reuses: int
    moments: tuple["MomentTotals", ...]
    spool_waiting: int  # reports not taken in yet
    sessions_searchable: int | None  # None where their index cannot be used
    masked: int  # entries that no hook shows, since they hurt
    quotes_full: int  # sessions of the last week in which an agent saved as many as it may
    human_events: int
    human_events_not_plain: int  # of these, not seen on a plain terminal
    record: Annotated[GrowthHistory, APART]
    last: Annotated[tuple[SeenMoment, ...], APART] = ()
    wanted: Annotated[tuple["Wanted", ...], UNTOLD] = ()
    outdated: tuple[OutdatedSkill, ...] = ()  # skills, of the project or of every one
    at_once: Annotated[tuple["CountedEntry", ...], APART] = ()  # of the last week, the newest first
    swept: Annotated[dict[str, int], APART] = field(default_factory=dict)  # in that week, by stage


def survey(outside: Outside, folder: str) -> Survey:
    """The state of the home, as seen from a folder."""
    now = outside.clock.now_ms()
    last = recent(outside, MOST_RECENT, known=True)
    with checking(outside, folder) as checker:
        reader = checker.reader
        entries, sessions = reader.entry_totals(), reader.session_totals()
        people = [(alike, is_plain(alike.by, alike.odd)) for alike in reader.people()]
        here = [alike for alike in entries if alike.live and checker.holds_in(alike.scope)]
        return filled(
            Survey,
            _holdings(reader, checker, entries),
            sessions=sessions.sessions,
            sessions_attended=sessions.attended,
            recalls=sessions.recalls,
            misses=sessions.misses,
            not_delivered=sessions.undelivered,
            reuses=sum(alike.reused for alike in entries),
            episodes=sessions.episodes,
            moments=_moments(reader.happenings(Kind.RECALLED)),
            masked=sum(alike.masked for alike in entries if alike.live),
            quotes_full=_quotes_full(reader, now),
            human_events=sum(alike.events for alike, _ in people),
            human_events_not_plain=sum(alike.events for alike, plain in people if not plain),
            sessions_searchable=searchable(outside),
            spool_waiting=len(outside.spool.waiting(1_000)),
            record=record(reader, checker, here, now),
            last=tuple(last),
            wanted=tuple(islice(_wanted(reader, checker, now), MOST_WANTED)),
            at_once=tuple(islice(_at_once(reader, now), MOST_AT_ONCE)),
            swept=_swept(reader, now),
            outdated=tuple(s for s in outdated(outside, reader) if checker.holds_in(s.scope)),
        )


def holdings(outside: Outside, folder: str) -> Holdings:
    """What is known, as seen from a folder."""
    with checking(outside, folder) as checker:
        return _holdings(checker.reader, checker, checker.reader.entry_totals())


def _holdings(reader: Reader, checker: Checker, entries: Sequence[EntryTotals]) -> Holdings:
    here = [alike for alike in entries if alike.live and checker.holds_in(alike.scope)]
    stages: Counter[str] = Counter()
    for alike in entries:
        stages[alike.stage] += alike.entries
    return Holdings(
        project=checker.located.project if checker.located else None,
        entries=dict(stages),
        entries_here=sum(alike.entries for alike in here),
        candidates_here=sum(a.entries for a in here if a.stage == Stage.CANDIDATE),
        disputes_here=open_disputes(reader, checker),
        suspicions_here=sum(1 for _ in suspicions(reader, checker)),
    )


class MomentTotals(Row):
    """What was given at a moment; `hints` named an entry by a line, `read` of these were read."""

    moment: str
    recalls: int
    notes: int
    hints: int
    read: int


def _moments(recalls: Iterable[Happening]) -> tuple[MomentTotals, ...]:
    totals = {moment: [0, 0, 0, 0] for moment in ("hook", "failure", "file")}
    for recall in recalls:
        if recall.mode in totals:
            counts = totals[recall.mode]
            counts[:3] = counts[0] + 1, counts[1] + recall.shown, counts[2] + recall.hinted
        elif recall.moment in totals:
            totals[recall.moment][3] += 1
    return tuple(
        MomentTotals("prompt" if moment == "hook" else moment, *counts)
        for moment, counts in totals.items()
    )


class CountedEntry(Row):
    """An entry, and how often it was used, or how many prompts it bore on."""

    entry: EntryId
    text: str
    count: int = 0


class Week(Record):
    """What the seven days since a moment brought; `decided` counts what became of entries."""

    since_ms: int
    missed: int
    moments: tuple[MomentTotals, ...]
    used: tuple[CountedEntry, ...]
    decided: Mapping[str, int]


def week(outside: Outside) -> Week:
    """What the last seven days brought, in all projects."""
    now = outside.clock.now_ms()
    span = range(now - AT_ONCE_MS, now + 1)
    decided = log(outside, span).counts
    with outside.ledger.reading() as reader:
        recalls, missed, reused = (
            [event for event in reader.happenings(kind, span.start) if event.wall_ms in span]
            for kind in (Kind.RECALLED, Kind.MISSED, Kind.REUSED)
        )
        used = Counter(event.subject for event in reused).most_common(MOST_AT_ONCE)
        entries = [(entry_of(reader, EntryId(s.partition(":")[2])), count) for s, count in used]
        return Week(
            since_ms=span.start,
            missed=sum(event.mode == "hook" for event in missed),
            moments=_moments(recalls),
            used=tuple(
                CountedEntry(e.id, text_or_empty(reader, e.about), n) for e, n in entries if e
            ),
            decided=decided,
        )


class Wanted(Record):
    """A candidate that bore on prompts of late, and was not shown: a person may vouch for it."""

    entry: EntryId
    text: str
    prompts: int


def _wanted(reader: Reader, checker: Checker, now_ms: int) -> Iterator[Wanted]:
    for name, count in lately(reader, now_ms).wanted.most_common():
        entry = entry_of(reader, name)
        if entry and entry.stage is Stage.CANDIDATE and entry.live and checker.sees(entry):
            yield Wanted(name, text_or_empty(reader, entry.about), count)


def _at_once(reader: Reader, now_ms: int) -> Iterator[CountedEntry]:
    """The entries that count since a person's prompt began with "remember"."""
    for event in reader.events(kind=Kind.REMEMBERED, newest=LOOKED_AT):
        payload = payload_of(Remembered, event)
        typed = payload.lesson == Basis.REMEMBER and event.actor is Actor.HUMAN
        if not typed or now_ms - event.wall_ms > AT_ONCE_MS:
            continue
        entry = entry_of(reader, EntryId(event.subject.partition(":")[2]))
        if entry is not None and entry.live and entry.stage is Stage.VALIDATED:
            yield CountedEntry(entry.id, text_or_empty(reader, entry.text))


def _quotes_full(reader: Reader, now_ms: int) -> int:
    quotes: Counter[str] = Counter()
    for event in reader.events(kind=Kind.REMEMBERED, newest=10 * LOOKED_AT):
        if now_ms - event.wall_ms <= AT_ONCE_MS:
            quotes[event.where.session or ""] += payload_of(Remembered, event).lesson == Basis.QUOTE
    return sum(count >= MOST_QUOTES for count in quotes.values())


def _swept(reader: Reader, now_ms: int) -> dict[str, int]:
    """How many entries Learnt itself validated or retired in the last week, by the evidence."""
    stages: Counter[str] = Counter()
    for event in reader.events(kind=Kind.STAGED, newest=LOOKED_AT):
        if event.actor is Actor.LEARNT and now_ms - event.wall_ms <= AT_ONCE_MS:
            stages[payload_of(Staged, event).stage or ""] += 1
    return dict(stages)


class OpenQuestion(Record):
    """Two projects that look like copies of one, and their folders' names."""

    project: ProjectId
    name: str
    other: ProjectId
    other_name: str


def open_questions(outside: Outside) -> list[OpenQuestion]:
    """The copies that nobody was asked about yet, each pair once."""
    with outside.ledger.reading() as reader:
        projects = sorted(all_stored(reader, Project), key=lambda project: project.id)
        names = {p.id: text_behind(reader, p.label) or p.id for p in projects}
    questions: dict[frozenset[ProjectId], OpenQuestion] = {}
    for project in projects:
        other = twin(project, projects)
        if other is not None:
            question = OpenQuestion(project.id, names[project.id], other.id, names[other.id])
            questions.setdefault(frozenset({project.id, other.id}), question)
    return list(questions.values())


def settle(outside: Outside, question: OpenQuestion, *, same: bool, actor: Actor) -> None:
    """Record a person's answer."""
    linked = ProjectLinked(other=question.other, verdict="same" if same else "apart")
    pair = (question.project, question.other)
    key = natural_key(outside.ledger.key, "project linked", *pair, linked.verdict)
    with outside.ledger.writing() as writer:
        append(writer, project_subject(question.project), actor, linked, key=key)
