"""Whether a skill's new text does better than its old one: it may be asked after every pair."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from learnt.core.health.bets import (
    ALPHA,
    DOUBT,
    BetDecision,
    Wealth,
    evidence,
    not_ruled_out,
    ruled,
    times_as_much,
    wealth,
)

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
