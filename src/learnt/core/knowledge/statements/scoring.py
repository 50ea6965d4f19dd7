"""From the signs of a matching to how probable each relation is: a fitted softmax of three."""

from dataclasses import dataclass
from math import exp
from typing import Final

from learnt.core.knowledge.statements.signs import Signs
from learnt.core.knowledge.statements.weights import INTERCEPT, WEIGHTS

_LEFT: Final = 0.25  # from this share of a slot on, something is left
_LETTERS, _COVER, _SAME, _AGAINST = 0.5, 0.35, 0.1, 0.1
_ALONE: Final = (
    "number_clash", "numbers_shared", "names_left_both", "subject_left_both", "scopes",
    "order_reversed", "set_differs", "bigrams", "sibling",
)  # fmt: skip
_SLOTS: Final = (
    "matched", "left_low", "left_high", "replaced", "inserted", "subject_words", "clause_left",
    "names_moved",
)  # fmt: skip
_STANCES: Final = (
    "mismatch_heaviest", "mismatch_direct", "both_deny", "both_exclusive", "one_always",
    "one_allows", "one_requires", "one_fixes",
)  # fmt: skip
_WORDING: Final = ("run",)
_CHANGES: Final = ("two_replaced", "replaced", "both_ends")


@dataclass(frozen=True, slots=True)
class Scores:
    """How probable each relation is, and how alike the statements are, all from 0 to 1."""

    same: float
    contradicts: float
    apart: float
    likeness: float


def features(found: Signs) -> dict[str, float]:
    """What the weights are for, by name; some tell more, the more the statements share."""
    values: dict[str, float] = {name: getattr(found, name) for name in _ALONE}
    values |= {name: getattr(found.slots, name) for name in _SLOTS}
    values |= {name: getattr(found.stances, name) for name in _STANCES}
    rest = found.slots.rest
    # Where nothing is left on both sides, being worded alike speaks for neither.
    left = min(1.0, rest / _LEFT)
    values |= {f"words_{name}": getattr(found.wording, name) for name in _WORDING}
    # Another number in the same words is another value; the subject is the same.
    left = min(1.0, found.slots.rest_words / _LEFT)
    values |= {f"words_{name}": getattr(found.wording, name) * left for name in _CHANGES}
    return values | {
        "opposed_shared": found.opposed * found.cover_low,
        "words_moved": found.wording.moved,
        "words_ratio": found.wording.ratio,
        "common_run": found.common_run * min(1.0, rest / _LEFT),
        "unrelated_shared": found.unrelated * found.cover_low,
        "mismatch_shared": found.stances.mismatch * found.cover_low,
        "values_rest": float(found.values > 0) * rest,
        "scopes_rest": float(found.scopes > 0) * rest,
    }


def score(found: Signs) -> Scores:
    """How probable each relation is; a sign counts no further than it did where it was fitted."""
    values = features(found)
    same, against = INTERCEPT
    for name, (for_same, for_against, low, high) in WEIGHTS.items():
        value = min(high, max(low, values[name]))
        same += for_same * value
        against += for_against * value
    most = max(same, against, 0.0)
    powers = exp(same - most), exp(against - most), exp(-most)
    total = sum(powers)
    likely = [power / total for power in powers]
    cover = (found.cover_low + found.cover_high) / 2
    letters = found.bigrams / (2 - found.bigrams)  # what both have of what either has
    alike = _LETTERS * letters + _COVER * cover + _SAME * likely[0] - _AGAINST * likely[1]
    return Scores(likely[0], likely[1], likely[2], min(1.0, max(0.0, alike)))
