"""Pairs of notes to be related, by the batch: what rules suspect, and then what is near."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from learnt.core.events import Actor, Where
from learnt.core.identifiers import EntryId, Subject
from learnt.core.knowledge.comparing import compare
from learnt.core.knowledge.entries import Entry, Suspected
from learnt.core.knowledge.gates import LEAST_LIKE
from learnt.core.payloads.entry_events import Tidied
from learnt.core.records import decode
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.offers import neighbours
from learnt.flows.recall.search import entry_of, held_back
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, append, named, text_or_empty
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

BATCH: Final = 20  # pairs
LOOKED_AT: Final = 2_000  # entries whose neighbours are looked for, the oldest


class TidyPair(NamedTuple):
    """Two notes to be related, and what rules suspect of them, if anything."""

    newer: Note
    older: Note
    suspected: Suspected | None = None


def batch(
    outside: Outside, folder: str, session: str, actor: Actor, *, most: int = BATCH
) -> list[TidyPair]:
    """The next pairs that nobody has related: suspicions first, the oldest first.

    What a batch shows to a session is recorded: answers on it do not count among the session's few.
    """
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, look(outside, folder))
        seen = set[frozenset[EntryId]]()
        pairs = []
        for newer, older, sort in chain(suspicions(reader, checker), _near(outside, checker)):
            pair = frozenset({newer.id, older.id})
            hidden = actor is not Actor.HUMAN and any(
                held_back(outside, reader, entry) for entry in (newer, older)
            )
            if pair not in seen and not hidden:
                pairs.append(TidyPair(checker.note(newer), checker.note(older), sort))
            seen.add(pair)
            if len(pairs) == most:
                break
    session_name = named(outside.ledger.key, session)
    if pairs and session_name:
        shown = Tidied(pairs=tuple((pair.newer.id, pair.older.id) for pair in pairs))
        with outside.ledger.writing() as writer:
            append(writer, Subject("tidied"), actor, shown, where=Where(session=session_name))
    return pairs


def suspicions(reader: Reader, checker: Checker) -> Iterator[tuple[Entry, Entry, Suspected]]:
    """The suspicions that nobody has answered between entries that a place sees, oldest first."""
    views = reader.views(Entry.prefix, '"suspects"')
    there = {entry.id: entry for view in views if (entry := decode(Entry, view.state)).live}
    found = [
        (entry, other, suspicion.sort)
        for entry in there.values()
        for suspicion in entry.suspected
        if (other := there.get(suspicion.other)) is not None
        and (other.remembered_ms, other.id) < (entry.remembered_ms, entry.id)
        and entry.id in {each.other for each in other.suspected}
        and checker.sees(entry)
        and checker.sees(other)
    ]
    yield from sorted(found, key=lambda pair: (pair[1].remembered_ms, pair[1].id))


def _near(outside: Outside, checker: Checker) -> Iterator[tuple[Entry, Entry, None]]:
    """Each entry with the one before it that is nearest to it, where nobody related the two."""
    reader = checker.reader
    live = (entry for entry in all_stored(reader, Entry) if entry.live and checker.sees(entry))
    for entry in islice(live, LOOKED_AT):
        text = text_or_empty(reader, entry.about)
        for near in neighbours(outside, reader, text, checker.scopes):
            other = entry_of(reader, near.id)
            if (
                other is not None
                and other.id < entry.id
                and (other.text is None) is (entry.text is None)
                and other.id not in entry.disputes
                and not entry.answer_on(other.id)
                and compare(near.text, text, outside.stem).likeness >= LEAST_LIKE
            ):
                yield entry, other, None
                break
