"""Two entries that may not hold together: which they are, and a person says which one does."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import EntryFeedback
from learnt.core.records import decode
from learnt.errors import Conflict, NotFound
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import append
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

SETTLED: Final = "settled in favour of another entry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Two entries that may not hold together, the older one first."""

    older: Note
    newer: Note


def disputes(outside: Outside, folder: str) -> list[Dispute]:
    """The open disputes between entries that a folder's project sees, the oldest first."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        return [
            Dispute(older=checker.note(older), newer=checker.note(newer))
            for older, newer in _open(reader)
            if checker.sees(older) and checker.sees(newer)
        ]


def open_disputes(reader: Reader, checker: Checker) -> int:
    """How many disputes are open between entries that a place sees."""
    return sum(checker.sees(older) and checker.sees(newer) for older, newer in _open(reader))


def _open(reader: Reader) -> Iterator[tuple[Entry, Entry]]:
    disputed = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"disputes"'))
    live = {entry.id: entry for entry in disputed if entry.live}
    for entry in live.values():  # ids begin with the time they were made at
        for name in entry.disputes:
            other = live.get(name)
            if other is not None and entry.id < name and entry.id in other.disputes:
                yield entry, other


def settle(
    outside: Outside, holds: EntryId, other: EntryId, decider: Decider, *, both: bool = False
) -> str:
    """A person says that one entry holds and the `other` does not, or that both do; what was done.

    The one that does not hold is retired; a candidate that holds is validated. Raises Refused for
    anybody but a person, NotFound where the two are in no dispute, Conflict where it was settled
    meanwhile.
    """
    with outside.ledger.reading() as reader:
        if not _stands(reader, holds, other):
            if settled := _settled(reader, holds, other):
                raise Conflict(settled)
            raise NotFound(
                f"{holds} and {other} are in no dispute. `learnt knowledge disputes` lists those "
                "that are open."
            )
    way = "--both" if both else f"--over {other}"
    refuse_others(decider, f"learnt knowledge settle {holds} {way}")
    with outside.ledger.durably_writing() as writer:
        if not _stands(writer, holds, other):
            raise Conflict(_settled(writer, holds, other) or f"{holds} or {other} is gone.")
        close(writer, holds, other, decider.actor, "a person")
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


def _stands(reader: Reader, one: EntryId, other: EntryId) -> bool:
    pair = [entry_of(reader, name) for name in (one, other)]
    first, second = pair
    if first is None or second is None or not (first.live and second.live):
        return False
    return other in first.disputes and one in second.disputes
