"""Whether a skill's new text does better than its old one: two rules.

`Window` is the seeds': ten executions are enough, a report that is right about as often as a coin
where the texts are alike. `Trial` decides, and may be asked after every pair.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from learnt.core.health.bets import (
    ALPHA,
    DOUBT,
    BetDecision,
    evidence,
    ruled,
    times_as_much,
    wealth,
)

WINDOW: Final = 10
Success = float | None  # 0 to 1; None where nothing was seen, which is no trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a rule says: the mean success before and after, and about how many more are needed.

    `better`, `worse` and `graded_less`, that the new text is graded less often, are e-values.
    `more` is None where it can't be foreseen.
    """

    ruling: BetDecision = BetDecision.UNDECIDED
    seen: int
    before: float | None
    after: float | None
    more: int | None = None
    better: float | None = None
    worse: float | None = None
    graded_less: float | None = None


class Rule(Protocol):
    """Compares two texts of a skill by how their executions came out, in order."""

    def judge(self, old: Sequence[Success], new: Sequence[Success]) -> Result:
        """What is known so far."""
        ...


def by_gaps(baseline: float, gaps: Sequence[float], size: int = WINDOW) -> BetDecision:
    """The seeds' rule: the mean of the new gaps is below the baseline; equal is not better.

    >>> by_gaps(0.3, [0.2] * 10).value, by_gaps(0.25, [0.25] * 10).value
    ('better', 'worse')
    >>> by_gaps(0.3, [0.2] * 9).value
    'undecided'
    """
    if len(gaps) < size:
        return BetDecision.UNDECIDED
    return BetDecision.BETTER if math.fsum(gaps) / len(gaps) < baseline else BetDecision.WORSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The first `size` executions of the new text against the mean of the old one's."""

    size: int = WINDOW

    def judge(self, old: Sequence[Success], new: Sequence[Success]) -> Result:
        """A gap is what an execution lacked of success.

        >>> result = Window().judge([1, 0, 1, 0], [1, 1, 0, 1])
        >>> result.ruling.value, result.seen, result.more
        ('undecided', 4, 6)
        """
        window = new[: self.size]
        lacked = _mean([1 - _value(one) for one in old])
        gaps = [1 - _value(one) for one in window]
        return Result(
            ruling=BetDecision.UNDECIDED if lacked is None else by_gaps(lacked, gaps, self.size),
            seen=len(window),
            before=_mean(old),
            after=_mean(window),
            more=self.size - len(window),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Pairs of consecutive units, one with each text by a coin; an error of `alpha` at any time."""

    alpha: float = ALPHA

    def judge(self, old: Sequence[Success], new: Sequence[Success]) -> Result:
        """The evidence of as many pairs as both have.

        Better is said unless the new text seems to be graded less often; worse if it holds even
        where all that was not seen is taken in the new text's favour.

        >>> [Trial().judge([0, 0, 1, *[0] * n], [1, 1, *[1] * n, 1]).ruling.value for n in (4, 5)]
        ['undecided', 'better']
        """
        pairs = Counter(zip(old, new, strict=False))
        gains = wealth((_value(b) - _value(a), n) for (a, b), n in pairs.items())
        losses = wealth((_value(a, 0.0) - _value(b), n) for (a, b), n in pairs.items())
        blind = wealth(((a is not None) - (b is not None), n) for (a, b), n in pairs.items())
        better, worse, graded_less = map(evidence, (gains, losses, blind))
        held = max(gains, losses, key=max) if graded_less < DOUBT else losses
        seen, times = pairs.total(), times_as_much(held, self.alpha)
        return Result(
            ruling=ruled(better, worse, graded_less, self.alpha),
            seen=seen,
            before=_mean(old[:seen]),
            after=_mean(new[:seen]),
            more=None if times is None else max(0, math.ceil(seen * (times - 1))),
            better=better,
            worse=worse,
            graded_less=graded_less,
        )


def _value(one: Success, unseen: float = 1.0) -> float:
    return unseen if one is None else float(one)


def _mean(values: Sequence[Success]) -> float | None:
    return math.fsum(map(_value, values)) / len(values) if values else None
