"""Whom a text speaks to, as the language room reads it, and what no agent may be given."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from learnt.core import safety
from learnt.core.visible_text import visible


class Address(StrEnum):
    """How far a text speaks to the agent that reads it."""

    NONE = "none"
    READER = "reader"  # addresses whoever reads it, or lays something down
    ORDER = "order"  # commands the agent to set aside its instructions or its user


class Commanded(NamedTuple):
    """How far a text commands its reader; `likeness` where it was weighed.

    That is how far it is like the sentences of attacks: few honest ones are above 0.
    """

    address: Address
    likeness: float = float("-inf")


Commands = Callable[[str], Address]


def unsafe(text: str, address: Address) -> str:
    """Why no agent may be given a text: a name of the reason; empty where it may.

    >>> unsafe("Use a lock", Address.READER), unsafe("a\\u200bb", Address.NONE)
    ('', 'hidden-text')
    """
    if visible(text) != text:
        return "hidden-text"
    if address is Address.ORDER:
        return "hidden-instruction"
    return "pipe-to-shell" if safety.pipes_to_shell(text) else ""
