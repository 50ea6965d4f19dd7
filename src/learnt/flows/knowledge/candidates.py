"""What waits for a person to vouch for it: the candidates, most looked for first."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.knowledge.checking import Checker
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

LOOKED_AT: Final = 100  # recalls


@dataclass(frozen=True, slots=True, kw_only=True)
class Unproven:
    """A candidate, and how many prompts of late it bore on without being given."""

    note: Note
    prompts: int


def candidates(outside: Outside, folder: str) -> list[Unproven]:
    """The candidates that a folder's project sees: by the prompts that looked for them, the newest.

    What a sweep would validate or retire by itself is among them.
    """
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker, counts = Checker(outside, reader, place), looked_for(reader)
        live = (e for e in all_stored(reader, Entry) if e.live and e.stage is Stage.CANDIDATE)
        # Ids begin with the time they were made at.
        seen = sorted(filter(checker.sees, live), key=lambda entry: entry.id, reverse=True)
        seen.sort(key=lambda entry: -counts[entry.id])
        return [Unproven(note=checker.note(entry), prompts=counts[entry.id]) for entry in seen]


def looked_for(reader: Reader) -> Counter[EntryId]:
    """How many of the last prompts each entry bore on and was not given to."""
    counts: Counter[EntryId] = Counter()
    for event in reader.events(kind=Kind.RECALLED, newest=LOOKED_AT):
        recall = payload_of(Recalled, event)
        given = {*recall.shown, *recall.hinted, *recall.already}
        if recall.mode == "hook":
            counts.update(each.entry for each in recall.found if each.entry not in given)
    return counts
