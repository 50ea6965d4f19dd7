"""Finding the entries that bear on a question: the part that prompts and people's asking share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from learnt.core.identifiers import ContentRef, EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.placement import OWN, Vocabulary
from learnt.core.recall.asking import asked
from learnt.core.recall.likelihood import LIKELY, PASTED, SURE, Share, likelihoods, mass, rarity
from learnt.core.recall.ranking import Match
from learnt.core.recall.routing import leads_to, named_in
from learnt.flows.stored import stored, text_or_empty, texts_behind
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """An entry that shares terms with a question."""

    entry: Entry
    match: Match
    relevance: int  # how likely it bears on the question, in millionths
    sure: bool  # whether that is enough to answer by it
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

    With a floor those alone that are likely to bear on the question, the likeliest first. Facts
    about what it names come first.
    """
    compared = shared(outside, reader, question, scopes, limit)
    likely = likelihoods([share for _, share in compared])
    entries = {match.entry: entry_of(reader, match.entry) for match, _ in compared}
    named = _named(reader, question, entries)
    results = []
    for (match, _), chance in zip(compared, likely, strict=True):
        led = match.entry in named
        entry = entries[match.entry]
        if entry is not None and (led or chance >= LIKELY or not floor):
            millionths, sure = round(1_000_000 * chance), led or chance >= SURE
            results.append(
                Ranked(entry=entry, match=match, relevance=millionths, sure=sure, named=led)
            )
    if floor:
        results.sort(key=lambda ranked: -ranked.relevance)
    return sorted(results, key=lambda ranked: not ranked.named)


def shared(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[tuple[Match, Share]]:
    """The entries that share terms with a question, best first, and what each shares with it."""
    what = asked(question, outside.stem)
    if not what.words:
        return []
    matches = reader.match(what.terms, scopes, limit)
    rarities = {
        term: rarity(count, matches.entries) * (PASTED if term in what.pasted else 1.0)
        for term, count in matches.frequencies.items()
    }
    masses = partial(mass, what.words, rarities=rarities)
    return [
        (match, Share(masses(match.subject), masses(match.body), match.subject))
        for match in matches.best
    ]


def _named(
    reader: Reader, question: str, entries: Mapping[EntryId, Entry | None]
) -> frozenset[EntryId]:
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
