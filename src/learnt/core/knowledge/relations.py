"""What comparing two statements can give. How it is done loads much, this nothing."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How a new statement stands to a known one."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing gave: why, how alike (0 to 1), and whether rules alone are to decide."""

    relation: Relation
    reason: str = ""
    likeness: float = 0.0
    certain: bool = True
