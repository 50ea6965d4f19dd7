"""The loop is played in a real home: each stage comes by itself, in order, and none wrongly."""

import json
import subprocess
import sys

import pytest

from benchmarks import loop_played
from benchmarks.loop_played import Effect
from tests.architecture.source import ROOT


def test_each_stage_comes_by_itself_and_in_order() -> None:
    """Nobody types a command but to decide, and Learnt says what each stage waits for."""
    words = "--sessions-a-day 5 --use-rate 1 --effect 0.25,0.95 --days 12 --seed 1 --json"
    command = [sys.executable, "-m", "benchmarks.loop", *words.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    played = json.loads(done.stdout)
    stages = played["stages"]
    assert list(loop_played.STAGES) == list(stages)
    sessions = [at["session"] for at in stages.values()]
    assert sorted(sessions) == sessions
    said = {(each["stage"], word) for each in played["waited_for"] for word in each["said"].split()}
    assert {
        ("accepted", "/learnt-draft)"),
        ("improved", "skill-improver"),
        ("promoted", "uses"),
    } <= said
    assert (0, True) == (played["false_promotions"], played["rebuild_equal"])
    assert {"day": 11, "session": 51} == played["effects_on"]


@pytest.mark.slow
def test_a_seed_plays_the_same() -> None:
    """The clock, the coin and every id are of the seed's making."""
    one, two = (loop_played.play(Effect(0.25, 0.95), 1.0, 3, 5, 2) for _ in range(2))
    assert one == two
