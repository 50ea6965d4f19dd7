"""What it changes that an item is shown: the effect, how sure that is, and how many units it takes.

A unit is one session for which a coin decided whether the item is shown. The effect is what showing
adds to success, -1 to 1. By chance alone the coin goes with success as often as against it:
(shown - propensity) * (success - baseline) has the mean propensity * (1 - propensity) * effect,
whatever else made the unit easy or hard. On that `bets` are laid.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from learnt.core.coin import propensity
from learnt.core.health import trials
from learnt.core.records import Record, Row

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
    ruling: trials.BetDecision
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
) -> trials.Wealth:
    """The log-wealth of bets that an item's effect is above this one, or `against` it, below."""
    return trials.wealth(
        (gain(unit, effect, unseen, against=against), count) for unit, count in tally.items()
    )


def hurts(tally: Tally) -> float:
    """The e-value of harm: it survives that all that was not seen speaks for the item."""
    return trials.evidence(wealth_of(tally, unseen=FOR_THE_ITEM, against=True))


def unequal(tally: Tally) -> tuple[float, float]:
    """The e-values that units which are shown it are graded less, and more, often than others."""
    less, more = [], []
    for often in GRADED:
        seen: Counter[Unit] = Counter()
        for unit, count in tally.items():
            graded = float(unit.success is not None)
            seen[Unit(unit.shown, unit.propensity, graded, often)] += count
        less.append(trials.evidence(wealth_of(seen, against=True)))
        more.append(trials.evidence(wealth_of(seen)))
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


def interval(tally: Tally, alpha: float = trials.ALPHA) -> tuple[float, float]:
    """The effects that the bets do not rule out, α/2 on either side, however often one looks.

    A text is used some fifty times, not some thousand: the larger stakes have larger shares.

    >>> interval({})
    (-1.0, 1.0)
    """

    def held(value: float, against: bool) -> trials.Wealth:  # as it is asked for
        every = wealth_of(tally, value, against=against)
        return tuple(one + math.log(8 * share) for one, share in zip(every, SHARES, strict=True))

    return trials.not_ruled_out(held, alpha)


def narrowed(units: Sequence[Unit], alpha: float = trials.ALPHA) -> tuple[float, float]:
    """As `interval`, of units in order: what was ruled out after some of them stays so.

    >>> narrowed([Unit(True, 0.5, 1.0, 0.5), Unit(False, 0.5, 0.0, 0.5)] * 20)[0] > 0.2
    True
    """
    stops = range(len(units), 0, -LOOKS)
    ends = [interval(Counter(units[:stop]), alpha) for stop in stops]
    low, high = (max((e[0] for e in ends), default=-1.0), min((e[1] for e in ends), default=1.0))
    return (low, high) if low <= high else ends[0]


def effect(tally: Tally, alpha: float = trials.ALPHA) -> Effect:
    """All that is known of an item's effect.

    That it helps is said unless its units seem to be graded less often; that it hurts, if it
    survives the unseen.
    """
    above, below = wealth_of(tally), wealth_of(tally, unseen=FOR_THE_ITEM, against=True)
    helps, harm, (less, more) = trials.evidence(above), trials.evidence(below), unequal(tally)
    held = max(above, below, key=max) if less < trials.DOUBT else below
    low, high = interval(tally, alpha)
    point = estimate(tally)
    return Effect(
        units=sum(tally.values()),
        shown=sum(count for unit, count in tally.items() if unit.shown),
        estimate=None if point is None else min(max(point, low), high),
        low=low,
        high=high,
        helps=helps,
        hurts=harm,
        graded_less=less,
        graded_more=more,
        ruling=trials.ruled(helps, harm, less, alpha),
        more=_more(tally, trials.times_as_much(held, alpha)),
    )


def effect_of_uses(units: Sequence[Unit], alpha: float = trials.ALPHA) -> Effect:
    """All that is known of the effect of a text, by uses in order, whose baselines may differ."""
    low, high = narrowed(units, alpha)
    point = estimate(Counter(replace(unit, baseline=0.5) for unit in units))
    point = None if point is None else min(max(point, low), high)
    return replace(effect(Counter(units), alpha), low=low, high=high, estimate=point)


def _more(tally: Tally, times: float | None) -> int | None:
    """The units until there is so many times as much to go by.

    A unit tells by propensity * (1 - propensity): most while the coin is even.
    """
    if times is None:
        return None
    told = math.fsum(n * u.propensity * (1 - u.propensity) for u, n in tally.items())
    lacking, units = max(0.0, told * (times - 1)), sum(tally.values())
    more = 0
    while lacking > 0:
        chance = propensity(units + more)
        lacking -= chance * (1 - chance)
        more += 1
    return more
