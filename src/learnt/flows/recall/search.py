"""Finding the entries that bear on a question, for prompts and for people; what is held back."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Final

from learnt.core.address import Commanded, unsafe
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, ProjectId, entry_id, entry_subject, handle
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.knowledge.relating import compare
from learnt.core.knowledge.topics import OWN, Vocabulary
from learnt.core.recall.asking import Sought, leads_to, named_in, sought
from learnt.core.recall.closeness import weighed
from learnt.core.recall.eligibility import MILLION, injectable
from learnt.core.recall.ranking import (
    LIKELY,
    PASTED,
    SURE,
    Match,
    Matches,
    Share,
    likelihoods,
    mass,
    rarity,
)
from learnt.core.records import Record
from learnt.core.skills.hidden_text import sentences
from learnt.core.tokens import terms, words
from learnt.flows.stored import stored, text_or_empty, texts_behind
from learnt.formats.injection import Note, Rival
from learnt.ports import Language, Outside, Reader

SHOWN: Final = 0.5  # likeness
FEW: Final = 4  # words of a part that tells nothing


class Ranked(Record):
    """An entry that shares terms with a question, or none where it is near by meaning alone."""

    entry: Entry
    match: Match
    relevance: int = 0  # how likely it bears on the question, in millionths
    sure: bool = False  # whether that is enough to answer by it
    named: bool = False  # whether the question names what a fact is about


def search(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[Ranked]:
    """The likeliest entries that these projects see, and facts about what the question names."""
    what = sought(question, outside.stem)
    if not what.words:
        return []
    ranked = by_likelihood(reader, question, what, reader.match(what.terms, scopes, limit))
    likely = [one for one in ranked if one.named or one.relevance >= LIKELY * MILLION]
    return sorted(likely, key=lambda one: -one.relevance)


def by_likelihood(reader: Reader, question: str, what: Sought, matches: Matches) -> list[Ranked]:
    """What was found for a question, in its order, and how likely each bears on it."""
    entries = {match.entry: entry_of(reader, match.entry) for match in matches.best}
    shares = shared(what, matches, {name: e.beside for name, e in entries.items() if e})
    mentioned = named_in(question)
    return [
        Ranked(
            entry=entry,
            match=match,
            relevance=round(MILLION * chance),
            sure=chance >= SURE,
            named=bool(entry.entities)
            and leads_to(question, mentioned, texts_behind(reader, entry.entities)),
        )
        for match, chance in zip(matches.best, likelihoods(shares), strict=True)
        if (entry := entries[match.entry]) is not None
    ]


def shared(
    what: Sought, matches: Matches, disputes: Mapping[EntryId, tuple[EntryId, ...]]
) -> list[Share]:
    """What each entry that was found shares with what is asked; rivals share a word's rarity."""
    twice = Counter[str]()
    for one, other in combinations(matches.best, 2) if any(disputes.values()) else ():
        if other.entry in disputes.get(one.entry, ()):
            twice.update(one.shared & other.shared)
    rarities = {
        term: rarity(count - twice[term], matches.entries) * (PASTED if term in what.pasted else 1)
        for term, count in matches.frequencies.items()
    }
    masses = partial(mass, what.words, rarities=rarities)
    return [
        Share(
            subject=masses(match.subject),
            body=masses(match.body),
            terms=match.subject,
            own=match.entry,
            beside=disputes.get(match.entry, ()),
        )
        for match in matches.best
    ]


def entry_of(reader: Reader, entry: EntryId) -> Entry | None:
    """An entry as it is now."""
    return stored(reader, Entry, entry_subject(entry))


def entries_called(reader: Reader, name: str) -> list[EntryId]:
    """The entries of an id or a handle, whatever became of them."""
    every = (EntryId(row[0].removeprefix(Entry.prefix)) for row in reader.columns(Entry.prefix))
    return [entry for entry in every if name in (entry, handle(entry))]


def new_entries(outside: Outside, reader: Reader, count: int) -> list[EntryId]:
    """So many ids for new entries, in order: each with a handle that no other entry has."""
    now, names = outside.clock.now_ms(), list[EntryId]()
    taken = {handle(EntryId(subject)) for (subject,) in reader.columns(Entry.prefix)}
    for number in range(count):
        while handle(name := entry_id(now + number, outside.random.bytes(3))) in taken:
            pass
        taken.add(handle(name))
        names.append(name)
    return names


def note_of(reader: Reader, entry: Entry, now_ms: int = 0, kinds: Vocabulary = OWN) -> Note:
    """An entry with its texts, and its standing now; a text that was erased reads as empty."""
    text = partial(text_or_empty, reader)
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
        rivals=tuple(_rivals(reader, entry)),
        picked=entry.picked,
    )


def _rivals(reader: Reader, entry: Entry) -> Iterator[Rival]:
    """The other sides of an entry's disputes, but those that nobody has vouched for."""
    for name in entry.disputes:
        other = entry_of(reader, name)
        if other and other.live and entry.id in other.disputes and said_for_sure(other):
            yield Rival(name, text_or_empty(reader, other.about))


def said_for_sure(entry: Entry) -> bool:
    """Whether it weighs in a dispute: validated, or a person's own words."""
    return entry.stage is Stage.VALIDATED or entry.origin is Origin.USER


def closest(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[Ranked]:
    """The `limit` entries closest to a question, facts about what it names first."""
    weights = weighed(question, lambda text: terms(text, outside.stem))
    matches = reader.closest(weights, scopes, limit)
    ranked = by_likelihood(reader, question, sought(question, outside.stem), matches)
    return sorted(ranked, key=lambda one: not one.named)


def notes_beside(
    outside: Outside, reader: Reader, names: Iterable[EntryId], *, unasked: bool
) -> Iterator[Rival]:
    """Those of some entries that an agent may be shown, by what they say; `unasked`: in a hook."""
    for name in names:
        entry = entry_of(reader, name)
        fit = entry is not None and entry.live and (injectable(entry) or not unasked)
        if entry is not None and fit and not held_back(outside, reader, entry):
            yield Rival(name, text_or_empty(reader, entry.about))


def suspicions_of(outside: Outside, reader: Reader, entry: Entry) -> Iterator[Rival]:
    """What rules suspect an entry to contradict and a hook may show: rather near ones only."""
    names = [suspicion.other for suspicion in entry.suspected if suspicion.sort == "contradicts"]
    about = text_or_empty(reader, entry.about) if names else ""
    for rival in notes_beside(outside, reader, names, unasked=True):
        if compare(about, rival.text, outside.stem).likeness >= SHOWN:
            yield rival


def held_back(outside: Outside, reader: Reader, entry: Entry) -> str:
    """Why no agent may be shown an entry; empty where it may."""
    return held_note(outside, note_of(reader, entry))


def held_note(outside: Outside, note: Note) -> str:
    """Why no agent may be shown a note; empty where it may."""
    texts = (note.text, note.problem, note.approach, *note.cautions, *note.tags)
    by_person = note.actor in {Actor.HUMAN, Actor.AGENT} and not note.picked
    typed = by_person and note.origin is Origin.USER
    return _why_held_back(outside.language, "\n".join(texts), typed)  # type: ignore[arg-type]  # it is itself


@lru_cache(maxsize=10_000)  # what a session's start looks at, the next one does, too
def _why_held_back(language: Language, text: str, typed: bool) -> str:
    return unsafe(text, commanded(language, text), own=typed)


def commanded(language: Language, text: str) -> Commanded:
    """What a text demands, and how likely it, or a part of several words, misleads."""
    parts = [part for _, part in sentences(text) if len(words(part)) > FEW]
    return Commanded(language.commands(text), max(map(language.misleads, [text, *parts])))
