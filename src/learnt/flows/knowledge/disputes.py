"""Two entries that may not hold together: which they are, what speaks for each, and which holds.

A person says which. An agent may argue, which puts a dispute before others and settles nothing.
Evidence for one side settles it, but not against what a person said.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from learnt.core.events import Actor, Kind, Origin, Where, payload_of
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.citations import CitationState, worst
from learnt.core.knowledge.entries import SETTLED, Entry, Relation, Stage
from learnt.core.payloads.entry_events import EntryFeedback
from learnt.core.records import Record, decode
from learnt.core.safety import clean, excerpt
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.knowledge.feedback import HARD, judged, live
from learnt.flows.knowledge.sweep import bring_back, stage
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import append, named, text_or_empty
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

LONGEST_ARGUMENT: Final = 300
_PERSON: Final = "a person"


class Dispute(Record):
    """Two entries in dispute, the older one first; `same`: an agent takes them for one."""

    older: Note
    newer: Note
    for_older: tuple[str, ...] = ()
    for_newer: tuple[str, ...] = ()
    same: bool = False


def disputes(outside: Outside, folder: str) -> list[Dispute]:
    """The open disputes that a folder's project sees: the most argued first, then the oldest."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        found = [
            Dispute(
                older=checker.note(older),
                newer=checker.note(newer),
                for_older=_said_for(reader, older),
                for_newer=_said_for(reader, newer),
                same=(older.id, Relation.SAME) in {each[:2] for each in newer.related},
            )
            for older, newer in _open(reader)
            if checker.sees(older) and checker.sees(newer)
        ]
    return sorted(found, key=lambda each: -len(each.for_older + each.for_newer))


def said_for(outside: Outside, names: Iterable[EntryId]) -> dict[EntryId, tuple[str, ...]]:
    """What was said for each of some entries in their disputes."""
    with outside.ledger.reading() as reader:
        entries = filter(None, (entry_of(reader, name) for name in names))
        return {entry.id: _said_for(reader, entry) for entry in entries}


def _said_for(reader: Reader, entry: Entry) -> tuple[str, ...]:
    return tuple(text_or_empty(reader, said) for said in entry.arguments)


def argue(outside: Outside, name: EntryId, quoted: str, session: str) -> tuple[Entry, bool]:
    """Record the words that an agent quotes for one side of a dispute, once a session.

    Returns the entry and whether the words are new. Raises NotFound; Refused where the entry is in
    no dispute or nothing is quoted.
    """
    argument = excerpt(quoted, LONGEST_ARGUMENT)
    with outside.ledger.writing() as writer:
        entry = live(writer, name)
        if not argument.strip() or not any(stands(writer, name, each) for each in entry.disputes):
            raise Refused(
                f"{name} is in no dispute, or no source is quoted for it. Nothing was recorded."
            )
        where = Where(session=named(outside.ledger.key, session))
        key = judged(outside, name, where.session, "argued", entry.corrected)
        word = EntryFeedback(
            result="argued", source="an agent", argument=writer.keep("argument", argument)
        )
        new = append(writer, entry_subject(name), Actor.AGENT, word, where=where, key=key)
        return live(writer, name), new is not None


def settle_by_evidence(outside: Outside, name: EntryId, evidence: str) -> None:
    """Evidence for an entry settles its disputes, but only argues against what a person said."""
    with outside.ledger.reading() as reader:
        entry = entry_of(reader, name)
    if entry is None or not entry.disputes:
        return
    with outside.ledger.writing() as writer:
        for rival in entry.disputes:
            other = entry_of(writer, rival)
            if other is None or not stands(writer, name, rival):
                continue
            if other.actor is Actor.HUMAN or other.origin is Origin.USER:
                said = writer.keep("argument", clean(f"It is shown by {evidence}."))
                word = EntryFeedback(result="argued", source=evidence, argument=said)
                key = judged(outside, name, evidence, "argued", entry.corrected)
                append(writer, entry_subject(name), Actor.LEARNT, word, key=key)
                continue
            close(writer, name, rival, Actor.LEARNT, evidence)
            if other.stage is Stage.VALIDATED:
                failed = EntryFeedback(result="failure", weight=HARD["failure"], source=evidence)
                append(writer, entry_subject(rival), Actor.LEARNT, failed)


def settle_by_citations(outside: Outside, folder: str) -> None:
    """Where one side's citations hold and the other's say something else now, the first holds."""
    for each in disputes(outside, folder):
        for holds, other in ((each.older, each.newer), (each.newer, each.older)):
            if holds.cites and worst(holds.cites) is CitationState.FRESH and other.stale:
                settle_by_evidence(outside, holds.id, "what it cites")


def open_disputes(reader: Reader, checker: Checker) -> int:
    """How many disputes are open between entries that a place sees."""
    return sum(checker.sees(older) and checker.sees(newer) for older, newer in _open(reader))


def _open(reader: Reader) -> Iterator[tuple[Entry, Entry]]:
    disputed = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"disputes"'))
    there = {entry.id: entry for entry in disputed}
    for entry in there.values():  # ids begin with the time they were made at
        for name in entry.disputes:
            other = there.get(name)
            if other is not None and entry.id < name and _opposed(entry, other):
                yield entry, other


def settle(
    outside: Outside, holds: EntryId, other: EntryId, decider: Decider, *, both: bool = False
) -> str:
    """A person says that one entry holds, or both. Raises Refused, NotFound, Conflict."""
    with outside.ledger.reading() as reader:
        if not stands(reader, holds, other):
            if settled := _settled(reader, holds, other):
                raise Conflict(settled)
            raise NotFound(
                f"{holds} and {other} are in no dispute. `learnt knowledge disputes` lists those "
                "that are open."
            )
    way = "--both" if both else f"--over {other}"
    refuse_others(decider, f"learnt knowledge settle {holds} {way}")
    with outside.ledger.durably_writing() as writer:
        if not stands(writer, holds, other):
            raise Conflict(_settled(writer, holds, other) or f"{holds} or {other} is gone.")
        close(writer, holds, other, decider.actor, _PERSON)
        for name in (holds, other) if both else (holds,):
            _vouched(writer, name, decider.actor)
        if both:
            return f"{holds} and {other} hold, both"
        stage(writer, other, decider.actor, Stage.RETIRED, SETTLED, holds)
    return f"{holds} holds; {other} is retired"


def close(writer: Writer, one: EntryId, other: EntryId, actor: Actor, source: str) -> None:
    """Record on both sides that a dispute is settled."""
    for name, rival in ((one, other), (other, one)):
        word = EntryFeedback(result="settled", source=source, other=rival)
        append(writer, entry_subject(name), actor, word)


def _vouched(writer: Writer, name: EntryId, actor: Actor) -> None:
    entry = entry_of(writer, name)
    if entry is not None and entry.related_away:
        bring_back(writer, entry, actor)
        entry = entry_of(writer, name)
    if entry is not None and entry.stage is Stage.CANDIDATE:
        stage(writer, name, actor, Stage.VALIDATED, "a person vouched for it")


def _settled(reader: Reader, one: EntryId, other: EntryId) -> str:
    """That the dispute of two entries is settled, and how; empty where it never was."""
    words = reader.events(subject=entry_subject(one), kind=Kind.FEEDBACK)
    said = (payload_of(EntryFeedback, event) for event in words)
    if not any(word.result == "settled" and word.other == other for word in said):
        return ""
    entries = filter(None, (entry_of(reader, name) for name in (one, other)))
    now = ", ".join(f"{entry.id} is {entry.stage}" for entry in entries)
    return f"The dispute of {one} and {other} was settled meanwhile: {now}. Nothing was changed."


def decided_on(reader: Reader, one: EntryId, other: EntryId) -> bool:
    """Whether a person decided on two entries, and did not take that back."""
    words = reader.events(subject=entry_subject(one), kind=Kind.FEEDBACK)
    said = [word for event in words if (word := payload_of(EntryFeedback, event)).other == other]
    return bool(said) and said[-1].result == "settled" and said[-1].source == _PERSON


def stands(reader: Reader, one: EntryId, other: EntryId) -> bool:
    """Whether two entries are in dispute: each names the other, and both are in use."""
    first, second = (entry_of(reader, name) for name in (one, other))
    return first is not None and second is not None and _opposed(first, second)


def _opposed(one: Entry, other: Entry) -> bool:
    """Whether each names the other, and both are in use or one took the other's place meanwhile.

    The latter comes about where two agents answer differently: the first answer stands until a
    person settles it.
    """
    both = other.id in one.disputes and one.id in other.disputes
    return both and all(
        each.live or (each.related_away and each.into == beside.id)
        for each, beside in ((one, other), (other, one))
    )
