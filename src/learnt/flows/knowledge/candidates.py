"""What waits for a person to vouch for it: the candidates, most looked for first."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Neighbour, both_halves
from learnt.core.knowledge.relations import Relation
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.knowledge.appraising import neighbours
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

LOOKED_AT: Final = 100  # recalls
_ALIKE: Final = 0.5  # likeness


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


def alike(outside: Outside, folder: str, name: EntryId) -> Note | None:
    """The entry that seems to say the same as another one, by the words of both; None for none."""
    place, best, most = look(outside, folder), None, _ALIKE
    with outside.ledger.reading() as reader:
        checker, entry = Checker(outside, reader, place), entry_of(reader, name)
        if entry is None:
            return None
        note = checker.note(entry)
        near = neighbours(outside, reader, note.text or note.problem, checker.scopes)
        for other in near:
            if (
                other.id != name
                and other.fact is bool(note.text)
                and other.id not in entry.disputes
            ):
                likeness = _likeness(outside, note, other)
                best, most = (other.id, likeness) if likeness >= most else (best, most)
        found = None if best is None else entry_of(reader, best)
        return None if found is None else checker.note(found)


def _likeness(outside: Outside, note: Note, other: Neighbour) -> float:
    """How alike they are, 0 to 1; nothing where a number, a value or a name differs."""
    compared = outside.language.compare(other.text, note.text or note.problem)
    if not note.text:
        compared = both_halves(compared, outside.language.compare(other.approach, note.approach))
    same = compared.relation is Relation.DUPLICATE
    return 1.0 if same else compared.likeness * (compared.clash in {"", "wording", "negation"})


def looked_for(reader: Reader) -> Counter[EntryId]:
    """How many of the last prompts each entry bore on and was not given to."""
    counts: Counter[EntryId] = Counter()
    for event in reader.events(kind=Kind.RECALLED, newest=LOOKED_AT):
        recall = payload_of(Recalled, event)
        given = {*recall.shown, *recall.hinted, *recall.already}
        if recall.mode == "hook":
            counts.update(each.entry for each in recall.found if each.entry not in given)
    return counts
