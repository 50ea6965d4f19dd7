"""Where two statements affirm and deny: of what they share, and of a few words that bear on it."""

from dataclasses import dataclass
from typing import Final

from learnt.core.knowledge.statements.matching import Matching
from learnt.core.knowledge.statements.readings import Reading, Token
from learnt.core.knowledge.statements.slots import pair_weight

_HEAVIEST: Final = 1.6
_MOST: Final = 3.0
_MOST_DIRECT: Final = 2.0


@dataclass(frozen=True, slots=True)
class Stances:
    """How much one side denies that the other affirms, and which words only one of them has."""

    mismatch: float
    mismatch_heaviest: float
    mismatch_direct: float
    both_deny: float
    both_exclusive: float
    one_always: float
    one_allows: float
    one_requires: float
    one_fixes: float


def stances(matching: Matching) -> Stances:
    """The stances of a matching."""
    one, other = matching.one, matching.other
    weights, direct = [], 0.0
    for a, b in matching.pairs:
        token, against = one.tokens[a], other.tokens[b]
        if _agree(token, against):
            continue
        weight = pair_weight(matching, (a, b))
        if token.told and against.told:
            weights.append(weight)
        if token.direct != against.direct:
            direct += weight
    return Stances(
        mismatch=min(sum(weights), _MOST) / _MOST,
        mismatch_heaviest=max(weights, default=0.0) / _HEAVIEST,
        mismatch_direct=min(direct, _MOST_DIRECT) / _MOST_DIRECT,
        both_deny=float(bool(one.denied) and bool(other.denied)),
        both_exclusive=float(_tells(one, "exclusive") and _tells(other, "exclusive")),
        one_always=float(_always(one) != _always(other)),
        one_allows=float(_tells(one, "allow") != _tells(other, "allow")),
        one_requires=float(_tells(one, "require") != _tells(other, "require")),
        one_fixes=float(_tells(one, "fix") != _tells(other, "fix")),
    )


def _agree(token: Token, against: Token) -> bool:
    """Whether two tokens have one sign; those of two concepts have but their negations."""
    if token.key == against.key:
        return token.sign == against.sign
    return token.negated == against.negated


def _tells(reading: Reading, key: str) -> bool:
    return any(token.key == key and token.told for token in reading.tokens)


def _always(reading: Reading) -> bool:
    return any(token.key == "always" and token.sign > 0 for token in reading.tokens)
