"""Whether a skill's new text does better than its old one: a coin draws the text of each use.

The bet is that of `core/health/effects.py`, with an even coin. Its baseline may be any number that
is fixed before the use: here the mean success until then. It is of all kinds of task: which kind a
use was is known only after the text was read, so a text could choose its own baseline.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from learnt.core.coin import EVEN
from learnt.core.health import effects, trials
from learnt.core.health.effects import FOR_THE_ITEM, Unit, gain
from learnt.core.records import Record, Row

PRIOR: Final = 4  # uses that the success before the trial counts for
_BASELINES: Final = (0.05, 0.95)


class TrialUse(Row):
    """A use that counts: which text was read, and its success, 0 to 1.

    `success` is None where nothing was seen, which is no trouble.
    """

    new: bool
    success: float | None


class Result(Record):
    """What a trial says: the mean success before and after, and about how many more are needed.

    `better`, `worse` and `graded_less`, that the new text is graded less often, are e-values.
    `more` is None where it can't be foreseen.
    """

    ruling: trials.BetDecision
    seen: int
    before: float | None
    after: float | None
    more: int | None
    better: float
    worse: float
    graded_less: float


class TrialEvidence(Row):
    """What the bets came to after a use: for better, for worse, and that fewer are graded."""

    better: trials.Wealth = trials.wealth(())
    worse: trials.Wealth = trials.wealth(())
    graded_less: trials.Wealth = trials.wealth(())


def units(uses: Iterable[TrialUse], before: float) -> Iterator[tuple[Unit, Unit]]:
    """Each use as the unit of an effect on success, and of one on being graded.

    `before` is the success that was known before the trial.

    >>> [u.baseline for u, _ in units([TrialUse(True, 1.0), TrialUse(False, 0.0)], 0.5)]
    [0.5, 0.6]
    """
    seen, graded = [before] * PRIOR, [1.0] * PRIOR
    for use in uses:
        yield (
            Unit(use.new, EVEN, use.success, _baseline(seen)),
            Unit(use.new, EVEN, float(use.success is not None), _baseline(graded)),
        )
        seen.append(1.0 if use.success is None else use.success)
        graded.append(float(use.success is not None))


def _baseline(seen: Sequence[float]) -> float:
    low, high = _BASELINES
    return min(max(math.fsum(seen) / len(seen), low), high)


def course(uses: Iterable[TrialUse], before: float) -> Iterator[TrialEvidence]:
    """What the bets came to after each use."""
    held = TrialEvidence()
    for unit, graded in units(uses, before):
        gains = gain(unit), -gain(unit, unseen=FOR_THE_ITEM), -gain(graded)
        held = TrialEvidence(
            *(
                tuple(map(sum, zip(one, trials.wealth([(won, 1)]), strict=True)))
                for one, won in zip(held, gains, strict=True)
            )
        )
        yield held


def ruling(held: TrialEvidence, alpha: float = trials.ALPHA) -> trials.BetDecision:
    """What the bets amount to, with an error of `alpha` however often one looks."""
    better, worse, graded_less = map(trials.evidence, held)
    return trials.ruled(better, worse, graded_less, alpha)


def judge(uses: Sequence[TrialUse], before: float, alpha: float = trials.ALPHA) -> Result:
    """The evidence of the uses in order. Its error is `alpha`, at any time.

    Better is said unless the new text seems to be graded less often; worse if it holds even where
    all that was not seen is taken in the new text's favour.

    >>> better = [TrialUse(number % 2 == 0, float(number % 2 == 0)) for number in range(14)]
    >>> judge(better[:6], 0.5).ruling.value, judge(better, 0.5).ruling.value
    ('undecided', 'better')
    """
    held = [TrialEvidence(), *course(uses, before)][-1]
    better, worse, graded_less = map(trials.evidence, held)
    lead = max(held.better, held.worse, key=max) if graded_less < trials.DOUBT else held.worse
    times = trials.times_as_much(lead, alpha)
    return Result(
        ruling=ruling(held, alpha),
        seen=len(uses),
        before=_mean(uses, new=False),
        after=_mean(uses, new=True),
        more=None if times is None else max(0, math.ceil(len(uses) * (times - 1))),
        better=better,
        worse=worse,
        graded_less=graded_less,
    )


class TrialPoint(Record):
    """What a trial said after so many uses: log-wealth for better and worse, and the difference.

    `low` and `high` hold it, new less old, with a certainty of 1 - α, however often one looks.
    """

    uses: int
    better: float
    worse: float
    difference: float
    low: float
    high: float


def growth(
    uses: Sequence[TrialUse], before: float, alpha: float = trials.ALPHA, most: int = 40
) -> list[TrialPoint]:
    """How a trial's evidence grew, at so many points at most; the last is what `judge` says now.

    >>> [point.uses for point in growth([TrialUse(True, 1.0)] * 3, 0.5)]
    [1, 2, 3]
    """
    stops = {-(-len(uses) * n // most) for n in range(1, most + 1)} - {0}
    points = []
    for count, held in enumerate(course(uses, before), 1):
        if count in stops:
            seen = uses[:count]
            low, high = effects.interval(Counter(unit for unit, _ in units(seen, before)), alpha)
            points.append(
                TrialPoint(
                    uses=count,
                    better=math.log(trials.evidence(held.better)),
                    worse=math.log(trials.evidence(held.worse)),
                    difference=(_mean(seen, new=True) or 0.0) - (_mean(seen, new=False) or 0.0),
                    low=low,
                    high=high,
                )
            )
    return points


def _mean(uses: Iterable[TrialUse], *, new: bool) -> float | None:
    values = [1.0 if use.success is None else use.success for use in uses if use.new == new]
    return math.fsum(values) / len(values) if values else None
