"""How much a word of a task says for a skill, in whole numbers, an impact of one byte each.

A skill's share (`impacts`) depends on its own text alone, so that an index changes with the files
that change. How rare a word is (`worth`) is asked when it is searched for.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from learnt.core.recall.closeness import DESCRIPTION, HEADLINE, NAME, TEXT, closeness
from learnt.core.tokens import Stem, words

MOST_TERMS: Final = 64  # of a query, the rarest: more cost time and say little
SEARCHED: Final = 5_000  # characters of a file; what a skill is for stands at its beginning
_AGAIN: Final = 0.2  # what the headline counts beside all fields
_IMPACTS: Final = 40  # steps of an impact: six times as many at most
_RARITIES: Final = 16
_STOP: Final = 0.5  # what a stop word weighs
# A skill fits by the telling words of its headline that are asked for; fitted to authors' own
# prompts for and against their skills (`benchmarks.triggers`).
_NONE: Final = -1.0
_EACH: Final = 1.5
_LONGEST: Final = 64
_KEPT: Final = 131_072  # runs whose terms are remembered, up to so many bytes:
_OFTEN: Final = 24
# All that parts words in ASCII, made into spaces: ten times as quick as a pattern.
_SPACED: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256)
)
# Runs that may hold words.
_RUN: Final = re.compile("[A-Za-z0-9_\u00aa-\u1fff\u2070-\u218f\u2c00-\u2fff\u3031-\U0010ffff]+")
_JOINT: Final = re.compile("_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


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
                pieces = [] if part.islower() and "_" not in part else _JOINT.split(part)
                whole = [part] if len(pieces) < 2 else [part, *pieces]
                every += [self._stem(piece.lower()) for piece in whole if len(piece) > 1]
        if len(self) >= _KEPT:
            self.clear()
        if len(run) <= _OFTEN:  # a whole sentence of an unspaced script hardly comes again
            self[run] = tuple(every)
        return every


_terms = lru_cache(maxsize=8)(_Terms)


def repeated(text: str, stem: Stem) -> Iterator[str]:
    """The stems of a text's words as they repeat, of identifiers their parts as well.

    Of unspaced scripts pairs of characters. Stop words too: who is spoken to, and how, is telling.

    >>> list(repeated("Locks: createUser, 死锁了", str))
    ['locks', 'createuser', 'create', 'user', '死锁', '锁了']
    """
    known = _terms(stem)
    for run in text.encode("utf-8", "replace").translate(_SPACED).split():
        yield from known[run]


def terms(text: str, stem: Stem) -> set[str]:
    """The same, each once.

    >>> sorted(terms("Locks, locks", lambda word: word.removesuffix("s")))
    ['lock']
    """
    return set(repeated(text, stem))


def spelt(text: str, stem: Stem) -> dict[str, str]:
    """The same, each with the word that stands there; of unspaced scripts the pair itself.

    >>> spelt("Dead locks", lambda word: word.removesuffix("s"))
    {'dead': 'dead', 'lock': 'locks'}
    """
    runs = _RUN.findall(text.lower().replace("_", " "))
    return {term: run if run.isascii() else term for run in runs for term in terms(run, stem)}


def impacts(name: str, description: str, text: str, stem: Stem) -> Mapping[str, int]:
    """What each word of a skill counts for it: 1 to 240.

    >>> shares = impacts("locks", "Frees dead locks", "", str)
    >>> shares["locks"] > shares["dead"]
    True
    """
    parts = (name.replace("-", " ").replace("_", " "), description, text[:SEARCHED])
    named, about, said = (Counter(repeated(part, stem)) for part in parts)
    lengths = named.total(), about.total(), said.total()
    known: dict[tuple[int, int, int], int] = {}
    shares = {}
    for term in {**named, **about, **said}:
        counts = named[term], about[term], said[term]
        if counts not in known:
            fields = zip((NAME, DESCRIPTION, TEXT), counts, lengths, strict=True)
            headline = (HEADLINE, sum(counts[:2]), sum(lengths[:2]))
            share = closeness(fields) + _AGAIN * closeness([headline])
            known[counts] = max(1, int(_IMPACTS * share))
        shares[term] = known[counts]
    return shares


def worth(having: int, count: int, weight: float = 1.0, *, stop_word: bool = False) -> int:
    """What a word is worth that stands in so many of `count` skills.

    Among few skills a stop word may be rare: such words are worth half.

    >>> worth(1, 10_000), worth(3_000, 10_000), worth(1, 10_000, stop_word=True)
    (141, 19, 70)
    """
    rarity = math.log1p((max(count, having) - having + 0.5) / (having + 0.5))
    return max(1, round(_RARITIES * rarity * weight * (_STOP if stop_word else 1)))


def score(total: int) -> float:
    """A sum of impacts times rarities, as BM25 would have it."""
    return total / (_IMPACTS * _RARITIES)


def fit(weights: Iterable[float]) -> float:
    """How likely a skill is what is wanted, by the weights of the words that its headline has.

    >>> [round(fit([1.0] * count), 2) for count in (0, 1, 3)]
    [0.27, 0.62, 0.97]
    """
    return 1 / (1 + math.exp(-_NONE - _EACH * math.fsum(weights)))
