"""How well a skill's health is told: the next outcome, changes of cost, and drops of success.

    python -m benchmarks.health [--root DIR] [--json] [--learnt] [--skills 4000]

Forecast: the Brier score of the next verdict in real CI histories by their past alone, of those
with twenty runs and more, the first five skipped. Changes: F1 with a margin of 5 against the
annotators of TCPD, averaged over its series. Both are measured as the evaluation data's own
baselines are, and their intervals are bootstrap ones over histories or series. DIR is the folder of
those data, or one of its halves; without them the figures are null and the reason is printed.

Drops: simulated skills (`health_worlds.py`). The median of executions to the alarm, beside that of
a CUSUM that knows both rates, and false alarms in 1,000 executions without a drop. The rate before
is known; with --learnt, in JSON, it is learnt from the thirty executions before.
"""

import argparse
import gzip
import json
import random  # noqa: TID251  # seeded: the same intervals in every run
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks import health_worlds as worlds
from benchmarks.report import table, verdict
from learnt.core.health import trends
from learnt.core.health.trends import DEGRADING, classic, forecast, pieces

ROOT: Final = Path(__file__).resolve().parent.parent.parent / "shared" / "evaluation"
DROPS: Final = (
    (0.90, 0.70), (0.95, 0.75), (0.90, 0.50), (0.80, 0.60), (0.80, 0.40), (0.70, 0.50),
    (0.60, 0.30),
)  # fmt: skip
MARGIN: Final = 5
SEED: Final = 7
RESAMPLED: Final = 2_000
Row = dict[str, object]
Rule = Callable[[Sequence[int]], float]  # of earlier verdicts, 1 = failed: that the next fails


def data_of(root: Path, name: str, file: str) -> dict[str, Any] | None:
    """One set of the evaluation data; None, and a line that says so, where it is not there."""
    for folder in (root / name, root / "dev" / name):
        if (folder / file).is_file():
            with gzip.open(folder / file, "rt", encoding="utf-8") as text:
                return dict(json.load(text))
    print(f"{name} is not under {root}: its figure is null", file=sys.stderr)
    return None


def begun(values: Sequence[float]) -> list[int]:
    """Where pieces begin but the first."""
    return [piece.start for piece in pieces(values)[1:]]


# --- the next verdict


def ours(past: Sequence[int]) -> float:
    """The forecast under test."""
    return 1 - forecast([1 - failed for failed in past])


def moving(share: float, start: float) -> Rule:
    """An exponential moving average, as the seed's 0.3."""

    def rule(past: Sequence[int]) -> float:
        said = start
        for failed in past:
            said += share * (failed - said)
        return said

    return rule


def squares(history: Sequence[int], rule: Rule) -> list[float]:
    """The squared errors of a rule from the sixth run on."""
    said = [min(max(rule(history[:at]), 0.01), 0.99) for at in range(5, len(history))]
    return [(one - failed) ** 2 for one, failed in zip(said, history[5:], strict=True)]


def briers(data: Mapping[str, Any]) -> list[Row]:
    """The Brier score of ours and of the simple rules, which are told how often tests fail."""
    histories = [[run[2] for run in runs] for runs in data.values() if len(runs) >= 20]
    base = fmean(failed for history in histories for failed in history)
    rules: dict[str, Rule] = {
        "ours": ours,
        "the seed's moving average, 0.3": moving(0.3, base),
        "moving average, 0.1": moving(0.1, base),
        "all that was": lambda past: (sum(past) + 1) / (len(past) + 2),
    }
    rows: list[Row] = []
    for name, rule in rules.items():
        errors = [squares(history, rule) for history in histories]
        sums = [(sum(one), len(one)) for one in errors]
        low, high = resampled(sums, _pooled)
        score = _pooled(sums)
        goal = verdict(score, 0.172) if name == "ours" else ""
        rows.append({"rule": name, "Brier": round(score, 4), "95 %": f"{low:.4f} to {high:.4f}"})
        rows[-1] |= {"goal": goal, "histories": len(sums), "runs": sum(n for _, n in sums)}
    return rows


def _pooled(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(count for _, count in sums)


def resampled(drawn: Sequence[Any], of: Callable[[Sequence[Any]], float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a figure."""
    chance = random.Random(SEED)
    found = sorted(of(chance.choices(drawn, k=len(drawn))) for _ in range(RESAMPLED))
    return found[round(0.025 * RESAMPLED)], found[round(0.975 * RESAMPLED)]


# --- changes


def f1(annotated: Mapping[str, Sequence[int]], found: Sequence[int]) -> float:
    """Precision against all annotators together, recall averaged over them; a start counts."""
    marks, told = [set(one) | {0} for one in annotated.values()], set(found) | {0}
    precision = _hits(set().union(*marks), told) / len(told)
    recall = fmean(_hits(one, told) / len(one) for one in marks)
    return 2 * precision * recall / (precision + recall)


def _hits(true: set[int], told: set[int]) -> int:
    left, hits = set(told), 0
    for mark in sorted(true):
        near = min(left, key=lambda one: (abs(one - mark), one), default=None)
        if near is not None and abs(near - mark) <= MARGIN:
            left.remove(near)
            hits += 1
    return hits


def filled(values: Sequence[float | None]) -> list[float]:
    """A series whose gaps lie on the line between their neighbours."""
    known = [at for at, value in enumerate(values) if value is not None]
    whole: list[float] = []
    for at, value in enumerate(values):
        if value is None:
            before = max((one for one in known if one < at), default=known[0])
            after = min((one for one in known if one > at), default=known[-1])
            low, high = float(values[before] or 0), float(values[after] or 0)
            value = low + (high - low) * (at - before) / ((after - before) or 1)
        whole.append(float(value))
    return whole


def partitions(data: Mapping[str, Any]) -> list[Row]:
    """F1 of ours and of never a change, by series and over all; of a table, of all its columns."""
    rows: list[Row] = []
    for name, series in data.items():
        if series["annotations"]:
            found = {one for column in series["series"] for one in begun(filled(column["raw"]))}
            ours, never = (f1(series["annotations"], marks) for marks in (sorted(found), []))
            rows.append({"series": name, "ours": round(ours, 4), "never": round(never, 4)})
    low, high = resampled([row["ours"] for row in rows], fmean)
    means = {one: fmean(float(str(row[one])) for row in rows) for one in ("ours", "never")}
    rows.append({"series": f"mean of {len(rows)}", **{k: round(v, 4) for k, v in means.items()}})
    goal = "met" if means["ours"] >= 0.676 else "MISSED"
    rows[-1] |= {"95 %": f"{low:.3f} to {high:.3f}", "goal": f"PELT's 0.676: {goal}"}
    return rows


# --- drops


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


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the evaluation sets")
    parser.add_argument("--json", action="store_true", help="print the bare figures")
    parser.add_argument("--learnt", action="store_true", help="in JSON: drops from a learnt rate")
    parser.add_argument("--skills", type=int, default=4_000, help="simulated for each rate")
    words = parser.parse_args()
    runs = data_of(words.root, "health_ci_iofrol", "tests.json.gz")
    series = data_of(words.root, "health_tcpd", "series.json.gz")
    forecasts = briers(runs) if runs else []
    cuts = partitions(series) if series else []
    dropped = drops(words.skills)
    if words.json:
        keys = ("from", "to", "median", "oracle_median", "false_alarms_per_1000")
        rate = "learnt" if words.learnt else "known"
        told = [{key: row[key] for key in keys} for row in dropped if row["rate"] == rate]
        brier = forecasts[0]["Brier"] if forecasts else None
        tcpd = cuts[-1]["ours"] if cuts else None
        print(json.dumps({"brier": brier, "tcpd_f1": tcpd, "drops": told}))
        return 0
    table("The next verdict", forecasts)
    table("Changes", cuts)
    table("Drops", dropped)
    few = 20  # the seed's rule looks at all grades each time
    false = worlds.false_alarms(seeds_rule, 0.9, 0, few, SEED)
    print(f"\nThe seed's rule, mean less least above 0.3, at .90: {false:.0f} alarms in 1,000.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
