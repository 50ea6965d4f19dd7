"""Uses of a skill that Learnt saw count beside the results that programs told."""

from pathlib import Path

import pytest

from learnt.core.events import Actor
from learnt.flows.skills.catalogue import grade
from tests.flows.shelved import Shelved, shelved
from tests.flows.test_episodes import call, launched, ran, step
from tests.support.in_memory import FixedClock

FAILED = "Exit code 1\n3 failed in 1s"


def told(shelf: Shelved, *, success: bool) -> None:
    skill = shelf.opened.known.skills["queues"]
    grade(shelf.stage.outside, skill, None, Actor.TOOL, success=success)


def test_seen_and_told_uses_are_one_average_in_the_order_of_time(tmp_path: Path) -> None:
    """Each result weighs 0.3 when it comes; a use that is held against nothing only counts."""
    with shelved(tmp_path) as shelf:
        shelf.put("queues", "Frees waiting queues.")
        shelf.put("tea", "Cares for tea.")
        clock = shelf.stage.outside.clock
        assert isinstance(clock, FixedClock)
        told(shelf, success=True)
        clock.ms += 1
        stage = shelf.stage
        stage.prompt("free the queues", episode="e1")
        edited = call("Edit", "ok", file_path="a")
        step(stage, "e1", launched("queues"), edited, ran(FAILED))
        shelf.ended()
        clock.ms += 1
        told(shelf, success=True)
        shelf.asked("free them again", "s2", used="queues", result=FAILED)  # by no fault of its own
        shelf.asked("brew tea", "s2", used="tea")
        shelf.ended("s2")

        queues, tea = (shelf.opened.known.skills[name] for name in ("queues", "tea"))

    assert 4 == queues.usage_count and queues.success_rate == pytest.approx(0.79)
    assert (1, 1.0) == (tea.usage_count, tea.success_rate)
