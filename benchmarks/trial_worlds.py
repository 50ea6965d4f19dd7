"""Worlds in which texts are tried and items are shown; what judges them is given from outside.

They import nothing of Learnt: the rules under test come in as functions.
"""

import itertools
import math
import random  # noqa: TID251  # seeded: the same worlds in every run
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

EVEN_UNITS: Final = 40  # shown to half of these, and to nine in ten from there on
# After each use, new or not and its success, by what is known of the old text's success.
Evidence = Callable[[Iterator[tuple[bool, float]], float], Iterator[float]]
Numbers = tuple[float, ...]


class Seen(NamedTuple):
    """One unit, as the ledger would have it, and its chance of success without the item."""

    shown: bool
    propensity: float
    success: float | None
    baseline: float
    chance: float


@dataclass(frozen=True)
class World:
    """Success without the item, what the item adds, and by how much the world drifts meanwhile."""

    base: float
    effect: float
    drift: float = 0.0
    hidden: str = ""  # the arm, shown or withheld, of whose failures 40 % are not seen


WORLDS: Final = tuple(
    World(base, effect, drift)
    for base, drift in ((0.6, 0.0), (0.75, -0.1))
    for effect in (-0.15, 0.0, 0.15)
)


def promotion(evidence: Evidence, texts: Numbers, alpha: float, most: int, name: str) -> float:
    """After how many uses the new text is promoted; infinite if not within so many."""
    chance = random.Random(name)

    def uses() -> Iterator[tuple[bool, float]]:
        for _ in range(most):
            new = chance.random() < 0.5
            yield new, float(chance.random() < texts[new])

    found = (at for at, held in enumerate(evidence(uses(), texts[0]), 1) if held >= 1 / alpha)
    return next(found, math.inf)


def promotions(evidence: Evidence, texts: Numbers, runs: int, most: int, name: str) -> list[float]:
    """The uses that each of many trials at a level of 5 % took."""
    return [promotion(evidence, texts, 0.05, most, f"{name} {run}") for run in range(runs)]


class Sessions(NamedTuple):
    """How often a use of either text succeeds, and how often a session that has it uses it."""

    old: float
    new: float
    use_old: float = 1.0
    use_new: float = 1.0


def sessions_taken(
    evidence: Evidence, world: Sessions, alpha: float, runs: int, most: int, name: str
) -> list[float]:
    """The sessions that each of many trials took to promote the new text; infinite if more.

    A coin draws the text of each session, which uses it or not.
    """

    def one(chance: random.Random) -> float:
        used: list[int] = []

        def uses() -> Iterator[tuple[bool, float]]:
            for session in range(1, most + 1):
                new = chance.random() < 0.5
                if chance.random() < (world.use_new if new else world.use_old):
                    used.append(session)
                    yield new, float(chance.random() < (world.new if new else world.old))

        before = sum(chance.random() < world.old for _ in range(10)) / 10
        found = any(held >= 1 / alpha for held in evidence(uses(), before))
        return used[-1] if found else math.inf

    return [one(random.Random(f"{name} {run}")) for run in range(runs)]


def window_promotions(
    promotes: Callable[[Sequence[float], Sequence[float]], bool], rate: float, runs: int, name: str
) -> float:
    """How often ten executions after, against ten before, promote a text that is like the old."""
    chance = random.Random(name)
    promoted = 0
    for _ in range(runs):
        drawn = [float(chance.random() < rate) for _ in range(20)]
        promoted += promotes(drawn[:10], drawn[10:])
    return promoted / runs


def units(world: World, count: int, name: str) -> Iterator[Seen]:
    """The units of one item; the baseline is the mean of forty that came before."""
    chance = random.Random(name)
    baseline = sum(chance.random() < world.base for _ in range(40)) / 40
    for number in range(count):
        propensity = 0.5 if number < EVEN_UNITS else 0.9
        shown = chance.random() < propensity
        without = world.base + world.drift * number / count
        success: float | None = float(chance.random() < without + world.effect * shown)
        hides = world.hidden == ("shown" if shown else "withheld")
        if hides and not success and chance.random() < 0.4:
            success = None
        yield Seen(shown, propensity, success, baseline, without)


class Estimated(NamedTuple):
    """What the estimates of many items of one world came to."""

    bias: float
    rmse: float
    bound: float  # of the rmse, for the design


def estimated(
    estimate: Callable[[Sequence[Seen]], float | None], world: World, runs: int, name: str
) -> Estimated:
    """The estimates after five hundred units, against what the world really does."""
    off, bounds = [], []
    for run in range(runs):
        seen = list(units(world, 500, f"{name} {run}"))
        off.append((estimate(seen) or 0.0) - world.effect)
        spread = [u.chance * (1 - u.chance) / (u.propensity * (1 - u.propensity)) for u in seen]
        bounds.append(sum(spread) / len(seen) ** 2)
    rmse = math.sqrt(sum(one * one for one in off) / runs)
    return Estimated(sum(off) / runs, rmse, math.sqrt(sum(bounds) / runs))


def covered(
    sides: Callable[[Seen, float], tuple[Numbers, Numbers]],
    evidence: Callable[[Numbers], float],
    world: World,
    runs: int,
    name: str,
) -> float:
    """How often 95 % intervals held the effect after each of five hundred units.

    `sides` gives what one unit adds to the bets above the true effect, and to those below it.
    """
    held = 0
    for run in range(runs):
        totals: list[Numbers] = [(), ()]
        for unit in units(world, 500, f"{name} {run}"):
            for side, added in enumerate(sides(unit._replace(chance=0.0), world.effect)):
                before = totals[side] or (0.0,) * len(added)
                totals[side] = tuple(map(sum, zip(before, added, strict=True)))
            if max(map(evidence, totals)) >= 2 / 0.05:
                break
        else:
            held += 1
    return held / runs


def ever_said(
    says: Callable[[Sequence[Seen]], bool],
    world: World,
    runs: int,
    name: str,
    *,
    every: int = 20,
    most: int = 500,
) -> float:
    """In which share of runs something is said at one of the looks at so many units."""
    said = 0
    for run in range(runs):
        seen = list(units(world, most, f"{name} {run}"))
        said += any(says(seen[:count]) for count in range(every, most + 1, every))
    return said / runs


def used(texts: Numbers, uses: int, name: str) -> Iterator[Seen]:
    """The uses of a skill in a trial: an even coin, and the mean success until then."""
    chance, known = random.Random(name), [texts[0]] * 4
    for _ in range(uses):
        new = chance.random() < 0.5
        success = float(chance.random() < texts[new])
        yield Seen(new, 0.5, success, min(max(sum(known) / len(known), 0.05), 0.95), texts[0])
        known.append(success)


class Width(NamedTuple):
    """How wide an interval is, by that of a fixed sample, and whether it holds the effect."""

    ratio: float
    holds: bool


def widths(
    interval: Callable[[Sequence[Seen]], tuple[float, float]],
    texts: Numbers,
    uses: int,
    runs: int,
    name: str,
) -> list[Width]:
    """Intervals after so many uses, beside those of a fixed sample of that size."""
    found = []
    for run in range(runs):
        seen = list(used(texts, uses, f"{name} {run}"))
        low, high = interval(seen)
        holds = low <= texts[1] - texts[0] <= high
        fixed = fixed_width((one.shown, one.success or 0.0) for one in seen)
        found.append(Width((high - low) / fixed, holds))
    return found


def fixed_width(uses: Iterable[tuple[bool, float]]) -> float:
    """How wide the interval of a sample of fixed size is (Agresti and Caffo); uses are by arm."""
    spread, seen = 0.0, list(uses)
    for arm in (False, True):
        own = [success for shown, success in seen if shown == arm]
        mean = (sum(own) + 1) / (len(own) + 2)
        spread += mean * (1 - mean) / (len(own) + 2)
    return 2 * 1.96 * math.sqrt(spread)


def masks(
    harm: Callable[[Sequence[Seen]], float],
    masked: Callable[[Mapping[int, float]], Sequence[int]],
    libraries: int,
    name: str,
) -> tuple[float, float, float]:
    """Libraries of forty items: the share of wrong masks at the first one and at the end.

    One in four items hurts; the rest do nothing, or help. Third: the part of the harmful found.
    """
    effects = [-0.3, -0.2] * 5 + [0.0] * 20 + [0.15] * 10
    first, last, found = [], [], []
    for library in range(libraries):
        items = [
            list(units(World(0.7, effect), 400, f"{name} {library} {item}"))
            for item, effect in enumerate(effects)
        ]
        wrong: list[float] = []
        for count in range(20, 401, 20):
            said = masked({item: harm(seen[:count]) for item, seen in enumerate(items)})
            if said:
                wrong.append(sum(effects[item] >= 0 for item in said) / len(said))
        first.append(wrong[0] if wrong else 0.0)
        last.append(wrong[-1] if said else 0.0)
        found.append(sum(effects[item] < 0 for item in said) / 10)
    return sum(first) / libraries, sum(last) / libraries, sum(found) / libraries


def stream(
    evidence: Evidence, level: Callable[[int, int], float], streams: int, name: str
) -> tuple[float, float]:
    """Thirty trials in a row, of which ten are of better texts: wrong promotions, and power."""
    wrongs, founds = [], []
    for run in range(streams):
        said: list[bool] = []
        for number, better in zip(range(1, 31), itertools.cycle((True, False, False))):
            texts = (0.6, 0.85 if better else 0.6)
            taken = promotion(
                evidence, texts, level(number, len(said)), 400, f"{name} {run} {number}"
            )
            if taken < math.inf:
                said.append(better)
        wrongs.append(said.count(False) / max(1, len(said)))
        founds.append(said.count(True) / 10)
    return sum(wrongs) / streams, sum(founds) / streams
