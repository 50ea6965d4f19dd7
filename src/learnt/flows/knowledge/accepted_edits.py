"""What a person wrote into a published topic, and accepted, is what its entries say from then."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from learnt.core.events import Actor, Event, Kind, Stamp
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    NaturalKey,
    ProposalId,
    entry_subject,
    proposal_subject,
)
from learnt.core.json_values import text_of
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import REASONS
from learnt.core.natural_keys import natural_key
from learnt.flows.knowledge.capture import put_right
from learnt.flows.knowledge.offers import Offer
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of, note_of
from learnt.formats import topic_md
from learnt.ports import Outside, Reader, Writer

EDITED, DELETED = "edited in its topic", "deleted from its topic"


@dataclass(frozen=True, slots=True)
class _Edit:
    """One accepted edit of a topic: what the file was, and what it is since."""

    topic: ProposalId
    number: int
    stamp: Stamp
    before: str
    after: str


def take_in(
    outside: Outside, writer: Writer, topics: Iterable[Proposal], everywhere: frozenset[EntryId]
) -> tuple[list[EntryId], list[str]]:
    """Put right the entries whose text an accepted edit changed, retire those it deleted.

    Each edit is taken in once, in the order they were accepted; what the ledger learnt of an entry
    after it stands. `everywhere` are the entries that any published file still names. Returns the
    entries that changed, and why others did not.
    """
    changed: list[EntryId] = []
    findings: list[str] = []
    for edit in (edit for topic in topics for edit in _edits(writer, topic)):
        was, now = topic_md.facts_in(edit.before), topic_md.facts_in(edit.after)
        for name, line in was.items():
            entry = entry_of(writer, name)
            if entry is None or not entry.live or _learnt_since(writer, name, edit.stamp):
                continue
            if name not in everywhere:
                stage(writer, name, Actor.HUMAN, Stage.RETIRED, DELETED)
                changed.append(name)
                continue
            text = topic_md.said(now.get(name, line))
            key = _key(outside, name, edit)
            if text in {"", topic_md.said(line)} or writer.keyed(key) is not None:
                continue
            if why := _put_right(outside, writer, entry, text, key):
                findings.append(f"the edit of {name} is not taken in: {REASONS.get(why, why)}")
            else:
                changed.append(name)
    return changed, findings


def _edits(reader: Reader, topic: Proposal) -> Iterator[_Edit]:
    """The edits that were accepted of a topic's file since it was applied."""
    before = _text(reader, topic.agreed)
    applied = reader.events(subject=proposal_subject(topic.id), kind=Kind.APPLIED)
    for number, event in enumerate(applied):
        after = _after(reader, event)
        if after is not None:
            yield _Edit(topic.id, number, event.stamp, before, after)
            before = after


def _after(reader: Reader, event: Event) -> str | None:
    ref = text_of(event.payload.get("after"))
    return reader.text(ContentRef(ref)) if ref else None


def _text(reader: Reader, ref: ContentRef | None) -> str:
    return (reader.text(ref) if ref else None) or ""


def _learnt_since(reader: Reader, name: EntryId, stamp: Stamp) -> bool:
    """Whether the entry came to its text after the edit, but for an edit taken in itself."""
    told = reader.events(subject=entry_subject(name), kind=Kind.REMEMBERED)
    return any(event.stamp > stamp and event.natural_key is None for event in told)


def _key(outside: Outside, name: EntryId, edit: _Edit) -> NaturalKey:
    return natural_key(outside.ledger.key, "edit taken in", name, edit.topic, edit.number)


def _put_right(outside: Outside, writer: Writer, entry: Entry, text: str, key: NaturalKey) -> str:
    note = note_of(writer, entry)
    what = Fact(text=text, kind=entry.kind, entities=note.entities, tags=note.tags)
    return put_right(outside, writer, entry.id, Offer(what=what, actor=Actor.HUMAN), EDITED, key)
