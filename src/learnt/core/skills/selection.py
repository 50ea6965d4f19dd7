"""Which skills go into a prompt: by role and relevance, in the room that an agent has for them.

A skill's share (`impacts`) depends on its own text alone, so that an index changes with the files
that change. How rare a word is (`worth`) is asked when it is searched for.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Final, Literal

from learnt.core.recall.closeness import DESCRIPTION, HEADLINE, NAME, TEXT, closeness
from learnt.core.records import Record
from learnt.core.skills.skills import Skill, key_of
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
_LONGEST_WORD: Final = 64
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
            elif 1 < len(part) <= _LONGEST_WORD:
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
    """The same, each once."""
    return set(repeated(text, stem))


def impacts(name: str, description: str, text: str, stem: Stem) -> Mapping[str, int]:
    """What each word of a skill counts for it: 1 to 240."""
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


_DAY_MS: Final = 86_400_000
_DAYS: Final = 60
_SESSIONS: Final = 20


def disused(age_ms: int, sessions: int) -> bool:
    """Whether a skill that was never used has had its chance: so many days and sessions.

    >>> disused(60 * 86_400_000, 20), disused(60 * 86_400_000, 19), disused(1, 400)
    (True, False, False)
    """
    return age_ms >= _DAYS * _DAY_MS and sessions >= _SESSIONS


Strategy = Literal["tag", "semantic", "hybrid"]
WIDER: Final = 3  # hybrid takes so many times more by tags before it looks at the text


class Selection(Record):
    """The chosen skills, best first, and the pinned names that no skill bears."""

    skills: tuple[Skill, ...]
    missing: tuple[str, ...]


Scores = Callable[[Collection[str] | None], Mapping[str, float]]


def select(
    skills: Mapping[str, Skill],
    pinned: Sequence[str],
    fits: tuple[str, str],
    scores: Scores,
    *,
    k: int,
    strategy: Strategy,
) -> Selection:
    """At most `k` skills for a role and a stage (`fits`).

    `scores` gives, by file, how well the text of skills fits the task, of these files or of all;
    more is better. Skills that are withheld or guarded are never chosen. Equal skills follow one
    another by name.
    """
    role, stage = fits
    wanted = {key_of(name): name for name in pinned}
    missing = tuple(name for key, name in wanted.items() if key not in skills)

    semantic = strategy == "semantic"
    fitting = {
        key: skill
        for key, skill in skills.items()
        if (semantic or role in skill.roles or stage in skill.stages)
        and not (skill.withheld or skill.guarded)
    }
    first = [fitting[key] for key in wanted if key in fitting]
    rest = [skill for key, skill in fitting.items() if key not in wanted]
    if semantic:
        found = scores(None)
        rest = _by_text([skill for skill in rest if skill.file in found], found)
    else:
        most = k if strategy == "tag" else WIDER * k
        rest = nsmallest(most, rest, key=lambda skill: (-skill.usage_count, skill.name))
        if strategy == "hybrid" and rest:
            rest = _by_text(rest, scores({skill.file for skill in rest}))
    return Selection((*first, *rest)[:k], missing)


def _by_text(skills: Sequence[Skill], scores: Mapping[str, float]) -> list[Skill]:
    return sorted(skills, key=lambda skill: (-scores.get(skill.file, 0.0), skill.name))
