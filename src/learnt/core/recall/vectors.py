"""Texts as vectors: what is sent to an embedder, what must come back, and where each belongs."""

import math
from collections.abc import Sequence
from typing import Final

from learnt.core.records import Row

Vector = Sequence[float]
SPREAD: Final = 0.1  # of the cosines of most models, where none was measured
LONGEST: Final = 2_000  # characters of a text that are embedded; models cut at about 512 tokens


class VectorPlace(Row):
    """What a vector is of, the keyed hash of its text, and where it is looked for.

    `scope` is a project's id, empty for everywhere; `stage` that of an entry.
    """

    item: str
    digest: str
    scope: str
    stage: str


def embeddable(text: str) -> str:
    """A text as an embedder takes it: no NUL, no half of a character, not too long."""
    return text[:LONGEST].replace("\x00", " ").encode("utf-8", "replace").decode()


def unit(vector: Vector, dimensions: int) -> list[float]:
    """A vector at length 1. Raises ValueError where it is none of so many dimensions.

    >>> unit([3.0, 4.0], 2)
    [0.6, 0.8]
    """
    if len(vector) != dimensions:
        raise ValueError(f"a vector of {len(vector)} dimensions, not {dimensions}")
    length = math.hypot(*vector)
    if not (math.isfinite(length) and length):
        raise ValueError("a vector without a length")
    return [value / length for value in vector]
