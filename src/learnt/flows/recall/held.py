"""Which entries are held back from every agent: their texts command whoever reads them."""

from functools import lru_cache
from typing import Final

from learnt.core.address import Commanded, unsafe
from learnt.core.events import Actor, Origin
from learnt.core.knowledge.entries import Entry
from learnt.core.skills.hidden_text import sentences
from learnt.core.tokens import words
from learnt.flows.recall.search import note_of
from learnt.formats.injection import Note
from learnt.language_ports import Language
from learnt.ports import Outside, Reader

FEW: Final = 4  # words of a part that tells nothing


def held_back(outside: Outside, reader: Reader, entry: Entry) -> str:
    """Why no agent may be shown an entry; empty where it may."""
    return held_note(outside, note_of(reader, entry))


def held_note(outside: Outside, note: Note) -> str:
    """Why no agent may be shown a note; empty where it may."""
    texts = (note.text, note.problem, note.approach, *note.cautions, *note.tags)
    by_person = note.actor in {Actor.HUMAN, Actor.AGENT} and not note.picked
    own = by_person and note.origin is Origin.USER
    return _held(outside.language, "\n".join(texts), own)  # type: ignore[arg-type]  # it is itself


@lru_cache(maxsize=10_000)  # what a session's start looks at, the next one does, too
def _held(language: Language, text: str, own: bool) -> str:
    return unsafe(text, commanded(language, text), own=own)


def commanded(language: Language, text: str) -> Commanded:
    """What a text demands, and how likely it misleads: as a whole, or a part of it by itself.

    A few words alone tell nothing.
    """
    parts = [part for _, part in sentences(text) if len(words(part)) > FEW]
    return Commanded(language.commands(text), max(map(language.misleads, [text, *parts])))
