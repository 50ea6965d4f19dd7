"""By what two statements clash most plainly, for the classifier's thresholds and for a person."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from learnt.language.comparison.clashes import Clashes, denied_pairs
from learnt.language.comparison.matching import Matching
from learnt.language.comparison.readings import Reading, Token

Evidence = Literal["number", "value", "order", "opposite", "negation", "name", "wording"]
_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*[A-Za-z0-9_]|[^\x00-\x7f]{1,2}")


@dataclass(frozen=True, slots=True)
class Clash:
    """The plainest clash of two statements: which sort, and what is printed of it."""

    evidence: Evidence
    reason: str


def plainest(matching: Matching, clashes: Clashes) -> Clash:
    """The plainest clash: numbers first, then values, orders, opposites, negations and names."""
    rest_left, rest_right = matching.rest_left, matching.rest_right
    if text := _numbers(matching, rest_left, rest_right):
        return Clash("number", text)
    if text := _values(matching.left, matching.right):
        return Clash("value", text)
    if clashes.reversed == 1.0:
        return Clash("order", "the order is reversed")
    if text := _opposites(matching):
        return Clash("opposite", text)
    if text := _negated(matching):
        return Clash("negation", text)
    if text := _names(rest_left, rest_right):
        return Clash("name", text)
    return Clash("wording", "it says otherwise")


def _numbers(matching: Matching, rest_left: Sequence[Token], rest_right: Sequence[Token]) -> str:
    for token in rest_left:
        for against in rest_right:
            if token.quantity is None or against.quantity is None:
                continue
            if token.quantity.measure == against.quantity.measure:
                return f"{_spelt(matching.right, against)}, not {_spelt(matching.left, token)}"
    return ""


def _spelt(reading: Reading, token: Token) -> str:
    """A token as its statement spells it."""
    if token.quantity is not None:
        return reading.text[token.quantity.start : token.quantity.end].strip()
    match = _WORD.match(reading.text, round(token.place * len(reading.text)))
    return match[0] if match else token.key


def _values(left: Reading, right: Reading) -> str:
    for kind, member in sorted(left.values):
        others = sorted(other for its_kind, other in right.values if its_kind == kind)
        if others and member not in others:
            return f"other {kind}: {others[0]}, not {member}"
    return ""


def _opposites(matching: Matching) -> str:
    for a, b in matching.pairs:
        token, against = matching.left.tokens[a], matching.right.tokens[b]
        if token.polar and token.sign != against.sign and token.negated == against.negated:
            return f"the opposite: {_spelt(matching.right, against)}"
    return ""


def _negated(matching: Matching) -> str:
    for a, b in denied_pairs(matching):
        if matching.left.tokens[a].negated != matching.right.tokens[b].negated:
            return f"negated: {_spelt(matching.right, matching.right.tokens[b])}"
    return ""


def _names(rest_left: Iterable[Token], rest_right: Iterable[Token]) -> str:
    mine = next((token.key for token in rest_left if token.kind == "name"), "")
    other = next((token.key for token in rest_right if token.kind == "name"), "")
    return f"{other}, not {mine}" if mine and other else ""
