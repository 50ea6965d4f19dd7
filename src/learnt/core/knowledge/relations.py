"""How two notes stand to each other: what rules suspect of them, and what an agent answers."""

from enum import StrEnum
from typing import Literal, NamedTuple

from learnt.core.identifiers import EntryId

Suspected = Literal["same", "contradicts"]
# What speaks for it: other numbers, a negation on one side, another order, or other words.
Clash = Literal["", "number", "negation", "order", "words"]


class Relation(StrEnum):
    """How a newer note stands to an older one; the values are what agents and people write."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    NARROWS = "narrows"
    DIFFERENT = "different"


class Suspicion(NamedTuple):
    """What rules alone suspect of an entry and an `other` one; it lowers nothing."""

    other: EntryId
    sort: Suspected
    clash: Clash = ""


class Answered(NamedTuple):
    """How an agent said that an entry stands to an `other` one.

    `wider`: the other one narrows it. `disputed`: the answer, or a later one that says otherwise,
    put the two in dispute.
    """

    other: EntryId
    relation: Relation
    wider: bool = False
    disputed: bool = False

    @property
    def narrows(self) -> bool:
        """Whether the entry says of a part what the other one says of the whole."""
        return self.relation is Relation.NARROWS and not self.wider
