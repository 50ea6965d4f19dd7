"""Seed 001, section 7, end to end: a skill declines, and what becomes of its next text.

Hooks are fired, the worker's jobs run, a person accepts; nothing is put into the ledger by hand.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.flows.health.trial import conclude
from learnt.settings import Settings
from learnt.surfaces.jobs import tend_skills
from tests.cli.test_health_evaluate import TEXT, file, used
from tests.support.homes import Home
from tests.support.skill_sessions import FAILED, PASSED, reported

__all__ = ["file"]  # a fixture
CAUTION = "Tests failed at the end: run them after the last change, and mend what fails."


def drawn(home: Home, file: Path, number: int, *, new_wins: bool) -> None:
    """A session that begins with one of the texts, and succeeds with one of them alone."""

    def result() -> str:
        return PASSED if (CAUTION in file.read_text("utf-8")) == new_wins else FAILED

    reported(home.path, home.project, f"s{number}", result)


def declined(home: Home) -> str:
    """Fifteen executions that decline, after which the worker proposes another text: its id."""
    used(home, PASSED, 8)
    used(home, FAILED, 7, first=8)
    settings = Settings(home=home.path)
    with opened(settings) as outside:
        tend_skills(outside, settings, str(home.project))
    queued = home.here("health", "queue", "--json").json["skills"]["audit"]
    assert 15 == home.here("health", "status", "--json").json["skills"][0]["executions"]
    assert (True, "monitoring") == (queued["flagged_count"] >= 3, queued["status"])
    (proposal,) = home.here("evolve", "list", "--json").json["proposals"]
    assert "new-version" == proposal["kind"]
    return str(proposal["id"])


def tried(home: Home, file: Path, *, new_wins: bool) -> dict[str, Any]:
    """The proposal is accepted as a trial, and sessions come until it ends; the queue's entry."""
    words = ("evolve", "accept", declined(home), "--trial", "--project", str(home.project))
    code, said = home.typed(*words, answers=["y"])
    assert 0 == code, said
    for number in range(100, 160):
        queued: dict[str, Any] = home.here("health", "queue", "--json").json["skills"]["audit"]
        if queued["status"] != "evaluating":
            break
        drawn(home, file, number, new_wins=new_wins)
        with opened(Settings(home=home.path)) as outside:
            conclude(outside)
    assert number > 105  # a few sessions decide nothing
    home.verify()
    return queued


def test_a_skill_that_declines_is_improved_tried_and_promoted(home: Home, file: Path) -> None:
    """Fifteen executions to the queue, a text by rules, a trial; what it taught is kept."""
    queued = tried(home, file, new_wins=True)
    assert ("promoted", 1.0, 0.0) == (
        queued["status"], queued["baseline_gap"], queued["current_gap"]
    )  # fmt: skip
    assert CAUTION in file.read_text("utf-8")
    known = home.here("health", "experiences", "audit", "--json").json["experiences"]
    assert known and "tests passed" in known[0]["approach_taken"]
    learnt = home.here("health", "learnings").output
    assert "audit 1.1.0: promoted, gap 1.00 before, 0.00 after" in learnt
    assert f"  - {CAUTION}" in learnt
    block = home.here("skills", "history", "audit", "--adaptation").output
    first, new = yaml.safe_load(block)["adaptation"]["version_history"]
    assert f"Added: {CAUTION}" == new["change_summary"]
    assert {"success_rate": 0.533333, "stability_gap": 1.0} == new["baseline_metrics"]
    assert {"success_rate", "stability_gap"} == first["baseline_metrics"].keys()
    used(home, PASSED, 5, first=200)
    said = home.here("health", "evaluate").output
    assert "executions in a trial" in said and "100% before, 0% after\n" in said


def test_one_that_regresses_waits_for_a_person(home: Home, file: Path) -> None:
    """With before and after, what changed and the way back; nothing is rolled back by itself."""
    queued = tried(home, file, new_wins=False)
    assert "pending_rollback_review" == queued["status"]
    assert queued["regression_detected"]
    assert "learnt skills rollback audit --to 1.0.0" == queued["rollback_command"]
    (waits,) = home.here("health", "evaluate", "--json").json["skills"]
    assert ("skill-regression", 0.0, 1.0) == (
        waits["label"], waits["baseline_gap"], waits["current_gap"]
    )  # fmt: skip
    assert f"+- {CAUTION}" in waits["diff"]
    assert "skill-regression" in home.here("review").output
    assert CAUTION in file.read_text("utf-8")
    learnt = home.here("health", "learnings").output
    assert "audit 1.1.0: review, gap" in learnt
    assert 0 == home.typed("health", "evaluate", "audit", "--roll-back")[0]
    assert TEXT.format(body="Look at it.") == file.read_text("utf-8")


def test_three_sessions_at_once_lose_nothing(home: Home, file: Path) -> None:
    """In a trial: every execution is there once, no use draws twice, and the file is whole."""
    words = ("evolve", "accept", declined(home), "--trial", "--project", str(home.project))
    old = TEXT.format(body="Look at it.")
    assert 0 == home.typed(*words, answers=["y"])[0]

    def works(beside: int) -> None:
        for number in range(4):
            reported(home.path, home.project, f"t{beside}-{number}", lambda: PASSED)
            with opened(Settings(home=home.path)) as outside:
                conclude(outside)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(works, range(3)))
    assert 15 + 12 == home.here("health", "status", "--json").json["skills"][0]["executions"]
    queued = home.here("health", "queue", "--json").json["skills"]["audit"]
    assert ("evaluating", 12) == (queued["status"], queued["eval_executions"])
    drawn = [event for event in home.events(Kind.SKILL) if event["action"] == "drawn"]
    assert 1 < len(drawn) <= 13
    text = file.read_text("utf-8")
    assert text == old or CAUTION in text
    home.verify()
