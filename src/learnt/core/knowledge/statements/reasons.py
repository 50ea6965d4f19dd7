"""Why two statements clash, in a few words for a person."""

import re
from typing import Final

from learnt.core.knowledge.statements import lexicon, orders
from learnt.core.knowledge.statements.matching import Matching
from learnt.core.knowledge.statements.readings import Reading, Token

_WORD: Final = re.compile(r"[A-Za-z0-9_][\w.-]*\w|[^\x00-\x7f]{1,2}", re.ASCII)


def reason(matching: Matching) -> str:
    """The plainest reason for which two statements clash."""
    one, other = matching.one, matching.other
    left_one, left_other = matching.left_one(), matching.left_other()
    for found in (
        _numbers(one, left_one, other, left_other),
        _values(one, other),
        _reversed(matching),
        _sets(one, other),
        _opposites(matching),
        _negated(matching),
        _names(left_one, left_other),
    ):
        if found:
            return found
    return "it says otherwise"


def _numbers(one: Reading, ours: list[Token], other: Reading, theirs: list[Token]) -> str:
    for token in ours:
        for against in theirs:
            if token.quantity is None or against.quantity is None:
                continue
            if token.quantity.measure == against.quantity.measure:
                return f"{_spelt(other, against)}, not {_spelt(one, token)}"
    return ""


def _spelt(reading: Reading, token: Token) -> str:
    """A token as its statement spells it."""
    if token.quantity is not None:
        return reading.text[token.quantity.start : token.quantity.end].strip()
    match = _WORD.match(reading.text, round(token.place * len(reading.text)))
    return match[0] if match else token.key


def _values(one: Reading, other: Reading) -> str:
    for kind, member in sorted(one.values):
        others = sorted(m for k, m in other.values if k == kind)
        if others and member not in others:
            return f"other {kind}: {others[0]}, not {member}"
    return ""


def _reversed(matching: Matching) -> str:
    return "the order is reversed" if orders.reversed_order(matching) == 1.0 else ""


def _sets(one: Reading, other: Reading) -> str:
    if not orders.other_set(one.text, other.text):
        return ""
    ours, theirs = orders.listed(one.text), orders.listed(other.text)
    return f"other set: {', '.join(sorted(theirs))}, not {', '.join(sorted(ours))}"


def _opposites(matching: Matching) -> str:
    for a, b in matching.pairs:
        token, against = matching.one.tokens[a], matching.other.tokens[b]
        strong = token.key in lexicon.STRONG and token.told and against.told
        if strong and token.sign != against.sign and token.negated == against.negated:
            return f"the opposite: {_spelt(matching.other, against)}"
    return ""


def _negated(matching: Matching) -> str:
    for a, b in matching.pairs:
        token, against = matching.one.tokens[a], matching.other.tokens[b]
        if token.told and against.told and token.negated != against.negated:
            return f"negated: {_spelt(matching.other, against)}"
    return ""


def _names(ours: list[Token], theirs: list[Token]) -> str:
    mine = next((t.key for t in ours if t.kind == "name"), "")
    other = next((t.key for t in theirs if t.kind == "name"), "")
    return f"{other}, not {mine}" if mine and other else ""
