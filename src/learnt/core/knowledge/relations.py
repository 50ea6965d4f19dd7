"""What comparing two statements can give."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How a new statement stands to a known one; the values are what users write."""

    DUPLICATE = "same"
    CONTRADICTION = "contradicts"
    DISTINCT = "apart"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a new statement stands to a known one.

    `reason` says in words what contradicts; `likeness` is from 0 to 1. Where it is not `certain`
    the gates do not act on it. `doubt` is how probable a contradiction is, 0 to 1, and `clash` what
    speaks for one: a number, a value, a name, a negation, or the wording alone.
    """

    relation: Relation
    reason: str = ""
    likeness: float = 0.0
    certain: bool = True
    doubt: float = 0.0
    clash: str = ""
