"""How well confidence is calibrated in four simulated worlds, which share no code with it.

    python -m benchmarks.confidence [--facts 400] [--days 730] [--seed 7]

A fact is true for a lifetime drawn from an exponential of its kind's rate, times a Gamma of mean 1
whose variance is the world's; it is used every 2, 7 or 30 days, and each use succeeds or fails: a
true fact fails falsely, a stale one succeeds by luck, each with the world's rate. Stale facts are
corrected, as new, after four failures. Before each use the confidence is read and compared with
whether the fact was true. Beside ours: the seed's formula, and a Bayes filter that knows the
world's rates, which is the best that can be done.

ECE: expected calibration error over ten bins of equal width, over all reads, over those of facts
that have failed since they were last as new, and over those that follow a failure at once. Brier:
the mean squared difference.
"""

import math
import random  # noqa: TID251  # seeded: the same worlds in every run
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from benchmarks.report import Tables, run, verdict
from learnt.core.knowledge import confidence as ours

RATES: Final = {
    "schema": 0.003, "tool_experience": 0.005, "business_rule": 0.008, "query_pattern": 0.015,
    "data_range": 0.035, "data_snapshot": 0.050,
}  # fmt: skip
EVERY: Final = (2, 7, 30)
CORRECTED_AFTER: Final = 4
SUCCESS, FAILURE = 0.3, 1.5  # what a check is worth, by id
START: Final = date(2026, 1, 1)
Row = dict[str, object]


@dataclass(frozen=True)
class World:
    """How often a true fact fails and a stale one succeeds, and how unlike lifetimes are."""

    name: str
    false_failure: float
    lucky_success: float
    variance: float


WORLDS: Final = (
    World("calm", 0.05, 0.10, 0.0),
    World("unlike", 0.05, 0.10, 1.0),
    World("noisy", 0.10, 0.20, 1.0),
    World("clean", 0.02, 0.05, 2.0),
)


@dataclass(frozen=True)
class Read:
    """One look at a fact before its use: whether it was true, and what each says of it."""

    true: bool
    failed_last: bool
    failed_since: bool  # at all, since it was last as new
    said: dict[str, float]


class Filter:
    """The exact chance of being true, by Bayes, knowing the world's rates and the kind's.

    Lifetimes are unlike: the chance is kept for each of some rates, as the world mixes them.
    """

    def __init__(self, world: World, rate: float) -> None:
        self._world = world
        self._rates = [rate * one for one in _mixture(world.variance)]
        self._true = [1 / len(self._rates)] * len(self._rates)

    def _later(self, days: float) -> list[float]:
        return [
            chance * math.exp(-rate * days)
            for chance, rate in zip(self._true, self._rates, strict=True)
        ]

    def at(self, days: float) -> float:
        """After so many days since the last look."""
        return sum(self._later(days))

    def saw(self, *, success: bool, days: float) -> None:
        """A use, so many days after the last."""
        world, later = self._world, self._later(days)
        if_true = 1 - world.false_failure if success else world.false_failure
        if_stale = world.lucky_success if success else 1 - world.lucky_success
        true = [chance * if_true for chance in later]
        stale = (1 - sum(later)) * if_stale
        whole = sum(true) + stale
        self._true = [chance / whole for chance in true]


@cache
def _mixture(variance: float) -> tuple[float, ...]:
    """Forty equally likely values of a Gamma of mean 1 and this variance."""
    if variance == 0:
        return (1.0,)
    chance = random.Random(f"mixture {variance}")
    drawn = sorted(chance.gammavariate(1 / variance, variance) for _ in range(8_000))
    return tuple(sum(drawn[start : start + 200]) / 200 for start in range(0, 8_000, 200))


def life(world: World, kind: str, every: int, days: int, chance: random.Random) -> Iterator[Read]:
    """One fact's reads, until the days are over."""
    rate = RATES[kind]
    day, last = 0, 0
    alive_until = _lifetime(world, rate, chance)
    belief = ours.Belief(kind=kind, confirmed=START)
    bayes, failures, failed = Filter(world, rate), 0, False
    while (day := day + every) <= days:
        true = day < alive_until
        now = START + timedelta(day)
        yield Read(
            true=true,
            failed_last=failed,
            failed_since=belief.beta > 0,
            said={
                "posterior": ours.confidence(belief, now),
                "classic": ours.confidence(belief, now, "classic"),
                "bayes": bayes.at(day - last),
            },
        )
        good = chance.random() >= (world.false_failure if true else 1 - world.lucky_success)
        bayes.saw(success=good, days=day - last)
        last = day
        failed = not good
        if good:
            belief = ours.after_success(belief, SUCCESS, now)
            continue
        belief = ours.after_failure(belief, FAILURE)
        failures += not true
        if failures >= CORRECTED_AFTER:
            belief, failures, failed = ours.after_reset(belief, now), 0, False
            bayes = Filter(world, rate)
            alive_until = day + _lifetime(world, rate, chance)


def _lifetime(world: World, rate: float, chance: random.Random) -> float:
    shape = 1 / world.variance if world.variance else 0.0
    scale = chance.gammavariate(shape, world.variance) if world.variance else 1.0
    return chance.expovariate(rate * max(scale, 1e-9))


def reads(world: World, facts: int, days: int, seed: int) -> list[Read]:
    """All reads of a world: so many facts of each kind and rhythm."""
    found: list[Read] = []
    for kind in RATES:
        for every in EVERY:
            for number in range(facts // (len(RATES) * len(EVERY)) + 1):
                chance = random.Random(f"{seed} {world.name} {kind} {every} {number}")
                found += life(world, kind, every, days, chance)
    return found


def brier(found: Iterable[Read], by: str) -> float:
    """The mean squared difference between what was said and what was."""
    squares = [(read.said[by] - read.true) ** 2 for read in found]
    return sum(squares) / len(squares)


def calibration(found: Iterable[Read], by: str) -> float:
    """The expected calibration error over ten bins."""
    bins: defaultdict[int, list[tuple[float, bool]]] = defaultdict(list)
    count = 0
    for read in found:
        bins[min(9, int(10 * read.said[by]))].append((read.said[by], read.true))
        count += 1
    return sum(
        abs(sum(said for said, _ in held) - sum(true for _, true in held)) / count
        for held in bins.values()
    )


def measure(facts: int, days: int, seed: int) -> list[Row]:
    """Each world's figures, and the goals."""
    rows: list[Row] = []
    for world in WORLDS:
        found = reads(world, facts, days, seed)
        since = [read for read in found if read.failed_since]
        last = [read for read in found if read.failed_last]
        classic = brier(found, "classic")
        for by in ("posterior", "classic", "bayes"):
            ece, late, score = calibration(found, by), calibration(since, by), brier(found, by)
            mine = by == "posterior"
            rows.append({
                "world": world.name,
                "by": by,
                "reads": len(found),
                "true": round(sum(read.true for read in found) / len(found), 3),
                "ECE": round(ece, 4),
                "goal": verdict(ece, 0.05) if mine else "",
                "since a failure": round(late, 4),
                "goal then": verdict(late, 0.06) if mine else "",
                "next after one": round(calibration(last, by), 4),
                "Brier": round(score, 4),
                "of classic's": round(score / classic, 3),
            })
    return rows


def main(*, facts: int = 1_800, days: int = 730, seed: int = 7) -> Tables:
    """Measure."""
    return {"Confidence": measure(facts, days, seed)}


if __name__ == "__main__":
    run(main)
