"""Finding the entries that bear on a question: the part that prompts and people's asking share."""

from collections.abc import Sequence
from dataclasses import dataclass

from learnt.core.identifiers import ContentRef, EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry, from_state
from learnt.core.recall.ranking import (
    MOST_TERMS,
    Match,
    bears_on,
    relevance,
    weight,
)
from learnt.core.tokens import words
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry that shares terms with a question; `relevance` in millionths, `bears` if enough."""

    entry: Entry
    match: Match
    relevance: int
    bears: bool


def search(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[Found]:
    """The best entries that these projects see, best first; at most `limit`."""
    distinct = list(dict.fromkeys(words(question)))[:MOST_TERMS]
    terms = list(dict.fromkeys(map(outside.stem, distinct)))
    total = reader.entries_indexed()
    if not terms or total == 0:
        return []
    matches = reader.match(terms, scopes, limit)
    about = dict.fromkeys(term for match in matches for term in match.subject_terms)
    frequencies = reader.frequencies([*terms, *about])
    weights = {term: weight(count, total) for term, count in frequencies.items()}
    found = []
    for match in matches:
        entry = entry_of(reader, match.entry)
        if entry is not None:
            found.append(
                Found(
                    entry=entry,
                    match=match,
                    relevance=round(1_000_000 * relevance(terms, match, weights)),
                    bears=bears_on(terms, match, weights),
                )
            )
    return found


def entry_of(reader: Reader, entry: EntryId) -> Entry | None:
    """An entry as it is now."""
    state = reader.view(entry_subject(entry))
    return None if state is None else from_state(state)


def note_of(reader: Reader, entry: Entry) -> Note:
    """An entry with its texts; one that was erased reads as empty."""

    def text(ref: ContentRef | None) -> str:
        return (reader.text(ref) or "") if ref is not None else ""

    return Note(
        id=entry.id,
        stage=entry.stage,
        actor=entry.actor,
        kept_ms=entry.remembered_ms,
        problem=text(entry.problem),
        approach=text(entry.approach),
        cautions=tuple(map(text, entry.cautions)),
        tags=tuple(map(text, entry.tags)),
        here=entry.scope is not None,
    )
