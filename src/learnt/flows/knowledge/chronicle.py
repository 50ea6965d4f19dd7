"""What became of knowledge between two moments: each decision, and what the texts were and are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import field

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import EntryId, Subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Gated, Staged
from learnt.core.records import Record, decode
from learnt.core.views import fold
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import Place, look
from learnt.flows.stored import stored
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader


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
        entry=_name(event.subject),
        verdict=verdict or "",
        gate=(gated.gate or None) if gated else None,
        said=sentence(event),
        text=None if entry is None else _text(reader, entry),
    )


def _name(subject: Subject) -> EntryId:
    return EntryId(subject.split(":", 1)[1])


def _changed(reader: Reader, subject: Subject, span: range) -> Changed:
    events = list(reader.events(subject=subject))

    def at(ms: int) -> str | None:
        state = fold(event for event in events if event.wall_ms < ms)
        entry = None if state is None else decode(Entry, state)
        return _text(reader, entry) if entry is not None and entry.live else None

    return Changed(entry=_name(subject), before=at(span.start), after=at(span.stop))


def _text(reader: Reader, entry: Entry) -> str | None:
    note = note_of(reader, entry)
    return note.text or (f"{note.problem}: {note.approach}" if note.problem else None)
