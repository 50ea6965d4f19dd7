"""What became of knowledge between two moments: each decision, and what the texts were and are."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from learnt.core.events import Event, Kind
from learnt.core.identifiers import EntryId, ProjectId, Subject, entry_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Gated, Staged
from learnt.core.payloads.typed import AnyPayload, typed
from learnt.core.records import decode
from learnt.core.views import fold
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import stored
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader

_DECISIONS = (Kind.GATED, Kind.STAGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span of wall time in milliseconds: from the first, up to and not with the last."""

    start_ms: int
    end_ms: int

    def __contains__(self, ms: int) -> bool:
        return self.start_ms <= ms < self.end_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision on an entry, in words; `text` is the entry's as it is now, if it has one.

    `gate` is the one that decided, None for a change of stage.
    """

    wall_ms: int
    entry: EntryId
    verdict: str
    gate: str | None
    said: str
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The decisions of a span in their order, and how many of each kind there were.

    `rejected_by_gate` counts the refusals by gate.
    """

    decisions: tuple[Decision, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    rejected_by_gate: Mapping[str, int] = field(default_factory=dict)

    @property
    def offered(self) -> int:
        """How many offers there were."""
        return sum(self.counts.get(name, 0) for name in ("admit", "merge", "correct", "reject"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """An entry whose text is another at the end of a span; None where it did not live."""

    entry: EntryId
    before: str | None
    after: str | None


def log(outside: Outside, span: Span, folder: str | None = None) -> Log:
    """Every decision of the gates and every change of stage in a span.

    With a folder those alone that its project sees.
    """
    with outside.ledger.reading() as reader:
        seen = _seen(outside, reader, folder)
        decided = (event for event in _decided(reader, span) if _of(reader, event, seen))
        events = sorted(decided, key=lambda event: event.stamp)
        found = tuple(_decision(reader, event) for event in events)
    rejected = Counter(one.gate for one in found if one.gate and one.verdict == "reject")
    return Log(
        decisions=found,
        counts=dict(Counter(one.verdict for one in found)),
        rejected_by_gate=dict(rejected),
    )


def diff(outside: Outside, span: Span, folder: str | None = None) -> list[Changed]:
    """The entries that came, went, or say something else at the end of a span than before it.

    With a folder those alone that its project sees.
    """
    with outside.ledger.reading() as reader:
        seen = _seen(outside, reader, folder)
        touched: dict[Subject, None] = {}
        for kind in (Kind.REMEMBERED, Kind.STAGED, Kind.PURGED):
            events = (e for e in reader.events(kind=kind) if e.wall_ms in span)
            touched |= {e.subject: None for e in events if _of(reader, e, seen)}
        found = [_changed(reader, subject, span) for subject in touched]
    return [one for one in found if one is not None and one.before != one.after]


Scopes = frozenset[ProjectId | None] | None


def _seen(outside: Outside, reader: Reader, folder: str | None) -> Scopes:
    if folder is None:
        return None
    located = find(reader, look(outside, folder))
    return frozenset({None, *(located.household if located else ())})


def _of(reader: Reader, event: Event, seen: Scopes) -> bool:
    """Whether an event is about what these projects see; a draft was where it was refused."""
    if seen is None:
        return True
    held = stored(reader, Entry, event.subject)
    refused = held is None or held.about is None
    return (event.where.project if refused or held is None else held.scope) in seen


def _decided(reader: Reader, span: Span) -> Iterator[Event]:
    for kind in _DECISIONS:
        for event in reader.events(kind=kind):
            if event.wall_ms in span and event.subject.startswith("entry:"):
                yield event


def _decision(reader: Reader, event: Event) -> Decision:
    payload = typed(event)
    held = stored(reader, Entry, event.subject)
    return Decision(
        wall_ms=event.wall_ms,
        entry=_name(event.subject),
        verdict=_verdict(payload),
        gate=(payload.gate or None) if isinstance(payload, Gated) else None,
        said=sentence(event),
        text=None if held is None else _text(reader, held),
    )


def _verdict(payload: AnyPayload) -> str:
    match payload:
        case Gated(verdict=verdict):
            return verdict or ""
        case Staged(stage=stage):
            return stage or ""
        case _:
            return ""


def _name(subject: Subject) -> EntryId:
    return EntryId(subject.split(":", 1)[1])


def _changed(reader: Reader, subject: Subject, span: Span) -> Changed | None:
    if not subject.startswith("entry:"):
        return None
    events = list(reader.events(subject=entry_subject(_name(subject))))

    def at(ms: int) -> str | None:
        state = fold(event for event in events if event.wall_ms < ms)
        held = None if state is None else decode(Entry, state)
        return _text(reader, held) if held is not None and held.live else None

    return Changed(entry=_name(subject), before=at(span.start_ms), after=at(span.end_ms))


def _text(reader: Reader, entry: Entry) -> str | None:
    note = note_of(reader, entry)
    return note.text or (f"{note.problem}: {note.approach}" if note.problem else None)
