"""The benchmark of effects: its worlds know nothing of the rules, its answer is as promised."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator

import pytest

from benchmarks import effects, loop, trial_worlds
from benchmarks.trial_worlds import Sessions, World
from learnt.core.health.effects import evidence, interval
from tests.architecture.source import ROOT

KEYS = {
    "null_promotions", "window_null_promotions", "power_15", "median_uses_15", "median_uses_30",
    "bias_500", "rmse_500", "rmse_bound_500", "coverage", "false_discovery",
    "year_error", "year_power_30", "width_60",
}  # fmt: skip


def test_the_worlds_import_nothing_of_learnt() -> None:
    """The rules come in as functions."""
    text = (ROOT / "benchmarks" / "trial_worlds.py").read_text("utf-8")
    assert "learnt" not in text.partition('"""\n')[2]


def test_a_trial_ends_with_the_first_use_that_decides() -> None:
    """A coin draws the texts, and each succeeds as often as it should."""
    seen: list[tuple[bool, float]] = []

    def five_wins(uses: Iterator[tuple[bool, float]], before: float) -> Iterator[float]:
        for new, success in uses:
            seen.append((new, success))
            yield 20.0 * (sum(won for is_new, won in seen[-40:] if is_new) >= 40)

    taken = trial_worlds.promotion(five_wins, (0.6, 0.75), 0.05, 4_000, "one")
    assert taken == math.inf and 4_000 == len(seen)
    for new, rate in ((False, 0.6), (True, 0.75)):
        grades = [success for is_new, success in seen if is_new == new]
        assert len(grades) == pytest.approx(2_000, abs=150)
        assert sum(grades) / len(grades) == pytest.approx(rate, abs=0.05)
    first = trial_worlds.promotion(lambda uses, _: (20.0 for _ in uses), (0.6, 0.6), 0.05, 9, "x")
    assert 1 == first


def test_a_session_that_does_not_use_the_skill_costs_time_alone() -> None:
    """At one use in five a decision takes five times as many sessions."""

    def tenth(uses: Iterator[tuple[bool, float]], before: float) -> Iterator[float]:
        return (40.0 * (number == 10) for number, _ in enumerate(uses, 1))

    for rate in (1.0, 0.2):
        world = Sessions(0.5, 0.8, rate, rate)
        taken = trial_worlds.sessions_taken(tenth, world, loop.LEVEL, 400, 1_000, "ten")
        assert sum(taken) / 400 == pytest.approx(10 / rate, rel=0.05)


def test_a_trial_decides_in_time_and_seldom_wrongly() -> None:
    """However much more or less often the new text is used, where both are alike."""
    for used in loop.NULLS.values():
        world = Sessions(0.5, 0.5, *used)
        taken = trial_worlds.sessions_taken(effects.better, world, 0.05, 100, 100, "null")
        assert sum(one < math.inf for one in taken) <= 10
    row = loop.decided(0.25, 0.95, 1.0, 100, 7)
    assert 10 < float(str(row["median"])) <= 25


def test_what_is_covered_is_what_the_interval_says() -> None:
    """After each unit, the bets on either side rule the effect out where the interval does."""
    for run in range(3):
        seen = list(trial_worlds.units(World(0.6, 0.4), 200, f"{run}"))
        for count in (40, 90, 200):
            low, high = interval(effects.tally(seen[:count]))
            for supposed in (-0.4, 0.0, 0.2, 0.4):
                held = zip(*(effects.sides(unit, supposed) for unit in seen[:count]), strict=True)
                sums = ([sum(stake) for stake in zip(*side, strict=True)] for side in held)
                out = max(evidence(tuple(each)) for each in sums) >= 40
                assert out == (not low < supposed < high)


def test_unseen_failures_are_of_the_named_arm() -> None:
    """Four in ten of them, and no success."""
    world = World(0.5, 0.0, hidden="shown")
    seen = [unit for run in range(40) for unit in trial_worlds.units(world, 500, f"{run}")]
    shown = [unit.success for unit in seen if unit.shown]
    assert None not in [unit.success for unit in seen if not unit.shown]
    assert shown.count(None) / (shown.count(None) + shown.count(0.0)) == pytest.approx(
        0.4, abs=0.02
    )
    assert shown.count(1.0) / len(shown) == pytest.approx(0.5, abs=0.02)


@pytest.mark.slow
def test_its_answer_is_what_was_promised() -> None:
    """One JSON object of the thirteen figures, the same for the same seed; a shorter run, here."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.effects",
        "--seed",
        "3",
        "--part",
        "0.01",
        "--json",
    ]
    answers = [
        json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert KEYS == set(answers[0])
    assert all(
        isinstance(value, int | float) and math.isfinite(value) for value in answers[0].values()
    )
