"""Where knowledge stands: each entry today, how far all has come, what was decided and changed.

And which candidates prove themselves, or are forgotten.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Final

from msgspec import field
from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Origin, payload_of
from learnt.core.identifiers import EntryId, ProjectId, Subject, entry_subject
from learnt.core.knowledge.admission import Judgement, judge, score
from learnt.core.knowledge.citations import CheckedCitation, joined
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import BY_HAND, MERGED, Entry, Stage, belief, day
from learnt.core.knowledge.relating import compare
from learnt.core.knowledge.topics import LOOKED_AT, GrowthHistory, Layer
from learnt.core.payloads.entry_events import EntryFeedback, Gated, Missed, Recalled, Staged
from learnt.core.records import APART, UNTOLD, Record, Row, decode
from learnt.core.sessions.sessions import IMPORTER
from learnt.core.totals import EntryTotals
from learnt.core.views import fold
from learnt.errors import Conflict, Refused
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.capture import neighbours
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.knowledge.feedback import live, stage
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.locate import Place, look
from learnt.flows.stored import all_stored, append, stored, text_or_empty
from learnt.formats.answers import filled
from learnt.formats.injection import Note, Rival
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader, Writer

MOST_RECALLS: Final = 1_000
LATELY_MS: Final = 30 * 86_400_000
_ALIKE: Final = 0.5  # likeness


class Lately(Record):
    """Of thirty days, by entry: times shown to agents, and prompts that lacked it (`wanted`)."""

    given: Counter[EntryId]
    wanted: Counter[EntryId]


def lately(reader: Reader, now_ms: int) -> Lately:
    """What the recalls of the last thirty days say, of very many the newest thousand."""
    given, wanted = Counter[EntryId](), Counter[EntryId]()
    for event in reader.events(kind=Kind.RECALLED, newest=MOST_RECALLS):
        if now_ms - event.wall_ms > LATELY_MS:
            continue
        recall = payload_of(Recalled, event)
        if recall.mode == "start":  # which lists whatever there is
            continue
        told = {*recall.shown, *recall.hinted}
        given.update(told)
        if recall.mode == "hook":
            known = told.union(recall.already)
            wanted.update(each.entry for each in recall.found if each.entry not in known)
    return Lately(given, wanted)


class Unproven(Record):
    """A candidate, and the import that it came by; empty for none."""

    entry: Entry
    note: Note
    brought: str


def candidates(outside: Outside, folder: str) -> list[Unproven]:
    """The candidates that a folder's project sees, the oldest first, due for a sweep or not."""
    with checking(outside, folder) as checker:
        seen = filter(checker.sees, _live_candidates(checker.reader))
        return [Unproven(e, checker.note(e), _import_of(checker.reader, e)) for e in seen]


def _live_candidates(reader: Reader) -> Iterator[Entry]:
    entries = all_stored(reader, Entry)
    return (entry for entry in entries if entry.live and entry.stage is Stage.CANDIDATE)


def _import_of(reader: Reader, entry: Entry) -> str:
    if entry.origin is not Origin.MIXED:  # as all that is imported is
        return ""
    said = reader.events(subject=entry_subject(entry.id), kind=Kind.REMEMBERED)
    names = (event.where.session for event in said if event.where.agent == IMPORTER)
    return next(filter(None, names), "")


def alike(outside: Outside, folder: str, entry: Entry) -> Note | None:
    """The fact that seems to say the same as another one, by the words of both; None for none."""
    found = list[tuple[float, EntryId]]()
    with checking(outside, folder) as checker:
        reader = checker.reader
        text = text_or_empty(reader, entry.text)
        for other in neighbours(outside, reader, text, checker.scopes):
            compared = compare(other.text, text, outside.stem)
            same = compared.sort and compared.clash != "number"
            if same and other.fact and other.id not in {entry.id, *entry.disputes}:
                found.append((compared.likeness, other.id))
        likeness, name = max(found, default=(0.0, None))
        best = entry_of(reader, name) if name and likeness >= _ALIKE else None
        return checker.note(best) if best else None


class Joined(Row):
    """An entry that is now part of another one."""

    entry: EntryId
    into: EntryId


class Waiting(Row):
    """A candidate, and what it still needs: names in `admission.NEEDS`."""

    id: EntryId
    needs: tuple[str, ...]


class Swept(Record):
    """What a sweep did, and which candidates still wait."""

    promoted: tuple[EntryId, ...] = ()
    expired: tuple[EntryId, ...] = ()
    merged: tuple[Joined, ...] = ()
    waiting: tuple[Waiting, ...] = ()


def sweep(
    outside: Outside, *, promote: bool = True, expire: bool = True, merge: bool = True
) -> Swept:
    """Validate what is ready, retire what nothing speaks for, join duplicates."""
    # Each in a transaction of its own: what is said of an entry meanwhile counts.
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        duplicates = list(_duplicates(reader)) if merge else []
    merged = [Joined(*pair) for pair in duplicates if _join(outside, *pair)]
    with outside.ledger.reading() as reader:
        verdicts = [(entry.id, judgement(entry, now)) for entry in _live_candidates(reader)]
    ready = [name for name, verdict in verdicts if promote and verdict.stage is Stage.VALIDATED]
    forgotten = [name for name, verdict in verdicts if expire and verdict.stage is Stage.RETIRED]
    return Swept(
        promoted=settle(outside, ready),
        expired=_staged(outside, forgotten, Stage.RETIRED, "expired"),
        merged=tuple(merged),
        waiting=tuple(Waiting(name, v.needs) for name, v in verdicts if v.needs),
    )


def settle(outside: Outside, names: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Validate those of some entries that have proved themselves; which they were."""
    return _staged(outside, dict.fromkeys(names), Stage.VALIDATED, "proved itself")


def _staged(
    outside: Outside, names: Iterable[EntryId], to: Stage, reason: str
) -> tuple[EntryId, ...]:
    now, done = outside.clock.now_ms(), []

    def is_due(reader: Reader, name: EntryId) -> bool:
        entry = entry_of(reader, name)
        if entry is None or not entry.live or entry.stage is not Stage.CANDIDATE:
            return False
        return judgement(entry, now).stage is to

    for name in names:
        with outside.ledger.reading() as reader:
            if not is_due(reader, name):
                continue
        with outside.ledger.writing() as writer:
            if is_due(writer, name):
                stage(writer, name, Actor.LEARNT, to, reason)
                done.append(name)
    return tuple(done)


def judgement(entry: Entry, now_ms: int) -> Judgement:
    """What is to become of a candidate today."""
    spoken = entry.origin not in {Origin.USER, Origin.TOOL}
    confirmations = entry.standing.confirmations
    return judge(confirmations, entry.kind, entry.remembered_ms, now_ms, spoken=spoken)


_BY_HAND = {Stage.VALIDATED: "a person vouched for it", Stage.RETIRED: BY_HAND}


def stage_by_hand(outside: Outside, name: EntryId, actor: Actor, to: Stage) -> Entry:
    """A person validates a candidate or retires an entry. Raises Refused, NotFound."""
    if actor is not Actor.HUMAN:
        raise Refused(
            f"Only a person at a terminal decides on {name} alone; `learnt knowledge sweep` goes "
            "by the evidence. Nothing was changed."
        )
    with outside.ledger.writing() as writer:
        entry = live(writer, name)
        if entry.stage is to:
            raise Refused(f"{name} is {to} already. Nothing was changed.")
        stage(writer, name, actor, to, _BY_HAND[to])
        return entry_of(writer, name) or entry


def _duplicates(reader: Reader) -> Iterator[tuple[EntryId, EntryId]]:
    """Pairs of entries with one text and scope; the second one is to be kept."""
    # Two machines or linked projects bring them about. Kept is the validated one, else the older.
    first: dict[tuple[str, str], Entry] = {}
    entries = [entry for entry in all_stored(reader, Entry) if entry.live and entry.fingerprint]
    for entry in sorted(entries, key=lambda entry: entry.stage is not Stage.VALIDATED):
        text = entry.fingerprint, entry.scope or ""
        kept = first.setdefault(text, entry)  # views come in the order of their ids
        if kept is not entry:
            yield entry.id, kept.id


def _join(outside: Outside, duplicate: EntryId, into: EntryId) -> bool:
    """Retire a duplicate; what was said of it counts for the other. False where it is none now."""
    with outside.ledger.writing() as writer:
        entry, kept = entry_of(writer, duplicate), entry_of(writer, into)
        if entry is None or kept is None or not (entry.live and kept.live):
            return False
        worse = entry.stage is Stage.VALIDATED and kept.stage is not Stage.VALIDATED
        if worse or (entry.fingerprint, entry.scope) != (kept.fingerprint, kept.scope):
            return False
        _absorb(writer, entry, kept)
    return True


def join_by_hand(outside: Outside, gone: EntryId, kept: EntryId, decider: Decider) -> None:
    """A person says that two entries are one: `kept` is validated. Raises Refused, Conflict."""
    refuse_others(decider, "learnt review")
    with outside.ledger.writing() as writer:
        entry, into = entry_of(writer, gone), entry_of(writer, kept)
        if entry is None or into is None or not (entry.live and into.live):
            raise Conflict(f"{gone} or {kept} is gone meanwhile. Nothing was changed.")
        _absorb(writer, entry, into, decider.actor)
        if into.stage is Stage.CANDIDATE:
            stage(writer, kept, decider.actor, Stage.VALIDATED, _BY_HAND[Stage.VALIDATED])


def _absorb(writer: Writer, entry: Entry, kept: Entry, by: Actor = Actor.LEARNT) -> None:
    """Retire an entry into another one, for which counts what was said of it."""
    subject = entry_subject(kept.id)
    if weight := entry.standing.beta:
        failure = EntryFeedback(result="failure", weight=weight, source="merge")
        append(writer, subject, Actor.LEARNT, failure)
    cites = joined(kept.cites, entry.cites, firm=False) if entry.cites else ()
    for witness in entry.standing.confirmations:
        confirmed = filled(EntryFeedback, witness, result="confirmed", source="merge", cites=cites)
        append(writer, subject, witness.actor, confirmed)
    stage(writer, entry.id, by, Stage.RETIRED, MERGED, into=kept.id)


_LOOKED_BACK = 10 * LOOKED_AT  # events of all projects, for those of this one


class Fresh(Record, kw_only=True):
    """An entry with its texts and its standing today; nothing is rounded.

    A candidate has a score, which its witnesses add up to, and no confidence; all others have a
    confidence alone. `cites` are its citations as they were found now, `rivals` what it is in
    dispute with. `file` and `line` are there
    for folder mode, which answers in the same shape.
    """

    entry: Annotated[Entry, APART]
    id: EntryId
    stage: Stage
    kind: str
    text: str
    confidence: float | None
    trust: str
    confirmed: date | None = None
    alpha: Annotated[float | None, UNTOLD] = None
    beta: Annotated[float | None, UNTOLD] = None
    c0: Annotated[float | None, UNTOLD] = None
    shock: Annotated[float | None, UNTOLD] = None
    score: float | None
    entities: tuple[str, ...]
    cites: tuple[CheckedCitation, ...] = ()
    rivals: tuple[Rival, ...] = ()
    file: Annotated[None, UNTOLD] = None
    line: Annotated[None, UNTOLD] = None


def freshness(outside: Outside, folder: str) -> list[Fresh]:
    """The validated entries that a folder's project sees, least trusted first."""
    with checking(outside, folder) as checker:
        entries = validated(checker.reader, {None, *checker.scopes})
        standings = [_fresh(checker, entry, outside.clock.now_ms()) for entry in entries]
    levels = list(Trust)  # which drift and disputes lower
    return sorted(
        standings, key=lambda f: (-levels.index(Trust(f.trust)), f.confidence or 0.0, f.id)
    )


def validated(reader: Reader, scopes: Iterable[ProjectId | None]) -> list[Entry]:
    """The validated entries of these scopes, the oldest first."""
    of = frozenset(scopes)
    entries = all_stored(reader, Entry)
    return [e for e in entries if e.stage is Stage.VALIDATED and e.live and e.scope in of]


def standing_of(outside: Outside, entry: Entry, folder: str = "") -> Fresh:
    """One entry with its standing today, its citations looked at from a folder."""
    with checking(outside, folder or None) as checker:
        return _fresh(checker, entry, outside.clock.now_ms())


def _fresh(checker: Checker, entry: Entry, now_ms: int) -> Fresh:
    note, proved = checker.note(entry), entry.stage is Stage.VALIDATED
    return filled(
        Fresh,
        belief(entry.standing, entry.kind, day(now_ms)) if proved else None,
        note,
        entry=entry,
        text=f"{note.problem}\n{note.approach}" if entry.text is None else note.text,
        confidence=note.level,
        score=None if proved else score(entry.standing.confirmations, now_ms),
    )


def record(
    reader: Reader, checker: Checker, seen: Sequence[EntryTotals], now_ms: int
) -> GrowthHistory:
    """What has happened of late to the live entries that a place sees, as they add up."""

    def newest(kind: Kind) -> Iterable[Event]:
        for event in reader.events(kind=kind, newest=_LOOKED_BACK):
            if event.where.project is None or event.where.project in checker.scopes:
                yield event

    verdicts = [payload_of(Gated, event).verdict for event in newest(Kind.GATED)]
    missed = [e for e in newest(Kind.MISSED) if payload_of(Missed, e).mode == "hook"]
    prompts = [(e.wall_ms, False) for e in missed]
    # At a prompt that was missed something may have been found, which was not given.
    of_missed = {(e.where.session, payload_of(Missed, e).prompt) for e in missed}
    recalls = ((e, payload_of(Recalled, e)) for e in newest(Kind.RECALLED))
    prompts += [
        (e.wall_ms, True)
        for e, recall in recalls
        if recall.mode == "hook" and (e.where.session, recall.prompt) not in of_missed
    ]
    added = [verdict == "merge" for verdict in verdicts if verdict != "reject"]
    structure = [e.last_ms for e in seen if e.topic == Layer.STRUCTURE and e.corrected]
    # A cited table that changed is a change of structure, until what is known was corrected.
    citing = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"table"'))
    if any(_cites_a_changed_table(entry, checker) for entry in citing):
        structure.append(now_ms)
    topics: dict[str, int] = {}
    for alike in seen:
        if alike.topic:
            topics[alike.topic] = min(topics.get(alike.topic, now_ms), alike.first_ms)
    return GrowthHistory(
        validated=sum(alike.entries for alike in seen if alike.stage == Stage.VALIDATED),
        decisions=[verdict or "" for verdict in verdicts[:LOOKED_AT]],
        known=[bore for _, bore in sorted(prompts, reverse=True)[:LOOKED_AT]],
        renewals=added[:LOOKED_AT],
        days_since_structure_changed=_days(structure, now_ms),
        days_since_a_new_topic=_days(topics.values(), now_ms),
    )


def _cites_a_changed_table(entry: Entry, checker: Checker) -> bool:
    if entry.stage is not Stage.VALIDATED or not (entry.live and checker.sees(entry)):
        return False
    tables = replace(entry, cites=tuple(cite for cite in entry.cites if cite.table))
    return any(citation.stale for citation in checker.check(tables))


def _days(moments: Iterable[int], now_ms: int) -> int | None:
    latest = max(moments, default=None)
    return None if latest is None else max(0, (day(now_ms) - day(latest)).days)


class Decision(Record):
    """One decision on an entry; `gate` is None for a change of stage, `text` the one of now."""

    wall_ms: int
    entry: EntryId
    verdict: str
    gate: str | None
    said: str
    text: str | None = None


class Log(Record, kw_only=True):
    """The decisions of a span, how many of each kind, and the refusals by gate."""

    decisions: tuple[Decision, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    rejected_by_gate: Mapping[str, int] = field(default_factory=dict)

    @property
    def offered(self) -> int:
        """How many offers there were."""
        return sum(self.counts.get(name, 0) for name in ("admit", "merge", "correct", "reject"))


class Changed(Record):
    """An entry whose text is another at the end of a span; None where it did not live."""

    entry: EntryId
    before: str | None
    after: str | None


def log(outside: Outside, span: range, folder: str | None = None) -> Log:
    """Each decision of the gates and change of stage in a span, of a folder's project or of all."""
    place = None if folder is None else look(outside, folder)
    with outside.ledger.reading() as reader:
        events = _events(outside, reader, (Kind.GATED, Kind.STAGED), span, place)
        by_stamp = sorted(events, key=lambda event: event.stamp)
        decisions = tuple(_decision(reader, event) for event in by_stamp)
    rejecting = Counter(d.gate for d in decisions if d.gate and d.verdict == "reject")
    counts = Counter(decision.verdict for decision in decisions)
    return Log(decisions=decisions, counts=dict(counts), rejected_by_gate=dict(rejecting))


def diff(outside: Outside, span: range, folder: str | None = None) -> list[Changed]:
    """The entries whose text changed in a span, of a folder's project or of all."""
    place = None if folder is None else look(outside, folder)
    with outside.ledger.reading() as reader:
        kinds = (Kind.REMEMBERED, Kind.STAGED, Kind.PURGED)
        touched = [event.subject for event in _events(outside, reader, kinds, span, place)]
        changes = [_changed(reader, subject, span) for subject in dict.fromkeys(touched)]
    return [change for change in changes if change.before != change.after]


def _events(
    outside: Outside, reader: Reader, kinds: Iterable[Kind], span: range, place: Place | None
) -> Iterator[Event]:
    checker = Checker(outside, reader, place) if place else None
    for kind in kinds:
        # No stamp is earlier than what the clock said.
        for event in reader.events(kind=kind, since_ms=span.start):
            if event.wall_ms in span and _concerns(reader, event, checker):
                yield event


def _concerns(reader: Reader, event: Event, checker: Checker | None) -> bool:
    """Whether an event is about an entry that a place sees; a draft was where it was refused."""
    if not event.subject.startswith("entry:"):
        return False
    if checker is None:
        return True
    entry = stored(reader, Entry, event.subject)
    if entry is not None and entry.about is not None:
        return checker.sees(entry)
    return event.where.project is None or event.where.project in checker.scopes


def _decision(reader: Reader, event: Event) -> Decision:
    gated = payload_of(Gated, event) if event.kind is Kind.GATED else None
    verdict = gated.verdict if gated else payload_of(Staged, event).stage
    entry = stored(reader, Entry, event.subject)
    return Decision(
        wall_ms=event.wall_ms,
        entry=EntryId(event.subject.removeprefix(Entry.prefix)),
        verdict=verdict or "",
        gate=(gated.gate or None) if gated else None,
        said=sentence(event),
        text=None if entry is None else _text(reader, entry),
    )


def _changed(reader: Reader, subject: Subject, span: range) -> Changed:
    events = list(reader.events(subject=subject))

    def at(ms: int) -> str | None:
        state = fold(event for event in events if event.wall_ms < ms)
        entry = None if state is None else decode(Entry, state)
        return _text(reader, entry) if entry is not None and entry.live else None

    return Changed(
        entry=EntryId(subject.removeprefix(Entry.prefix)),
        before=at(span.start),
        after=at(span.stop),
    )


def _text(reader: Reader, entry: Entry) -> str | None:
    note = note_of(reader, entry)
    return note.text or (f"{note.problem}: {note.approach}" if note.problem else None)
