"""Bets that may be looked at any time: the evidence that a mean gain is more than 0.

Who has 1 and bets a part of it again and again, on gains whose mean is 0 or less, ever has 1/α with
a chance of α at most (Ville 1939; Waudby-Smith and Ramdas, JRSS-B 86, 2024). So what they have is
evidence that the mean is more than 0. The best stake is not known: eight are held side by side, and
their mean counts.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import StrEnum
from typing import Final, TypeVar

STAKES: Final = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
ALPHA: Final = 0.05  # of a promotion, or of saying that something helps
MASKS: Final = 0.10  # the share of masks that may be wrong
STEPS: Final = 20  # halvings of an interval's end: to a millionth
DOUBT: Final = 3.0  # evidence of a blind eye, from which on nothing is said to be better
_LARGEST: Final = 700.0  # the logarithm of about the largest float

Wealth = tuple[float, ...]  # its logarithm, one number a stake
Key = TypeVar("Key", bound=Hashable)


class BetDecision(StrEnum):
    """What evidence says of something, against its absence or against what it replaces."""

    BETTER = "better"
    WORSE = "worse"
    UNDECIDED = "undecided"


def wealth(gains: Iterable[tuple[float, int]]) -> Wealth:
    """What the stakes came to by gains of -1 to 1, each with how often it came.

    >>> [round(math.exp(one), 3) for one in wealth([(1.0, 2), (-1.0, 1)])]
    [1.02, 1.047, 1.089, 1.152, 1.185, 1.125, 0.867, 0.361]
    """
    known = list(gains)
    return tuple(math.fsum(n * math.log1p(stake * gain) for gain, n in known) for stake in STAKES)


def evidence(held: Wealth) -> float:
    """The mean over the stakes: an e-value, whose mean is 1 at most where there is no effect.

    >>> evidence(wealth([])), round(evidence(wealth([(1.0, 12)])), 1)
    (1.0, 372.2)
    """
    top = max(held)
    mean = math.fsum(math.exp(one - top) for one in held) / len(held)
    return math.exp(min(top + math.log(mean), _LARGEST))


def not_ruled_out(held: Callable[[float, bool], Wealth], alpha: float) -> tuple[float, float]:
    """The means from -1 to 1 that bets leave, α/2 on either side, however often one looks.

    `held` is the log-wealth of bets that the mean is above a value or, if True, below it.

    >>> low, high = not_ruled_out(lambda value, against: wealth([]), 0.05)
    >>> low, high
    (-1.0, 1.0)
    """
    ends = []
    for against in (False, True):
        out, left = (1.0, -1.0) if against else (-1.0, 1.0)  # what is ruled out, and what is not
        for _ in range(STEPS):
            middle = (out + left) / 2
            ruled_out = evidence(held(middle, against)) >= 2 / alpha
            out, left = (middle, left) if ruled_out else (out, middle)
        ends.append(out)
    return ends[0], ends[1]


def ruled(better: float, worse: float, graded_less: float, alpha: float = ALPHA) -> BetDecision:
    """What e-values amount to. Nothing is better that seems to be graded less often.

    >>> ruled(20, 0, 1).value, ruled(20, 0, 3).value, ruled(0, 20, 1).value
    ('better', 'undecided', 'worse')
    """
    if worse >= 1 / alpha:
        return BetDecision.WORSE
    return (
        BetDecision.BETTER if better >= 1 / alpha and graded_less < DOUBT else BetDecision.UNDECIDED
    )


def times_as_much(held: Wealth, alpha: float = ALPHA) -> float | None:
    """How many times as many units decide, if the others are like these; None if over twenty.

    >>> round(times_as_much(wealth([(1.0, 4)])), 2), times_as_much(wealth([]))
    (1.74, None)
    """

    def decides(times: float) -> bool:
        return evidence(tuple(times * one for one in held)) >= 1 / alpha

    low, high = 0.0, 20.0
    if not decides(high):
        return None
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def masked(e_values: Mapping[Key, float], level: float = MASKS) -> list[Key]:
    """The discoveries among many e-values, with a false discovery rate of at most `level`: e-BH.

    Wang and Ramdas, JRSS-B 84, 2022: they may depend on each other in any way.

    >>> masked({"a": 3.0, "b": 20.0, "c": 21.0, "d": 1.0}), masked({"a": 20.0, "b": 9.0})
    (['c', 'b'], ['a'])
    """
    ranked = sorted(e_values, key=lambda key: -e_values[key])
    most = len(ranked) / level
    found = [n for n, key in enumerate(ranked, 1) if n * e_values[key] >= most]
    return ranked[: max(found, default=0)]


def promotion_level(number: int, promoted: int, alpha: float = ALPHA) -> float:
    """The α of the trial of this number (from 1), after so many promotions by trials: e-LOND.

    Xu and Ramdas, AISTATS 2024: of all promotions a share `alpha` at most is expected wrong, if
    trial t has α·γ(t)·(promotions + 1) and the γ sum to 1; here γ(t) = 1/(t(t+1)).

    >>> [round(promotion_level(t, promoted), 4) for t, promoted in ((1, 0), (2, 0), (3, 2))]
    [0.025, 0.0083, 0.0125]
    """
    return alpha * (promoted + 1) / (number * (number + 1))
