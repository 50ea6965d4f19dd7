"""How well a drop in a skill's success is noticed.

    python -m benchmarks.health [--json] [--learnt] [--skills 4000]

Simulated skills (`health_py`). The median of executions to the alarm, beside that of a CUSUM
that knows both rates, and false alarms in 1,000 executions without a drop. The rate before is
known; with --learnt, in JSON, it is learnt from the thirty executions before. What watches a skill
is given one grade after another, says of each whether it raises an alarm, and goes on after one.
"""

import math
import random  # noqa: TID251  # seeded: the same worlds in every run
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from statistics import median
from typing import Final

from benchmarks.report import run, verdict
from learnt.core.health import trends
from learnt.core.health.trends import DEGRADING, classic

Watch = Callable[[float], bool]
CELLS = 200  # of the lattice that an oracle's score is put on


def life(rate: float, seed: str) -> Iterator[float]:
    """A skill's grades without end, 1 or 0, at one rate."""
    chance = random.Random(seed).random
    while True:
        yield 1.0 if chance() < rate else 0.0


def false_alarms(
    watches: Callable[[], Watch], rate: float, taught: int, skills: int, seed: int
) -> float:
    """Alarms in 1,000 executions of skills that stay as they are, after they were taught."""
    alarms = 0
    for skill in range(skills):
        saw, grades = watches(), life(rate, f"{seed} steady {rate} {skill}")
        for _ in range(taught):
            saw(next(grades))
        alarms += sum(map(saw, islice(grades, 1_000)))
    return alarms / skills


def delay(
    watches: Callable[[], Watch], drop: tuple[float, float], taught: int, skills: int, seed: int
) -> float:
    """The median of executions from a drop to its alarm; it comes as soon as a skill is taught.

    That is the worst moment: the score of what watches is at its lowest.
    """
    found: list[int] = []
    for skill in range(skills):
        saw = watches()
        healthy, dropped = (life(rate, f"{seed} {drop} {rate} {skill}") for rate in drop)
        for _ in range(taught):
            saw(next(healthy))
        took = (count for count, grade in enumerate(dropped, start=1) if saw(grade))
        found.append(next(took))
    return median(found)


def oracle(before: float, after: float) -> Callable[[], Watch]:
    """A CUSUM that knows both rates, with one false alarm in 1,000 executions."""
    failure, success = math.log((1 - after) / (1 - before)), math.log(after / before)
    low, high = 0.1, 20.0
    while high - low > 0.005:
        middle = (low + high) / 2
        if run_length(before, failure, success, middle) < 1_000:
            low = middle
        else:
            high = middle

    def watch() -> Watch:
        score = 0.0

        def saw(grade: float) -> bool:
            nonlocal score
            score = max(0.0, score if score < high else 0.0) + (success if grade else failure)
            return score >= high

        return saw

    return watch


def run_length(rate: float, failure: float, success: float, limit: float) -> float:
    """Executions to a CUSUM's false alarm: those of a cycle by the chance of an alarm in it.

    A cycle begins at 0 and ends there or at the limit. A step between two cells of the
    lattice is shared by both.
    """
    cell = limit / CELLS
    steps = [
        (chance * share, int(whole) + more)
        for chance, step in ((1 - rate, failure), (rate, success))
        for whole in (math.floor(step / cell),)
        for more, share in ((1, step / cell - whole), (0, 1 - step / cell + whole))
    ]
    mass, took, over = {0: 1.0}, 0.0, 0.0
    while (held := sum(mass.values())) > 1e-9:
        took += held
        moved: dict[int, float] = {}
        for place, part in mass.items():
            for chance, step in steps:
                if place + step >= CELLS:
                    over += part * chance
                elif place + step > 0:
                    moved[place + step] = moved.get(place + step, 0.0) + part * chance
        mass = moved
    return took / over if over else math.inf


DROPS: Final = (
    (0.90, 0.70), (0.95, 0.75), (0.90, 0.50), (0.80, 0.60), (0.80, 0.40), (0.70, 0.50),
    (0.60, 0.30),
)  # fmt: skip
SEED: Final = 7
Row = dict[str, object]


def charted(chart: trends.Chart) -> Callable[[], Watch]:
    """What watches by a chart."""

    def watch() -> Watch:
        score = 0.0

        def saw(grade: float) -> bool:
            nonlocal score
            score = chart.score(score, grade)
            return score >= chart.limit

        return saw

    return watch


def taught() -> Watch:
    """What learns its chart from the first thirty grades and watches from then on."""
    grades: list[float] = []
    watch: Watch | None = None

    def saw(grade: float) -> bool:
        nonlocal watch
        if watch is not None:
            return watch(grade)
        grades.append(grade)
        chart = trends.learnt(grades)
        watch = charted(chart)() if chart else None
        return False

    return saw


def seeds_rule() -> Watch:
    """The seed's alarm: mean less least, over all grades, above 0.3."""
    grades: list[float] = []

    def saw(grade: float) -> bool:
        grades.append(grade)
        return classic(grades).gap > DEGRADING

    return saw


def drops(skills: int) -> list[Row]:
    """Each drop with the rate known, and learnt."""
    alarms = cache(false_alarms)
    rows: list[Row] = []
    for known in (True, False):
        for drop in DROPS:
            watch = charts(drop[0]) if known else taught
            lessons = 0 if known else trends.TAUGHT
            best = best_delay(drop, skills)
            median = delay(watch, drop, lessons, 2 * skills, SEED)
            false = alarms(watch, drop[0], lessons, skills, SEED)
            goal = (22 if known else 42) if drop == (0.9, 0.7) else 2 * best
            rows.append({
                "from": drop[0],
                "to": drop[1],
                "rate": "known" if known else "learnt",
                "median": median,
                "oracle_median": best,
                "false_alarms_per_1000": round(false, 3),
                "goal": verdict(median, goal),
                "and": verdict(round(false, 3), 1.0),
            })
    return rows


@cache
def charts(rate: float) -> Callable[[], Watch]:
    """What watches a known rate: the same for each drop from it."""
    return charted(trends.known(rate))


@cache
def best_delay(drop: tuple[float, float], skills: int) -> float:
    """The median of executions that a CUSUM needs which knows both rates."""
    return delay(oracle(*drop), drop, 0, 2 * skills, SEED)


def main(*, skills: int = 4_000, learnt: bool = False, as_json: bool) -> dict[str, object]:
    """Simulate so many skills for each rate; with --learnt the JSON has drops from a learnt one."""
    dropped = drops(skills)
    if as_json:
        keys = ("from", "to", "median", "oracle_median", "false_alarms_per_1000")
        rate = "learnt" if learnt else "known"
        return {
            "drops": [{key: row[key] for key in keys} for row in dropped if row["rate"] == rate]
        }
    few = 20  # the seed's rule looks at all grades each time
    false = false_alarms(seeds_rule, 0.9, 0, few, SEED)
    told = f"{false:.0f} alarms in 1,000"
    return {"Drops": dropped, "The seed's rule, mean less least above 0.3, at .90": told}


if __name__ == "__main__":
    run(main)
