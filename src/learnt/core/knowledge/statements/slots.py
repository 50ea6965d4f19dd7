"""What stands between the parts of two statements that answer to each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from learnt.core.knowledge.statements.matching import Matching
from learnt.core.knowledge.statements.readings import Token

_ANSWERED: Final = 0.5
_SUBJECT: Final = 0.35  # of what is shared stands before this: the subject, mostly
_TELLING: Final = 0.35
_MOST_MATCHED, _MOST_LEFT_LOW, _MOST_LEFT_HIGH = 12.0, 6.0, 10.0
_MOST_REPLACED, _MOST_INSERTED, _MOST_IN_CLAUSE = 3.0, 4.0, 2.0
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Slots:
    """How much is matched and how much is left, by weight, and where it is left on both sides.

    `rest` is what is left on both sides, `rest_words` the same without numbers; `replaced` is what
    both sides have in the same slot after the subject, `inserted` what only one
    of them has; `subject_words` tells whether words are replaced within the subject.
    """

    matched: float
    left_low: float
    left_high: float
    rest: float
    rest_words: float
    replaced: float
    inserted: float
    subject_words: float
    clause_left: float
    names_moved: float


@dataclass(frozen=True, slots=True)
class _Gap:
    """What is left between two matches, and how much of what is shared stands before it."""

    before: float
    ours: list[Token]
    theirs: list[Token]


def slots(matching: Matching) -> Slots:
    """The slots of a matching."""
    left = weight_of(matching.left_one()), weight_of(matching.left_other())
    wordy = _without_numbers(matching.left_one()), _without_numbers(matching.left_other())
    inserted = replaced = 0.0
    subject_words = False
    for gap in _gaps(matching):
        low, high = sorted((weight_of(gap.ours), weight_of(gap.theirs)))
        if low < _TELLING:
            inserted += high
        elif gap.before >= _SUBJECT:
            replaced += low
        else:
            subject_words |= _has_word(gap.ours) and _has_word(gap.theirs)
    matched = sum(pair_weight(matching, pair) for pair in matching.pairs)
    return Slots(
        matched=min(matched, _MOST_MATCHED) / _MOST_MATCHED,
        left_low=min(*left, _MOST_LEFT_LOW) / _MOST_LEFT_LOW,
        left_high=min(max(left), _MOST_LEFT_HIGH) / _MOST_LEFT_HIGH,
        rest=min(*left, _MOST_REPLACED) / _MOST_REPLACED,
        rest_words=min(*wordy, _MOST_REPLACED) / _MOST_REPLACED,
        replaced=min(replaced, _MOST_REPLACED) / _MOST_REPLACED,
        inserted=min(inserted, _MOST_INSERTED) / _MOST_INSERTED,
        subject_words=float(subject_words),
        clause_left=_clause_left(matching),
        names_moved=_names_moved(matching),
    )


def weight_of(tokens: Iterable[Token]) -> float:
    """How much some tokens tell together."""
    return sum(token.weight for token in tokens)


def pair_weight(matching: Matching, pair: Pair) -> float:
    """How much a pair tells: as much as the more telling of the two."""
    return max(matching.one.tokens[pair[0]].weight, matching.other.tokens[pair[1]].weight)


def _without_numbers(tokens: Iterable[Token]) -> float:
    return weight_of(token for token in tokens if token.quantity is None)


def _has_word(tokens: Iterable[Token]) -> bool:
    return any(token.kind == "word" for token in tokens)


def _gaps(matching: Matching) -> list[_Gap]:
    """What is left between the matches that stand in one order on both sides."""
    ours, theirs = matching.one.tokens, matching.other.tokens
    chain = _chain(matching.pairs, lambda pair: pair_weight(matching, pair))
    total = sum(pair_weight(matching, pair) for pair in chain) or 1.0
    found, before = [], 0.0
    start, other_start = 0, 0
    for pair in (*chain, (len(ours), len(theirs))):
        found.append(_Gap(
            before / total,
            [ours[at] for at in range(start, pair[0]) if matching.answered_one[at] < _ANSWERED],
            [theirs[at] for at in range(other_start, pair[1])
             if matching.answered_other[at] < _ANSWERED],
        ))  # fmt: skip
        start, other_start = pair[0] + 1, pair[1] + 1
        if pair[0] < len(ours):
            before += pair_weight(matching, pair)
    return found


def _chain(pairs: Sequence[Pair], weight: Callable[[Pair], float]) -> list[Pair]:
    """The heaviest run of pairs that ascend on both sides."""
    best: list[float] = []
    previous: list[int] = []
    for at, (a, b) in enumerate(pairs):
        before, link = 0.0, -1
        for i in range(at):
            if pairs[i][0] < a and pairs[i][1] < b and best[i] > before:
                before, link = best[i], i
        best.append(before + weight(pairs[at]))
        previous.append(link)
    found: list[Pair] = []
    last = max(range(len(pairs)), key=best.__getitem__, default=-1)
    while last >= 0:
        found.append(pairs[last])
        last = previous[last]
    return found[::-1]


def _clause_left(matching: Matching) -> float:
    """What is left on both sides of the two clauses that answer to each other best."""
    ours, theirs = matching.one.tokens, matching.other.tokens
    shared: dict[Pair, float] = {}
    for a, b in matching.pairs:
        key = ours[a].clause, theirs[b].clause
        shared[key] = shared.get(key, 0.0) + pair_weight(matching, (a, b))
    if not shared:
        return 0.0
    sizes, others = _by_clause(ours), _by_clause(theirs)
    best = max(shared, key=lambda key: shared[key] / (max(sizes[key[0]], others[key[1]]) + 1.0))
    low = min(
        weight_of(t for t in matching.left_one() if t.clause == best[0]),
        weight_of(t for t in matching.left_other() if t.clause == best[1]),
    )
    return min(low, _MOST_IN_CLAUSE) / _MOST_IN_CLAUSE


def _by_clause(tokens: Iterable[Token]) -> dict[int, float]:
    found: dict[int, float] = {}
    for token in tokens:
        found[token.clause] = found.get(token.clause, 0.0) + token.weight
    return found


def _names_moved(matching: Matching) -> float:
    """Whether two names that both speak of stand in another order."""
    places = [
        b for a, b in matching.pairs
        if matching.one.tokens[a].kind == matching.other.tokens[b].kind == "name"
    ]  # fmt: skip
    return float(any(b > after for b, after in pairwise(places)))
