"""Finding the entries that bear on a question: the part that prompts and people's asking share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from learnt.core.identifiers import ContentRef, EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.placement import OWN, Vocabulary
from learnt.core.recall import ranking
from learnt.core.recall.ranking import Match
from learnt.core.recall.routing import leads_to, named_in
from learnt.core.tokens import words
from learnt.flows.stored import stored, text_or_empty, texts_behind
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """An entry that shares terms with a question, or none where it is near by meaning alone."""

    entry: Entry
    match: Match
    relevance: int = 0  # in millionths
    bears: bool = False  # whether that is enough
    named: bool = False  # whether the question names what a fact is about


def search(
    outside: Outside,
    reader: Reader,
    question: str,
    scopes: Sequence[ProjectId],
    limit: int,
    *,
    floor: bool,
) -> list[Ranked]:
    """The best entries that these projects see, best first, at most `limit`.

    With a floor those alone that bear on the question. Facts about what it names come first.
    """
    distinct = list(dict.fromkeys(words(question)))[: ranking.MOST_TERMS]
    terms = list(dict.fromkeys(map(outside.stem, distinct)))
    if not terms:
        return []
    matches = reader.match(terms, scopes, limit)
    shared = {match.entry: match.shared & match.subject_terms for match in matches.best}
    entries = {match.entry: entry_of(reader, match.entry) for match in matches.best}
    about_named = named(reader, question, entries)
    kept = [
        match
        for match in matches.best
        if not floor or match.entry in about_named or ranking.promising(match, shared[match.entry])
    ]
    rest = {term for match in kept for term in match.subject_terms} - matches.frequencies.keys()
    counts = {**matches.frequencies, **reader.frequencies(sorted(rest), scopes)}
    weights = {term: ranking.weight(count, matches.entries) for term, count in counts.items()}
    asked = ranking.mass(terms, weights)
    results = []
    for match in kept:
        common, about = shared[match.entry], ranking.mass(match.subject_terms, weights)
        masses = ranking.mass(common, weights), asked, about
        led = match.entry in about_named
        bears = led or (ranking.promising(match, common) and ranking.bears_on(*masses))
        entry = entries[match.entry] if bears or not floor else None
        if entry is not None:
            millionths = round(1_000_000 * ranking.relevance(*masses))
            results.append(
                Ranked(entry=entry, match=match, relevance=millionths, bears=bears, named=led)
            )
    return sorted(results, key=lambda ranked: not ranked.named)


def named(
    reader: Reader, question: str, entries: Mapping[EntryId, Entry | None]
) -> frozenset[EntryId]:
    """Those of the entries that are about something that the question names."""
    mentioned = named_in(question)
    return frozenset(
        entry.id
        for entry in entries.values()
        if entry is not None
        and entry.entities
        and leads_to(question, mentioned, texts_behind(reader, entry.entities))
    )


def entry_of(reader: Reader, entry: EntryId) -> Entry | None:
    """An entry as it is now."""
    return stored(reader, Entry, entry_subject(entry))


def note_of(reader: Reader, entry: Entry, now_ms: int = 0, kinds: Vocabulary = OWN) -> Note:
    """An entry with its texts, and its standing now; a text that was erased reads as empty."""

    def text(ref: ContentRef | None) -> str:
        return text_or_empty(reader, ref)

    return Note(
        id=entry.id,
        stage=entry.stage,
        actor=entry.actor,
        origin=entry.origin,
        kept_ms=entry.remembered_ms,
        kind=entry.kind,
        text=text(entry.text),
        problem=text(entry.problem),
        approach=text(entry.approach),
        cautions=tuple(map(text, entry.cautions)),
        tags=tuple(map(text, entry.tags)),
        entities=tuple(map(text, entry.entities)),
        here=entry.scope is not None,
        level=level(entry, now_ms, kinds.policies),
        confirmed_ms=entry.standing.confirmed_ms,
    )
