"""Whom a text speaks to, as the language room reads it, and what no agent may be given."""

import html
import re
import unicodedata
from collections.abc import Callable
from enum import StrEnum
from typing import Final, Protocol

from learnt.core.records import Record
from learnt.core.visible_text import hidden
from learnt.core.words import SIGNS


class Address(StrEnum):
    """How far a text speaks to the agent that reads it."""

    NONE = "none"
    READER = "reader"  # addresses whoever reads it, or lays something down
    ORDER = "order"  # commands the agent to set aside its instructions or its user


class Commanded(Record):
    """How far a text commands its reader; `likeness`, that of its sentence most like an attack."""

    address: Address
    likeness: float = float("-inf")

    @property
    def doubted(self) -> bool:
        """Whether it may be a command: a person is asked to read it first."""
        return self.address is not Address.NONE or self.likeness > DOUBTED


Commands = Callable[[str], Address]


class SentenceReader(Protocol):
    """What the language room is asked of a skill's sentences."""

    def commands(self, text: str, /) -> Address:
        """How far it commands its reader."""

    def misleads(self, text: str, /) -> float:
        """How far it is like those that mislead an agent: few honest ones are above 0."""


# What only Learnt writes before a note, and what only a conversation has before its turns.
_TURN: Final = rf"^[\W_]{{0,4}}(?:{SIGNS['turns']})\s*:\s"
_FORGED: Final = re.compile(
    r"(?im)\[[ep]-\w{3,}\]|\b(?:TRUST|VERIFY|REVALIDATE|UNPROVEN)\s+[01]?\.\d|<[\s/]*learnt"
    r"|<[\s/]*system-reminder|<\|\w+\|>|[\"']role[\"']\s*:\s*[\"'](?:user|system|assistant)"
    rf"|{_TURN}.*(?:\n.*){{0,20}}?\n{_TURN}"
)
# What is more like the sentences of attacks commands its reader; of 557 sound notes none is.
MOST_LIKE: Final = 0.0
DOUBTED: Final = -3.0  # of 240 ordinary facts of others, six are above it


def unsafe(text: str, said: Commanded, *, own: bool = False) -> str:
    """Why no agent may be given a text: a name of the reason; empty where it may.

    Of its person's `own` words a command is no reason: they are shown as theirs.

    >>> calm = Commanded(Address.NONE)
    >>> unsafe("Use a lock", calm), unsafe("a\\u200bb", calm)
    ('', 'hidden-text')
    """
    if hidden(text):
        return "hidden-text"
    if said.address is Address.ORDER or said.likeness > MOST_LIKE:
        return "hidden-instruction"
    if _FORGED.search(unicodedata.normalize("NFKC", html.unescape(text))):
        return "forged-frame"
    if own:
        return ""
    from learnt.core.skills.threats import told_to_run  # its patterns take long

    return told_to_run(unicodedata.normalize("NFKC", text))
