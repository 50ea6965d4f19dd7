"""The loop with so many sessions a day: what is decided when, and how often wrongly.

    python -m benchmarks.loop [--sessions-a-day 5] [--use-rate 0.2] [--effect 0.25,0.95]
        [--days 120] [--seed 7] [--seeds 1] [--json]
    python -m benchmarks.loop --decision-only [--runs 500] [--effect 0.25,0.95] [--use-rate 0.2]
        [--seed 7] [--json]

The first plays hooks, the worker's jobs, an agent's calls and a person's decisions in a real home
(`loop_played`): when each stage came, and what it waited for. With `--seeds` so many homes are
played, and the result is the median and the 80th percentile of them.

`--decision-only` plays the trial's decision alone, in worlds that import nothing of Learnt
(`trial_worlds`). Without an effect these are the goals: sessions until the better text is promoted,
the median and the 80th percentile; and how often alike texts are promoted at any of 400 uses, also
where the new text is used three times as often, or a third as often. The trial is the home's first.
Bets begin with `f`, the success of ten uses before the trial, which each run draws again, and go on
by the mean until then.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.effects import better
from benchmarks.loop_played import STAGES, Effect, play
from benchmarks.report import quantile, run
from benchmarks.trial_worlds import Sessions, sessions_taken
from learnt.core.health.effects import promotion_level

NULL_RUNS: Final = 2_001
NULLS: Final = {"alike": (1.0, 1.0), "used more": (0.3, 0.9), "used less": (0.9, 0.3)}
# Success with the old and the new text, how often a session uses it; median and 80th percentile.
GOALS: Final[dict[tuple[float, float, float], tuple[int, int | None]]] = {
    (0.25, 0.95, 1.0): (25, None), (0.25, 0.95, 0.5): (50, None), (0.25, 0.95, 0.2): (125, None),
    (0.5, 0.8, 1.0): (115, 210), (0.5, 0.8, 0.2): (575, 1_050),
}  # fmt: skip
LEVEL: Final = promotion_level(1, 0)
Row = dict[str, Any]


def decided(old: float, new: float, rate: float, runs: int, seed: int) -> Row:
    """In how many sessions a better text is promoted."""
    world, most = Sessions(old, new, rate, rate), round(1_000 / rate)
    taken = sessions_taken(better, world, LEVEL, runs, most, f"{seed} {old} {new} {rate}")
    told = [one if one < math.inf else None for one in (quantile(taken, p) for p in (0.5, 0.8))]
    goal = GOALS.get((old, new, rate), (None, None))
    return {
        "effect": [old, new], "use_rate": rate, "f": old, "median": told[0], "goal": goal[0],
        "p80": told[1], "goal_80": goal[1],
        "promoted": round(sum(one < math.inf for one in taken) / runs, 4),
    }  # fmt: skip


def wrong(runs: int, seed: int) -> Row:
    """The share of alike texts that are promoted, a third of them each with one rate of success."""
    return {
        name: sum(
            one < math.inf
            for rate in (0.25, 0.5, 0.9)
            for world in [Sessions(rate, rate, *used)]
            for most in [round(400 / max(used))]
            for one in sessions_taken(
                better, world, LEVEL, runs // 3, most, f"{seed} {name} {rate}"
            )
        )
        / (runs // 3 * 3)
        for name, used in NULLS.items()
    }


def decisions(wanted: Sequence[tuple[float, float, float]], runs: int, seed: int) -> Row:
    """The trial's decision alone."""
    return {
        "level": LEVEL,
        "decisions": [decided(*each, runs, seed) for each in wanted],
        "null_promotions": wrong(max(runs, NULL_RUNS), seed),
    }


def as_tables(played: Row) -> Row:
    """What came when in one home, to be printed."""
    stages, waited = played.pop("stages"), played.pop("waited_for")
    return {
        "Stages": [{"stage": stage, **when} for stage, when in stages.items()],
        "What was waited for, as Learnt said it": waited,
        "All in all": [played],
    }


def together(homes: Sequence[Mapping[str, Any]]) -> Row:
    """What the plays of several homes have in common."""
    came = {stage: [h["stages"][stage] for h in homes if stage in h["stages"]] for stage in STAGES}
    both = [h for h in homes if {"trial", "promoted"} <= {*h["stages"]}]
    told = {
        "uses from the first failure to a flag": [h["uses_to_flag"] for h in homes],
        "sessions from a third recall to the draft": [
            h["stages"]["drafted"]["session"] - h["third_recall"]["session"]
            for h in homes if "drafted" in h["stages"]
        ],
        "sessions that the trial took": [
            h["stages"]["promoted"]["session"] - h["stages"]["trial"]["session"] for h in both
        ],
        "uses that the trial counted": [h["effect"]["uses"] for h in both],
        "effect's interval by a fixed sample's": [
            h["effect"]["width_by_a_fixed_sample"] for h in both
        ],
        "effect's estimate": [h["effect"]["estimate"] for h in both],
    }  # fmt: skip
    return {
        "stages": {
            stage: {"of": f"{len(at)} of {len(homes)}", **_spread(at, "day", "session")}
            for stage, at in came.items()
        },
        "told": {what: _spread([{"": value} for value in held], "") for what, held in told.items()},
        "false_promotions": sum(h["false_promotions"] for h in homes),
        "rebuild_equal": all(h["rebuild_equal"] for h in homes),
    }


def _spread(rows: Sequence[Mapping[str, Any]], *names: str) -> Row:
    return {
        f"{name} {what}".strip(): quantile([row[name] for row in rows], part)
        for name in names if rows
        for what, part in (("median", 0.5), ("p80", 0.8))
    }  # fmt: skip


def main(  # noqa: PLR0913  # the flags
    *,
    sessions_a_day: int = 5,
    use_rate: float = 0.2,
    effect: tuple[float, ...] = (),
    days: int = 120,
    seed: int = 7,
    seeds: int = 1,
    decision_only: bool = False,
    runs: int = 500,
    as_json: bool,
) -> dict[str, Any]:
    """Play homes, or the trial's decision alone."""
    if decision_only:
        wanted = [(effect[0], effect[1], use_rate)] if effect else list(GOALS)
        return decisions(wanted, runs, seed)
    pair = Effect(*(effect or (0.25, 0.95)))
    homes = [
        play(pair, use_rate, days, sessions_a_day, number) for number in range(seed, seed + seeds)
    ]
    if seeds > 1:
        return together(homes)
    return homes[0] if as_json else as_tables(homes[0])


if __name__ == "__main__":
    run(main)
