"""Single words, and words side by side, by how much oftener junk has them than sound statements.

They catch what no rule foresaw. The table is fitted (`python -m benchmarks.worthless --fit`).
"""

import math
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from learnt.core.knowledge.value_words.telling_table import TABLE

_WORDS: Final = re.compile(r"[a-z']{2,}")
_HANS: Final = re.compile(r"[\u4e00-\u9fff]{2,}")
_FEWEST: Final = 4
_MOST: Final = 2.0
WEIGHED: Final[dict[str, float]] = {
    piece.replace("_", " "): weight for weight, listed in TABLE.items() for piece in listed.split()
}


def pieces(text: str) -> set[str]:
    """The words of a text and those side by side; two characters each where none are parted.

    >>> sorted(pieces("Only here 金额单位"))
    ['here', 'only', 'only here', '单位', '金额', '额单']
    """
    text = text.lower()
    said = _WORDS.findall(text)
    found = {*said, *(f"{one} {other}" for one, other in pairwise(said))}
    for run in _HANS.findall(text):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return found


def told(text: str, weighed: Mapping[str, float] = WEIGHED) -> float:
    """How much a text's words are those of junk, -2 to 2.

    >>> told("a b", {"a b": 4.0}), told("some words", {"some": 1.0, "some words": 1.0})
    (0.0, 1.0)
    """
    found = pieces(text)
    weight = sum(weighed.get(piece, 0.0) for piece in found)
    return max(-_MOST, min(_MOST, weight / math.sqrt(max(_FEWEST, len(found)))))
