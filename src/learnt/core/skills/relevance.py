"""How much a word of a task says for a skill: BM25 in whole numbers, an impact of one byte each.

A skill's share (`impacts`) depends on its own text alone, so that an index changes with the files
that change. How rare a word is (`worth`) is asked when it is searched for.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from learnt.core.tokens import Stem, words

MOST_TERMS: Final = 32  # of a query, the rarest: more cost time and say little
SEARCHED: Final = 5_000  # characters of a file; what a skill is for stands at its beginning
# Name, description, beginning of the file, which has both once more.
WEIGHTS: Final = (8, 4, 1)
_SATURATION: Final = 1.5  # BM25's k1
_LENGTH: Final = 0.6  # BM25's b
_USUAL_LENGTH: Final = 600  # weighted words; fixed, so that no skill moves others
_IMPACTS: Final = 100  # steps of an impact: 2.5 times as many at most
_RARITIES: Final = 16
_LONGEST: Final = 64
_KEPT: Final = 131_072  # runs whose terms are remembered, up to so many bytes:
_OFTEN: Final = 24
# All that parts words in ASCII, made into spaces: ten times as quick as a pattern.
_SPACED: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256)
)
# Runs that may hold words. ASCII ones are whole as they stand: parts of identifiers mislead here.
_RUN: Final = re.compile("[a-z0-9_\u00aa-\u1fff\u2070-\u218f\u2c00-\u2fff\u3031-\U0010ffff]+")


class _Terms(dict[bytes, Sequence[str]]):
    def __init__(self, stem: Stem) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, run: bytes) -> Sequence[str]:
        text = run.decode()
        parts = [text] if text.isascii() else _RUN.findall(text)
        every: list[str] = []
        for part in parts:
            if not part.isascii():
                every += map(self._stem, words(part))
            elif 1 < len(part) <= _LONGEST:
                every.append(self._stem(part))
        if len(self) >= _KEPT:
            self.clear()
        if len(run) <= _OFTEN:  # a whole sentence of an unspaced script hardly comes again
            self[run] = tuple(every)
        return every


_terms = lru_cache(maxsize=8)(_Terms)


def _runs(text: str) -> list[bytes]:
    return text.lower().encode("utf-8", "replace").translate(_SPACED).split()


def terms(text: str, stem: Stem) -> set[str]:
    """The stems of a text's words; of unspaced scripts, pairs of characters.

    >>> sorted(terms("Locks, locks and 死锁了", lambda word: word.removesuffix("s")))
    ['and', 'lock', '死锁', '锁了']
    """
    known = _terms(stem)
    return {term for run in set(_runs(text)) for term in known[run]}


def spelt(text: str, stem: Stem) -> dict[str, str]:
    """The same, each with the word that stands there; of unspaced scripts the pair itself.

    >>> spelt("Dead locks", lambda word: word.removesuffix("s"))
    {'dead': 'dead', 'lock': 'locks'}
    """
    runs = _RUN.findall(text.lower())
    return {term: run if run.isascii() else term for run in runs for term in terms(run, stem)}


def impacts(name: str, description: str, text: str, stem: Stem) -> Mapping[str, int]:
    """What each word of a skill counts for it: 1 to 250.

    >>> shares = impacts("locks", "Frees dead locks", "", str)
    >>> shares["locks"] > shares["dead"]
    True
    """
    parts = (name.replace("-", " ").replace("_", " "), description, text[:SEARCHED])
    runs: list[bytes] = []
    for weight, part in zip(WEIGHTS, parts, strict=True):
        runs += _runs(part) * weight
    weighted: dict[str, int] = {}
    known = _terms(stem)
    for run, times in Counter(runs).items():
        for term in known[run]:
            weighted[term] = weighted.get(term, 0) + times
    length = sum(weighted.values()) / _USUAL_LENGTH
    most = _IMPACTS * (_SATURATION + 1)
    damp = WEIGHTS[1] * _SATURATION * (1 - _LENGTH + _LENGTH * length)
    return {term: int(most * often / (often + damp)) or 1 for term, often in weighted.items()}


def worth(having: int, count: int, *, stop_word: bool = False) -> int:
    """What a word is worth that stands in so many of `count` skills.

    Among few skills a stop word may be rare: such words are worth a quarter. Left out altogether
    they are missed, since among many skills it is telling who is spoken to, and how.

    >>> worth(1, 10_000), worth(3_000, 10_000), worth(1, 10_000, stop_word=True)
    (141, 19, 35)
    """
    rarity = math.log1p((max(count, having) - having + 0.5) / (having + 0.5))
    return max(1, round(_RARITIES * rarity / (4 if stop_word else 1)))


def score(total: int) -> float:
    """A sum of impacts times rarities, as BM25 would have it."""
    return total / (_IMPACTS * _RARITIES)
