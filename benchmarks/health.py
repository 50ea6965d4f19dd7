"""How well a drop in a skill's success is noticed.

    python -m benchmarks.health [--json] [--learnt] [--skills 4000]

Simulated skills (`health_worlds.py`). The median of executions to the alarm, beside that of a CUSUM
that knows both rates, and false alarms in 1,000 executions without a drop. The rate before is
known; with --learnt, in JSON, it is learnt from the thirty executions before.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from benchmarks import health_worlds as worlds
from benchmarks.report import run, verdict
from learnt.core.health import trends
from learnt.core.health.trends import DEGRADING, classic

DROPS: Final = (
    (0.90, 0.70), (0.95, 0.75), (0.90, 0.50), (0.80, 0.60), (0.80, 0.40), (0.70, 0.50),
    (0.60, 0.30),
)  # fmt: skip
SEED: Final = 7
Row = dict[str, object]


def charted(chart: trends.Chart) -> Callable[[], worlds.Watch]:
    """What watches by a chart."""

    def watch() -> worlds.Watch:
        score = 0.0

        def saw(grade: float) -> bool:
            nonlocal score
            score = chart.score(score, grade)
            return score >= chart.limit

        return saw

    return watch


def taught() -> worlds.Watch:
    """What learns its chart from the first thirty grades and watches from then on."""
    grades: list[float] = []
    watch: worlds.Watch | None = None

    def saw(grade: float) -> bool:
        nonlocal watch
        if watch is not None:
            return watch(grade)
        grades.append(grade)
        chart = trends.learnt(grades)
        watch = charted(chart)() if chart else None
        return False

    return saw


def seeds_rule() -> worlds.Watch:
    """The seed's alarm: mean less least, over all grades, above 0.3."""
    grades: list[float] = []

    def saw(grade: float) -> bool:
        grades.append(grade)
        return classic(grades).gap > DEGRADING

    return saw


def drops(skills: int) -> list[Row]:
    """Each drop with the rate known, and learnt."""
    alarms = cache(worlds.false_alarms)
    rows: list[Row] = []
    for known in (True, False):
        for drop in DROPS:
            watch = charts(drop[0]) if known else taught
            lessons = 0 if known else trends.TAUGHT
            best = best_delay(drop, skills)
            median = worlds.delay(watch, drop, lessons, 2 * skills, SEED)
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
def charts(rate: float) -> Callable[[], worlds.Watch]:
    """What watches a known rate: the same for each drop from it."""
    return charted(trends.known(rate))


@cache
def best_delay(drop: tuple[float, float], skills: int) -> float:
    """The median of executions that a CUSUM needs which knows both rates."""
    return worlds.delay(worlds.oracle(*drop), drop, 0, 2 * skills, SEED)


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
    false = worlds.false_alarms(seeds_rule, 0.9, 0, few, SEED)
    told = f"{false:.0f} alarms in 1,000"
    return {"Drops": dropped, "The seed's rule, mean less least above 0.3, at .90": told}


if __name__ == "__main__":
    run(main)
