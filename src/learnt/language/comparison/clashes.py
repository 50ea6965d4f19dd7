"""In what two statements clash: numbers, opposites, values, negations and orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.language.comparison.matching import Matching, Pair
from learnt.language.comparison.orders import EARLY, LATE
from learnt.language.comparison.readings import Reading, Token

_TELLING: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Clashes:
    """In what two statements clash; each is 0 where they do not.

    `number`: numbers of one measure differ (half: one names no measure). `opposites`: they hold
    opposites of one concept. `values`: they name other members of a kind of which a thing has one.
    `denied`: the weight of what one denies and the other affirms. `reversed`: one puts first what
    the other puts later.
    """

    number: float
    opposites: float
    values: float
    denied: float
    reversed: float


def clashes_of(matching: Matching) -> Clashes:
    """The clashes of a matching."""
    left, right = matching.left, matching.right
    return Clashes(
        number=_number_clash(matching.rest_left, matching.rest_right),
        opposites=max(_opposite_pairs(matching), _opposite_poles(left, right)),
        values=_other_values(left.values, right.values),
        denied=sum(matching.weight(pair) for pair in denied_pairs(matching)),
        reversed=_reversed_order(matching),
    )


def _reversed_order(matching: Matching) -> float:
    """1 where what one side puts first the other puts later, and the other way round.

    It is a half where that is so of one thing alone, and nothing speaks against it.
    """
    ranks, others = matching.left.ranks, matching.right.ranks
    if not ranks or not others:
        return 0.0
    keys = [[token.key for token in side.tokens] for side in (matching.left, matching.right)]
    agreeing = 0.0
    against = {EARLY: 0.0, LATE: 0.0}
    for a, b in matching.pairs:
        token = matching.left.tokens[a]
        if a not in ranks or b not in others or any(side.count(token.key) > 1 for side in keys):
            continue
        if ranks[a] == others[b]:
            agreeing += token.weight
        else:
            against[ranks[a]] += token.weight
    if all(against.values()) and sum(against.values()) > agreeing:
        return 1.0
    return 0.5 if sum(against.values()) > _TELLING and not agreeing else 0.0


def _number_clash(rest_left: Iterable[Token], rest_right: Sequence[Token]) -> float:
    clash = 0.0
    for quantity in (token.quantity for token in rest_left):
        for against in (token.quantity for token in rest_right):
            if quantity is None or against is None:
                continue
            if quantity.measure == against.measure:
                return 1.0
            clash = 0.5 if "" in {quantity.measure, against.measure} else clash
    return clash


def _opposite_pairs(matching: Matching) -> float:
    """Pairs of a concept with opposite signs, which no negation explains."""
    count = 0
    for a, b in matching.pairs:
        token, against = matching.left.tokens[a], matching.right.tokens[b]
        same = token.key == against.key and token.negated == against.negated
        count += same and token.polar and token.sign != against.sign
    return min(count, 2) / 2


def _opposite_poles(left: Reading, right: Reading) -> float:
    """Concepts that both speak of, always with opposite signs."""
    signs, others = _signs_by_concept(left), _signs_by_concept(right)
    count = sum(not signs[key] & others[key] for key in signs.keys() & others.keys())
    return min(count, 2) / 2


def _signs_by_concept(reading: Reading) -> dict[str, set[int]]:
    signs: dict[str, set[int]] = {}
    for token in reading.tokens:
        if token.polar:
            signs.setdefault(token.key, set()).add(token.sign)
    return signs


def _other_values(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> float:
    """Kinds of which both name members, and none of them the same."""
    kinds = {kind for kind, _ in left} & {kind for kind, _ in right}
    shared = {kind for kind, _ in left & right}
    return min(len(kinds - shared), 2) / 2


def denied_pairs(matching: Matching) -> list[Pair]:
    """The pairs of which one side is denied and the other is not."""
    return [
        (a, b)
        for a, b in matching.pairs
        if not _agree(matching.left.tokens[a], matching.right.tokens[b])
    ]


def _agree(token: Token, against: Token) -> bool:
    if token.key == against.key:
        return token.sign == against.sign
    return token.negated == against.negated
