"""Which entries are held back from every agent: their texts command whoever reads them."""

from typing import Final

from learnt.core.address import Commanded, unsafe
from learnt.core.knowledge.entries import Entry
from learnt.core.skills.sentences import sentences
from learnt.core.tokens import words
from learnt.flows.recall.search import note_of
from learnt.ports import Outside, Reader

FEW: Final = 4  # words of a part that tells nothing


def held_back(outside: Outside, reader: Reader, entry: Entry) -> str:
    """Why no agent may be shown an entry; empty where it may."""
    note = note_of(reader, entry)
    text = "\n".join((note.text, note.problem, note.approach, *note.cautions, *note.tags))
    return unsafe(text, commanded(outside, text))


def commanded(outside: Outside, text: str) -> Commanded:
    """How far a text commands its reader; its likeness is that of its most telling sentence.

    A few words alone tell nothing.
    """
    language = outside.language
    parts = [part for _, part in sentences(text) if len(words(part)) > FEW]
    return Commanded(language.commands(text), max(map(language.misleads, [text, *parts])))
