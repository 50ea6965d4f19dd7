"""What a prompt says for good: remarks, and whatever else of it bears on what a session teaches.

The language room reads prompts (`ports.Language.remarks`); these are its answers.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LONGEST: Final = 420  # characters of a remark


class Basis(StrEnum):
    """What a lesson rests on."""

    REMEMBER = "remember"
    CORRECTION = "correction"
    DECISION = "decision"
    FACT = "fact"
    FIX = "fix"
    WORKED = "worked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A statement that is to outlast its session.

    `asked`: its author asked for it to be kept, or laid it down; `first`: and the prompt begins
    with that. `agreed`: the agent had stated it, and the person only agreed.
    """

    source: Basis
    text: str
    asked: bool = False
    first: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the agent `said` and `did` (a file or a command) before a prompt; `anew`: and after."""

    said: str = ""
    did: str = ""
    anew: bool = False


ALONE: Final = Around()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of the prompt's author: whether it tells of a trouble, asks, or asks for a yes."""

    text: str
    trouble: bool = False
    asks: bool = False
    asks_whether: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a prompt says: its author's own sentences, and what is to be kept of them.

    `cured` and `thanks`: it begins by saying that something works now, or by thanks; `trouble`: it
    tells of a trouble; `blames`: it finds fault with the work before it. `withheld`: why nothing is
    kept at once though it begins by asking for it.
    """

    sentences: tuple[Sentence, ...] = ()
    remarks: tuple[Remark, ...] = ()
    cured: bool = False
    thanks: bool = False
    trouble: bool = False
    blames: bool = False
    withheld: str = ""


NOTHING_READ: Final = Reading()
