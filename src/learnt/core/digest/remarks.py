"""What a prompt says for good, and whatever else of it bears on what a session teaches.

The language room reads prompts (`ports.Language.remarks`); these are its answers.
"""

from enum import StrEnum
from typing import Final

from learnt.core.records import Record


class Basis(StrEnum):
    """What a lesson rests on."""

    REMEMBER = "remember"
    QUOTE = "quote"
    FACT = "fact"
    FIX = "fix"
    WORKED = "worked"


class Sentence(Record):
    """A sentence of the prompt's author: whether it tells of a trouble, or asks for a yes."""

    text: str
    trouble: bool = False
    asks_whether: bool = False


class Reading(Record):
    """What a prompt says: its author's own sentences, and those of them that are meant to last.

    `cured` and `thanks`: it begins by saying that something works now, or by thanks; `trouble`: it
    tells of a trouble; `blames`: it finds fault with the work before it.
    """

    sentences: tuple[Sentence, ...] = ()
    remarks: tuple[str, ...] = ()
    cured: bool = False
    thanks: bool = False
    trouble: bool = False
    blames: bool = False


NOTHING_READ: Final = Reading()
