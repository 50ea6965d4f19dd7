"""What a person wrote into a published topic, and accepted, is what its entries say from then."""

from collections.abc import Iterable

from learnt.core.events import Actor, Kind
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import ContentRef, EntryId, entry_subject
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Entry, Stage
from learnt.flows.knowledge.capture import Offer, put_right
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of, note_of
from learnt.formats import topic_md
from learnt.ports import Outside, Reader, Writer

EDITED, DELETED = "edited in its topic", "deleted from its topic"


def take_in(outside: Outside, writer: Writer, topics: Iterable[Proposal]) -> list[EntryId]:
    """Put right the entries whose text an accepted edit changed, retire those it deleted.

    Each edit is taken in once: what the ledger learnt since is not put back.
    """
    held = list(topics)
    everywhere = {name for one in held for name in topic_md.facts_in(_text(writer, one.after))}
    changed = []
    for topic in held:
        if not topic.adopted:
            continue
        agreed = topic_md.facts_in(_text(writer, topic.agreed))
        now = topic_md.facts_in(_text(writer, topic.after))
        for name, line in agreed.items():
            entry = entry_of(writer, name)
            if entry is None or not entry.live or _newer(writer, entry, topic):
                continue
            if name not in everywhere:
                stage(writer, name, Actor.HUMAN, Stage.RETIRED, DELETED)
            elif (said := now.get(name, line)) == line or not said:
                continue  # it says what was drawn up, whatever the ledger says by now
            else:
                _put_right(outside, writer, entry, said)
            changed.append(name)
    return changed


def _text(reader: Reader, ref: ContentRef | None) -> str:
    return (reader.text(ref) if ref else None) or ""


def _newer(reader: Reader, entry: Entry, topic: Proposal) -> bool:
    """Whether the entry came to its text after the topic was drawn up: the edit is of another."""
    drawn_up = topic.proposed_ms
    told = reader.events(subject=entry_subject(entry.id), kind=Kind.REMEMBERED)
    return any(event.wall_ms > drawn_up for event in told)


def _put_right(outside: Outside, writer: Writer, entry: Entry, line: str) -> None:
    note = note_of(writer, entry)
    text = line.removeprefix("- ").strip()
    what = Fact(text=text, kind=entry.kind, entities=note.entities, tags=note.tags)
    put_right(outside, writer, entry.id, Offer(what=what, actor=Actor.HUMAN), EDITED)
