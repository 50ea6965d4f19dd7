"""How far two statements share their very wording: what is kept, replaced and moved."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

_WORD: Final = re.compile(r"[\u4e00-\u9fff]|\d+(?:[.,]\d+)*|[a-z_][\w'-]*", re.IGNORECASE)
_ALIKE: Final = 0.4  # below this likeness what is replaced tells nothing
_EARLY, _LATE = 0.35, 0.65
_MANY: Final = 5
_MOST_WORDS: Final = 200  # a statement has far fewer; comparing takes their square


@dataclass(frozen=True, slots=True)
class Wording:
    """The longest common run of letters, the likeness of the words, and where they differ.

    Where two statements are worded alike, one replacement makes a rival of the other, while two of
    them, one early and one late, mostly tell something else of something else.
    """

    run: float
    ratio: float
    moved: float
    two_replaced: float
    replaced: float
    both_ends: float


def wording(one: str, other: str) -> Wording:
    """What two texts share of their wording.

    >>> found = wording("sort by price, then by date", "sort by date, then by price")
    >>> round(found.ratio, 2), round(found.moved, 2)
    (0.67, 0.33)
    """
    one, other = (text.casefold().replace("`", "") for text in (one, other))
    ours, theirs = (_WORD.findall(text)[:_MOST_WORDS] for text in (one, other))
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    ratio = matcher.ratio()
    alike = max(0.0, (ratio - _ALIKE) / (1 - _ALIKE))
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    replaced = sum(change[0] == "replace" for change in changes)
    places = [(start + end) / 2 / max(1, len(ours)) for _, start, end, _, _ in changes]
    at_both = bool(places) and places[0] < _EARLY and places[-1] > _LATE
    return Wording(
        run=_longest_run(one, other) / max(1, min(len(one), len(other))),
        ratio=ratio,
        moved=max(0.0, _bag(ours, theirs) - ratio),
        two_replaced=alike * (replaced == 2),
        replaced=alike * min(replaced, _MANY) / _MANY,
        both_ends=alike**2 * at_both,
    )


def _bag(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """How many words are shared, whatever their order."""
    both = (Counter(ours) & Counter(theirs)).total()
    return 2 * both / max(1, len(ours) + len(theirs))


def _longest_run(one: str, other: str) -> int:
    """The length of the longest piece that both contain, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        length = (low + high + 1) // 2
        pieces = {one[at : at + length] for at in range(len(one) - length + 1)}
        if any(other[at : at + length] in pieces for at in range(len(other) - length + 1)):
            low = length
        else:
            high = length - 1
    return low
