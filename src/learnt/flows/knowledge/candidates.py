"""What waits for a person to vouch for it: the candidates, most looked for first."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.relations import Relation
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.knowledge.appraising import neighbours
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, text_or_empty
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

LOOKED_AT: Final = 100  # recalls
_ALIKE: Final = 0.5  # likeness
_BY_WORDS: Final = frozenset({"wording", "negation"})  # no number, value or name differs


@dataclass(frozen=True, slots=True, kw_only=True)
class Unproven:
    """A candidate, and how many prompts of late it bore on without being given."""

    entry: Entry
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
        return [Unproven(entry=e, note=checker.note(e), prompts=counts[e.id]) for e in seen]


def is_candidate(outside: Outside, name: EntryId) -> bool:
    """Whether an entry still waits: somebody may have decided on it meanwhile."""
    with outside.ledger.reading() as reader:
        entry = entry_of(reader, name)
    return entry is not None and entry.live and entry.stage is Stage.CANDIDATE


def alike(outside: Outside, folder: str, entry: Entry) -> Note | None:
    """The fact that seems to say the same as another one, by the words of both; None for none."""
    place, found = look(outside, folder), list[tuple[float, EntryId]]()
    with outside.ledger.reading() as reader:
        checker, text = Checker(outside, reader, place), text_or_empty(reader, entry.text)
        for other in neighbours(outside, reader, text, checker.scopes):
            compared = outside.language.compare(other.text, text)
            same = compared.relation is Relation.DUPLICATE or compared.clash in _BY_WORDS
            if same and other.fact and other.id not in {entry.id, *entry.disputes}:
                found.append((compared.likeness, other.id))
        likeness, name = max(found, default=(0.0, None))
        best = entry_of(reader, name) if name and likeness >= _ALIKE else None
        return checker.note(best) if best else None


def looked_for(reader: Reader) -> Counter[EntryId]:
    """How many of the last prompts each entry bore on and was not given to."""
    counts: Counter[EntryId] = Counter()
    for event in reader.events(kind=Kind.RECALLED, newest=LOOKED_AT):
        recall = payload_of(Recalled, event)
        given = {*recall.shown, *recall.hinted, *recall.already}
        if recall.mode == "hook":
            counts.update(each.entry for each in recall.found if each.entry not in given)
    return counts
