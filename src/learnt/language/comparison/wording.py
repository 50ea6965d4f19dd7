"""How far two statements share their very wording: what is kept, replaced and moved."""

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from learnt.core.tokens import UNSPACED

_WORD: Final = re.compile(
    rf"[{UNSPACED}]|\d+(?:[.,]\d+)*|[^\W\d{UNSPACED}](?:[^\W{UNSPACED}]|['-])*"
)
_BLANK: Final = re.compile(r"[\s`]+")
_ALIKE: Final = 0.4  # below this likeness what is replaced tells nothing
_MANY: Final = 5
_MOST_WORDS: Final = 200  # a statement has far fewer; comparing takes their square


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What two texts share, each from 0 to 1.

    `run` is the longest common run of letters, `ratio` the likeness of the words in order, `moved`
    how many more are shared in any order, `bigrams` the likeness of the letters. `replaced` and
    `two_replaced` tell in how many places words are replaced, where most are kept.
    """

    run: float
    ratio: float
    moved: float
    bigrams: float
    replaced: float
    two_replaced: float


def wording(left: str, right: str) -> Wording:
    """What two texts share of their wording.

    >>> shared = wording("sort by price, then by date", "sort by date, then by price")
    >>> round(shared.ratio, 2), round(shared.moved, 2)
    (0.67, 0.33)
    """
    left, right = (text.casefold().replace("`", "") for text in (left, right))
    words, others = (_WORD.findall(text)[:_MOST_WORDS] for text in (left, right))
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    ratio = matcher.ratio()
    alike = max(0.0, (ratio - _ALIKE) / (1 - _ALIKE))
    replaced = sum(change[0] == "replace" for change in matcher.get_opcodes())
    in_any_order = 2 * (Counter(words) & Counter(others)).total()
    return Wording(
        run=_longest_run(left, right) / max(1, min(len(left), len(right))),
        ratio=ratio,
        moved=max(0.0, in_any_order / max(1, len(words) + len(others)) - ratio),
        bigrams=_bigrams(left, right),
        replaced=alike * min(replaced, _MANY) / _MANY,
        two_replaced=alike * (replaced == 2),
    )


def _bigrams(left: str, right: str) -> float:
    pairs, others = (set(pairwise(_BLANK.sub("", text))) for text in (left, right))
    return 2 * len(pairs & others) / max(1, len(pairs) + len(others))


def _longest_run(left: str, right: str) -> int:
    """The length of the longest piece that both contain, by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        length = (low + high + 1) // 2
        pieces = {left[at : at + length] for at in range(len(left) - length + 1)}
        if any(right[at : at + length] in pieces for at in range(len(right) - length + 1)):
            low = length
        else:
            high = length - 1
    return low
