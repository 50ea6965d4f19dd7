"""What showing an item, or a skill's new text, changes: bets that may be looked at any time.

Who has 1 and bets a part of it again and again, on gains whose mean is 0 or less, ever has 1/α with
a chance of α at most (Ville 1939; Waudby-Smith and Ramdas, JRSS-B 86, 2024). So what they have is
evidence that the mean is more than 0. The best stake is not known: eight are held side by side, and
their mean counts.

A unit is one session for which a coin decided whether the item is shown. The effect is what showing
adds to success, -1 to 1. By chance alone the coin goes with success as often as against it:
(shown - propensity) * (success - baseline) has the mean propensity * (1 - propensity) * effect,
whatever else made the unit easy or hard. On that the bets are laid.

In a trial of a skill's two texts an even coin draws the text of each use. The baseline may be any
number that is fixed before the use: here the mean success until then. It is of all kinds of task:
which kind a use was is known only after the text was read, so a text could choose its own baseline.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from msgspec.structs import replace

from learnt.core.coin import EVEN, propensity
from learnt.core.records import Record, Row

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


def evidence(bets: Wealth) -> float:
    """The mean over the stakes: an e-value, whose mean is 1 at most where there is no effect.

    >>> evidence(wealth([])), round(evidence(wealth([(1.0, 12)])), 1)
    (1.0, 372.2)
    """
    top = max(bets)
    mean = math.fsum(math.exp(one - top) for one in bets) / len(bets)
    return math.exp(min(top + math.log(mean), _LARGEST))


def ruled(better: float, worse: float, graded_less: float, alpha: float = ALPHA) -> BetDecision:
    """What e-values amount to. Nothing is better that seems to be graded less often."""
    if worse >= 1 / alpha:
        return BetDecision.WORSE
    helps = better >= 1 / alpha and graded_less < DOUBT
    return BetDecision.BETTER if helps else BetDecision.UNDECIDED


def times_as_much(bets: Wealth, alpha: float = ALPHA) -> float | None:
    """How many times as many units decide, if the others are like these; None if over twenty."""

    def decides(times: float) -> bool:
        return evidence(tuple(times * one for one in bets)) >= 1 / alpha

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


_LEAST: Final = 1e-9
SHARES: Final = (0.01, 0.01, 0.03, 0.1, 0.3, 0.3, 0.125, 0.125)  # of the stakes; they sum to 1
LOOKS: Final = 5  # units from one look at an interval to the next
GRADED: Final = (0.5, 0.8, 0.95)  # how often units may be graded, for the bets on a difference


class Unit(Record):
    """One unit: whether it was shown the item, and how likely that was.

    `success` is 0 to 1, None where nothing was seen; `baseline` is the project's mean success,
    fixed before the item's first unit: any number that chance could not choose does.
    """

    shown: bool
    propensity: float
    success: float | None
    baseline: float


Tally = Mapping[Unit, int]  # how often each kind of unit came; two of them add up


class Unseen(Row):
    """What is taken for the success of units in which nothing was seen, by arm."""

    withheld: float
    shown: float


NO_TROUBLE: Final = Unseen(1.0, 1.0)
FOR_THE_ITEM: Final = Unseen(withheld=0.0, shown=1.0)


class Effect(Record):
    """What is known of an item's effect.

    `low` and `high` hold it with a certainty of 1 - α, however often one looks. `helps`, `hurts`,
    and that units which are shown it are graded less or more often than others, are e-values.
    `more` is about how many units are still needed; None if that can't be foreseen.
    """

    units: int
    shown: int
    estimate: float | None
    low: float
    high: float
    helps: float
    hurts: float
    graded_less: float
    graded_more: float
    ruling: BetDecision
    more: int | None


def gain(
    unit: Unit, effect: float = 0.0, unseen: Unseen = NO_TROUBLE, *, against: bool = False
) -> float:
    """By how much a unit speaks for an effect above this one, or `against` it, below; -1 or more.

    >>> round(gain(Unit(True, 0.5, 1.0, 0.8)), 3), round(gain(Unit(False, 0.5, 0.0, 0.8)), 3)
    (0.25, 1.0)
    """
    chance, success = unit.propensity, _success(unit, unseen)
    most = max(chance, 1 - chance) * max(unit.baseline, 1 - unit.baseline)
    expected = chance * (1 - chance) * effect
    over = (unit.shown - chance) * (success - unit.baseline) - expected
    # By the most that can be lost; so it falls, or rises, in `effect`: an interval has two ends.
    return -over / max(most - expected, _LEAST) if against else over / max(most + expected, _LEAST)


def _success(unit: Unit, unseen: Unseen) -> float:
    return unseen[unit.shown] if unit.success is None else unit.success


def wealth_of(
    tally: Tally, effect: float = 0.0, unseen: Unseen = NO_TROUBLE, *, against: bool = False
) -> Wealth:
    """The log-wealth of bets that an item's effect is above this one, or `against` it, below."""
    return wealth(
        (gain(unit, effect, unseen, against=against), count) for unit, count in tally.items()
    )


def hurts(tally: Tally) -> float:
    """The e-value of harm: it survives that all that was not seen speaks for the item."""
    return evidence(wealth_of(tally, unseen=FOR_THE_ITEM, against=True))


def unequal(tally: Tally) -> tuple[float, float]:
    """The e-values that units which are shown it are graded less, and more, often than others."""
    less, more = [], []
    for often in GRADED:
        seen: Counter[Unit] = Counter()
        for unit, count in tally.items():
            graded = float(unit.success is not None)
            seen[Unit(unit.shown, unit.propensity, graded, often)] += count
        less.append(evidence(wealth_of(seen, against=True)))
        more.append(evidence(wealth_of(seen)))
    return math.fsum(less) / len(less), math.fsum(more) / len(more)


def estimate(tally: Tally) -> float | None:
    """The effect: the difference of the arms' means, within units of one propensity and baseline.

    Each such group counts by what it can tell, n1·n0/(n1+n0): that is least squares with a level of
    its own for each. None if no group has both arms.

    >>> seen = {Unit(True, 0.5, 1.0, 0.8): 3, Unit(True, 0.5, 0.0, 0.8): 1}
    >>> estimate(seen | {Unit(False, 0.5, 1.0, 0.8): 2, Unit(False, 0.5, None, 0.8): 2})
    -0.25
    """
    groups: defaultdict[tuple[float, float], list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for unit, count in tally.items():
        sums = groups[unit.propensity, unit.baseline]
        sums[2 * unit.shown] += count
        sums[2 * unit.shown + 1] += count * _success(unit, NO_TROUBLE)
    both = [(n0, s0, n1, s1) for n0, s0, n1, s1 in groups.values() if n0 and n1]
    if not both:
        return None
    weights = [n0 * n1 / (n0 + n1) for n0, _, n1, _ in both]
    differences = [s1 / n1 - s0 / n0 for n0, s0, n1, s1 in both]
    whole = math.fsum(w * d for w, d in zip(weights, differences, strict=True))
    return whole / math.fsum(weights)


def interval(tally: Tally, alpha: float = ALPHA) -> tuple[float, float]:
    """The effects that the bets do not rule out, α/2 on either side, however often one looks.

    A text is used some fifty times, not some thousand: the larger stakes have larger shares.
    """
    ends = []
    for against in (False, True):
        out, left = (1.0, -1.0) if against else (-1.0, 1.0)  # what is ruled out, and what is not
        for _ in range(STEPS):
            middle = (out + left) / 2
            bets = zip(wealth_of(tally, middle, against=against), SHARES, strict=True)
            shared = tuple(one + math.log(8 * share) for one, share in bets)
            ruled_out = evidence(shared) >= 2 / alpha
            out, left = (middle, left) if ruled_out else (out, middle)
        ends.append(out)
    return ends[0], ends[1]


def narrowed(units: Sequence[Unit], alpha: float = ALPHA) -> tuple[float, float]:
    """As `interval`, of units in order: what was ruled out after some of them stays so."""
    stops = range(len(units), 0, -LOOKS)
    ends = [interval(Counter(units[:stop]), alpha) for stop in stops]
    low, high = (max((e[0] for e in ends), default=-1.0), min((e[1] for e in ends), default=1.0))
    return (low, high) if low <= high else ends[0]


def effect(tally: Tally, alpha: float = ALPHA) -> Effect:
    """All that is known of an item's effect.

    That it helps is said unless its units seem to be graded less often; that it hurts, if it
    survives the unseen.
    """
    above, below = wealth_of(tally), wealth_of(tally, unseen=FOR_THE_ITEM, against=True)
    helps, harm, (less, more_often) = evidence(above), evidence(below), unequal(tally)
    lead = max(above, below, key=max) if less < DOUBT else below
    low, high = interval(tally, alpha)
    point, units = estimate(tally), sum(tally.values())
    times = times_as_much(lead, alpha)
    more: int | None = None
    if times is not None:
        # A unit tells by propensity * (1 - propensity): most while the coin is even.
        known = math.fsum(n * u.propensity * (1 - u.propensity) for u, n in tally.items())
        lacking, more = max(0.0, known * (times - 1)), 0
        while lacking > 0:
            chance = propensity(units + more)
            lacking -= chance * (1 - chance)
            more += 1
    return Effect(
        units=units,
        shown=sum(count for unit, count in tally.items() if unit.shown),
        estimate=None if point is None else min(max(point, low), high),
        low=low,
        high=high,
        helps=helps,
        hurts=harm,
        graded_less=less,
        graded_more=more_often,
        ruling=ruled(helps, harm, less, alpha),
        more=more,
    )


def effect_of_uses(units: Sequence[Unit], alpha: float = ALPHA) -> Effect:
    """All that is known of the effect of a text, by uses in order, whose baselines may differ."""
    low, high = narrowed(units, alpha)
    point = estimate(Counter(replace(unit, baseline=0.5) for unit in units))
    point = None if point is None else min(max(point, low), high)
    return replace(effect(Counter(units), alpha), low=low, high=high, estimate=point)


PRIOR: Final = 4  # uses that the success before the trial counts for


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

    ruling: BetDecision
    seen: int
    before: float | None
    after: float | None
    more: int | None
    better: float
    worse: float
    graded_less: float


class TrialEvidence(Row):
    """What the bets came to after a use: for better, for worse, and that fewer are graded."""

    better: Wealth = wealth(())
    worse: Wealth = wealth(())
    graded_less: Wealth = wealth(())


def units(uses: Iterable[TrialUse], before: float) -> Iterator[tuple[Unit, Unit]]:
    """Each use as the unit of an effect on success, and of one on being graded.

    `before` is the success that was known before the trial.

    >>> [u.baseline for u, _ in units([TrialUse(True, 1.0), TrialUse(False, 0.0)], 0.5)]
    [0.5, 0.6]
    """
    seen, graded = [before] * PRIOR, [1.0] * PRIOR

    def baseline(values: Sequence[float]) -> float:
        return min(max(math.fsum(values) / len(values), 0.05), 0.95)

    for use in uses:
        is_graded = float(use.success is not None)
        yield (
            Unit(use.new, EVEN, use.success, baseline(seen)),
            Unit(use.new, EVEN, is_graded, baseline(graded)),
        )
        seen.append(1.0 if use.success is None else use.success)
        graded.append(is_graded)


def course(uses: Iterable[TrialUse], before: float) -> Iterator[TrialEvidence]:
    """What the bets came to after each use."""
    bets = TrialEvidence()
    for unit, graded in units(uses, before):
        gains = gain(unit), -gain(unit, unseen=FOR_THE_ITEM), -gain(graded)
        bets = TrialEvidence(*(
            tuple(map(sum, zip(bet, wealth([(won, 1)]), strict=True)))
            for bet, won in zip(bets, gains, strict=True)
        ))  # fmt: skip
        yield bets


def ruling(bets: TrialEvidence, alpha: float = ALPHA) -> BetDecision:
    """What the bets amount to, with an error of `alpha` however often one looks."""
    better, worse, graded_less = map(evidence, bets)
    return ruled(better, worse, graded_less, alpha)


def judge(uses: Sequence[TrialUse], before: float, alpha: float = ALPHA) -> Result:
    """The evidence of the uses in order. Its error is `alpha`, at any time.

    Better is said unless the new text seems to be graded less often; worse if it holds even where
    all that was not seen is taken in the new text's favour.
    """
    bets = [TrialEvidence(), *course(uses, before)][-1]
    better, worse, graded_less = map(evidence, bets)
    lead = max(bets.better, bets.worse, key=max) if graded_less < DOUBT else bets.worse
    times = times_as_much(lead, alpha)
    return Result(
        ruling=ruling(bets, alpha),
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
    uses: Sequence[TrialUse], before: float, alpha: float = ALPHA, most: int = 40
) -> list[TrialPoint]:
    """How a trial's evidence grew, at so many points at most; the last is what `judge` says now."""
    stops = {-(-len(uses) * n // most) for n in range(1, most + 1)} - {0}
    points = []
    for count, bets in enumerate(course(uses, before), 1):
        if count in stops:
            seen = uses[:count]
            low, high = interval(Counter(unit for unit, _ in units(seen, before)), alpha)
            points.append(
                TrialPoint(
                    uses=count,
                    better=math.log(evidence(bets.better)),
                    worse=math.log(evidence(bets.worse)),
                    difference=(_mean(seen, new=True) or 0.0) - (_mean(seen, new=False) or 0.0),
                    low=low,
                    high=high,
                )
            )
    return points


def _mean(uses: Iterable[TrialUse], *, new: bool) -> float | None:
    values = [1.0 if use.success is None else use.success for use in uses if use.new == new]
    return math.fsum(values) / len(values) if values else None
