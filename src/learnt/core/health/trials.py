"""Whether a skill's new text does better than its old one, by bets that may be looked at any time.

Who has 1 and bets a part of it again and again, on gains whose mean is 0 or less, ever has 1/α with
a chance of α at most (Ville 1939; Waudby-Smith and Ramdas, JRSS-B 86, 2024). So what they have is
evidence that the mean is more than 0. The best stake is not known: eight are held side by side, and
their mean counts.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

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


Success = float | None  # 0 to 1; None where nothing was seen, which is no trouble


class Result(NamedTuple):
    """What a trial says: the mean success before and after, and about how many more are needed.

    `better`, `worse` and `graded_less`, that the new text is graded less often, are e-values.
    `more` is None where it can't be foreseen.
    """

    ruling: BetDecision
    seen: int
    before: float | None
    after: float | None
    more: int | None
    better: float
    worse: float
    graded_less: float


def judge(old: Sequence[Success], new: Sequence[Success], alpha: float = ALPHA) -> Result:
    """The evidence of as many pairs of consecutive units as both texts have; a coin drew them.

    Its error is `alpha`, at any time. Better is said unless the new text seems to be graded less
    often; worse if it holds even where all that was not seen is taken in the new text's favour.

    >>> [judge([0, 0, 1, *[0] * n], [1, 1, *[1] * n, 1]).ruling.value for n in (4, 5)]
    ['undecided', 'better']
    """
    pairs = Counter(zip(old, new, strict=False))
    gains = wealth((_value(b) - _value(a), n) for (a, b), n in pairs.items())
    losses = wealth((_value(a, 0.0) - _value(b), n) for (a, b), n in pairs.items())
    blind = wealth(((a is not None) - (b is not None), n) for (a, b), n in pairs.items())
    better, worse, graded_less = map(evidence, (gains, losses, blind))
    held = max(gains, losses, key=max) if graded_less < DOUBT else losses
    seen, times = pairs.total(), times_as_much(held, alpha)
    return Result(
        ruling=ruled(better, worse, graded_less, alpha),
        seen=seen,
        before=_mean(old[:seen]),
        after=_mean(new[:seen]),
        more=None if times is None else max(0, math.ceil(seen * (times - 1))),
        better=better,
        worse=worse,
        graded_less=graded_less,
    )


class TrialPoint(NamedTuple):
    """What a trial said after so many pairs: log-wealth for better and worse, and the difference.

    `low` and `high` hold it, new less old, with a certainty of 1 - α, however often one looks.
    """

    pairs: int
    better: float
    worse: float
    difference: float
    low: float
    high: float


def growth(
    old: Sequence[Success], new: Sequence[Success], alpha: float = ALPHA, most: int = 40
) -> list[TrialPoint]:
    """How a trial's evidence grew, at so many points at most; the last is what `judge` says now.

    >>> [point.pairs for point in growth([0, 1, 0], [1, 1, 1])]
    [1, 2, 3]
    """
    pairs = min(len(old), len(new))
    stops = sorted({-(-pairs * n // most) for n in range(1, most + 1)} - {0})
    return [_point(old[:count], new[:count], alpha) for count in stops]


def _point(old: Sequence[Success], new: Sequence[Success], alpha: float) -> TrialPoint:
    result = judge(old, new, alpha)
    gains = Counter(_value(b) - _value(a) for a, b in zip(old, new, strict=True))

    def held(value: float, against: bool) -> Wealth:  # as it is asked for
        sign = -1 if against else 1
        # The divisor keeps each gain within 1, and falling in the value.
        return wealth((sign * (gain - value) / (1 + abs(value)), n) for gain, n in gains.items())

    low, high = not_ruled_out(held, alpha)
    return TrialPoint(
        pairs=result.seen,
        better=math.log(result.better),
        worse=math.log(result.worse),
        difference=(result.after or 0.0) - (result.before or 0.0),
        low=low,
        high=high,
    )


def _value(one: Success, unseen: float = 1.0) -> float:
    return unseen if one is None else float(one)


def _mean(values: Sequence[Success]) -> float | None:
    return math.fsum(map(_value, values)) / len(values) if values else None
