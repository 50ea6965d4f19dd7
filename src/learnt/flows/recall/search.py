"""Finding the entries that bear on a question: the part that prompts and people's asking share."""

from collections.abc import Sequence
from dataclasses import dataclass

from learnt.core.identifiers import ContentRef, EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry, from_state
from learnt.core.recall.ranking import (
    MOST_TERMS,
    Match,
    bears_on,
    mass,
    promising,
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
    outside: Outside,
    reader: Reader,
    question: str,
    scopes: Sequence[ProjectId],
    limit: int,
    *,
    floor: bool,
) -> list[Found]:
    """The best entries that these projects see, best first, at most `limit`.

    With a floor those alone that bear on the question.
    """
    distinct = list(dict.fromkeys(words(question)))[:MOST_TERMS]
    terms = list(dict.fromkeys(map(outside.stem, distinct)))
    if not terms:
        return []
    matches = reader.match(terms, scopes, limit)
    shared = {match.entry: match.shared & match.subject_terms for match in matches.best}
    kept = [m for m in matches.best if not floor or promising(m, shared[m.entry])]
    about = {term for match in kept for term in match.subject_terms} - matches.frequencies.keys()
    counts = {**matches.frequencies, **reader.frequencies(sorted(about), scopes)}
    weights = {term: weight(count, matches.entries) for term, count in counts.items()}
    asked = mass(terms, weights)
    found = []
    for match in kept:
        masses = mass(shared[match.entry], weights), asked, mass(match.subject_terms, weights)
        bears = promising(match, shared[match.entry]) and bears_on(*masses)
        entry = entry_of(reader, match.entry) if bears or not floor else None
        if entry is not None:
            millionths = round(1_000_000 * relevance(*masses))
            found.append(Found(entry=entry, match=match, relevance=millionths, bears=bears))
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
