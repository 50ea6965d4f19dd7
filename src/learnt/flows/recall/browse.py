"""What is remembered, the newest first: for people who look around. Nothing is recorded."""

from dataclasses import dataclass

from learnt.core.knowledge.entries import Entry
from learnt.flows.knowledge.citing import checker_at, looked_at
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored
from learnt.formats.injection import Note
from learnt.ports import Outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry and its texts."""

    entry: Entry
    note: Note


def newest(outside: Outside, folder: str, most: int) -> list[Listed]:
    """The newest live entries that a folder's project sees, at most so many."""
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        place = look(outside, folder)
        located = find(reader, place)
        seen = {None, *(located.household if located else ())}
        live = [e for e in all_stored(reader, Entry) if e.scope in seen and e.live]
        # Ids begin with the time they were made at.
        last = sorted(live, key=lambda entry: entry.id, reverse=True)[:most]
        checker = checker_at(outside, reader, place, located.household if located else ())
        return [
            Listed(
                entry=entry,
                note=looked_at(checker, entry, note_of(reader, entry, now, outside.kinds)),
            )
            for entry in last
        ]
