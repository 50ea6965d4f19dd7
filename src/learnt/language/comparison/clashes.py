"""In what two statements clash: numbers, opposites, values, negations and orders.

The plainest clash is what the thresholds go by and what a person is shown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, NamedTuple

from learnt.language.comparison.matching import Matching, weight_of_pairs
from learnt.language.comparison.orders import EARLY, LATE
from learnt.language.comparison.readings import Statement, Token

Evidence = Literal["number", "value", "order", "opposite", "negation", "name", "wording"]
_TELLING: Final = 0.5
_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*[A-Za-z0-9_]|[^\x00-\x7f]{1,2}")


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


class Clash(NamedTuple):
    """The plainest clash of two statements: which sort, and what is printed of it."""

    evidence: Evidence
    reason: str


def clashes_of(matching: Matching) -> Clashes:
    """The clashes of a matching."""
    left, right = matching.left, matching.right
    return Clashes(
        number=max((much for much, *_ in _other_numbers(matching)), default=0.0),
        opposites=max(_opposite_pairs(matching), _opposite_poles(left, right)),
        values=_other_values(left.values, right.values),
        denied=weight_of_pairs(denied_pairs(matching)),
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


def plainest(matching: Matching, clashes: Clashes) -> Clash:
    """The plainest clash: numbers first, then values, orders, opposites, negations and names."""
    reasons: tuple[tuple[Evidence, str], ...] = (
        ("number", _number_reason(matching)),
        ("value", _value_reason(matching.left, matching.right)),
        ("order", "the order is reversed" if clashes.reversed == 1.0 else ""),
        ("opposite", _opposite_reason(matching)),
        ("negation", _negation_reason(matching)),
        ("name", _name_reason(matching)),
        ("wording", "it says otherwise"),
    )
    return next(Clash(evidence, reason) for evidence, reason in reasons if reason)


def _other_numbers(matching: Matching) -> Iterator[tuple[float, Token, Token]]:
    """Numbers left on either side: 1 with those of the same measure, 0.5 where one has none."""
    for token, against in product(matching.rest_left, matching.rest_right):
        if token.quantity is not None and against.quantity is not None:
            measures = {token.quantity.measure, against.quantity.measure}
            if len(measures) == 1 or "" in measures:
                yield 1.0 / len(measures), token, against


def _number_reason(matching: Matching) -> str:
    for much, token, against in _other_numbers(matching):
        if much == 1.0:
            return f"{_spelt(matching.right, against)}, not {_spelt(matching.left, token)}"
    return ""


def _spelt(reading: Statement, token: Token) -> str:
    """A token as its statement spells it."""
    if token.quantity is not None:
        return reading.text[token.quantity.start : token.quantity.end].strip()
    match = _WORD.match(reading.text, round(token.place * len(reading.text)))
    return match[0] if match else token.key


def _opposite_pairs(matching: Matching) -> float:
    """Pairs of a concept with opposite signs, which no negation explains."""
    count = sum(token.key == against.key for token, against in _opposites(matching))
    return min(count, 2) / 2


def _opposites(matching: Matching) -> list[tuple[Token, Token]]:
    return [
        (token, against)
        for token, against in matching.tokens()
        if token.polar and token.sign != against.sign and token.negated == against.negated
    ]


def _opposite_reason(matching: Matching) -> str:
    opposites = _opposites(matching)
    return f"the opposite: {_spelt(matching.right, opposites[0][1])}" if opposites else ""


def _opposite_poles(left: Statement, right: Statement) -> float:
    """Concepts that both speak of, always with opposite signs."""
    signs, others = (
        {(token.key, token.sign) for token in side.tokens if token.polar} for side in (left, right)
    )
    shared = {key for key, _ in signs} & {key for key, _ in others}
    count = len(shared - {key for key, _ in signs & others})
    return min(count, 2) / 2


def _other_values(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> float:
    """Kinds of which both name members, and none of them the same."""
    kinds = {kind for kind, _ in left} & {kind for kind, _ in right}
    shared = {kind for kind, _ in left & right}
    return min(len(kinds - shared), 2) / 2


def _value_reason(left: Statement, right: Statement) -> str:
    for kind, member in sorted(left.values):
        others = sorted(other for its_kind, other in right.values if its_kind == kind)
        if others and member not in others:
            return f"other {kind}: {others[0]}, not {member}"
    return ""


def denied_pairs(matching: Matching) -> list[tuple[Token, Token]]:
    """The pairs of which one side is denied and the other is not."""
    return [
        (token, against)
        for token, against in matching.tokens()
        if (
            token.sign != against.sign
            if token.key == against.key
            else token.negated != against.negated
        )
    ]


def _negation_reason(matching: Matching) -> str:
    for token, against in denied_pairs(matching):
        if token.negated != against.negated:
            return f"negated: {_spelt(matching.right, against)}"
    return ""


def _name_reason(matching: Matching) -> str:
    mine, others = (
        [token.key for token in rest if token.kind == "name"]
        for rest in (matching.rest_left, matching.rest_right)
    )
    return f"{others[0]}, not {mine[0]}" if mine and others else ""
