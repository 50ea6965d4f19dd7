"""A word on an entry: the answer of `knowledge confirm`, `feedback`, `reset` and `invalidate`."""

from dataclasses import dataclass

from learnt.core.identifiers import EntryId
from learnt.flows.knowledge import disputes, feedback
from learnt.flows.knowledge.freshness import Fresh, standing_of
from learnt.formats.answers import filled
from learnt.ports import Outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Fresh):
    """An entry as it is now; `recorded` is False where that was said before: it counts once."""

    recorded: bool


def tell(outside: Outside, name: str, word: feedback.Word) -> Recorded:
    """Record a word on an entry; the entry as it is then. Raises what `feedback.tell` does."""
    entry, recorded = feedback.tell(outside, EntryId(name), word)
    return filled(Recorded, standing_of(outside, entry, word.folder), recorded=recorded)


def argue(outside: Outside, name: str, source: str, session: str, folder: str) -> Recorded:
    """Record what is quoted for a side of a dispute. Raises what `disputes.argue` does."""
    entry, recorded = disputes.argue(outside, EntryId(name), source, session)
    return filled(Recorded, standing_of(outside, entry, folder), recorded=recorded)
