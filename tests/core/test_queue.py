"""The queue of skills in trouble: what flags a skill, and how its entry reads."""

import random  # noqa: TID251  # what steady skills are drawn from
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.health.executions import Use
from learnt.core.health.improvement import (
    FLAGS,
    HARMLESS,
    NEWEST,
    Flag,
    QueueEntry,
    flags,
    grades,
    in_place,
    queued,
    reverted,
)
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.health.trends import NOW, StabilityState, stability
from learnt.core.identifiers import ContentRef, EventId, Subject
from learnt.core.payloads.skill_events import EvaluationVerdict, Method
from learnt.core.skills.history import Evaluation, Flagged, SkillHistory, Version

MONDAY = 1_771_113_600_000  # 2026-02-15, midnight in UTC


def executions(values: Sequence[float | None], cause: Cause = Cause.SKILL) -> list[Use]:
    """Executions with these grades, one a second; None is not graded."""
    return [
        Use(
            skill=ContentRef("k:audit"),
            wall_ms=MONDAY + 1_000 * at,
            event=EventId(f"e{at}"),
            session=Subject("session:claude-code:s"),
            episode=f"p{at}",
            by="agent",
            launched=True,
            trouble=Trouble.NONE if value in {1, None} else Trouble.TEST,
            cause=Cause.NONE if value in {1, None} else cause,
            grade=None if value is None else round(MILLION * value),
            took_ms=None,
            tokens=None,
            imported=False,
        )
        for at, value in enumerate(values)
    ]


def entry(values: Sequence[float | None], history: SkillHistory | None = None) -> QueueEntry:
    """The entry of a skill with these grades."""
    return queued("audit", executions(values), history or SkillHistory())


def compared(
    verdict: EvaluationVerdict | None, at: int = 0, after: int | None = None
) -> SkillHistory:
    """A skill of which two texts were compared from an execution on."""
    ms = MONDAY + 1_000 * at
    begun = Evaluation(digest="b" * 64, parent="a" * 64, method="window", gap=350_000, ms=ms)
    compared = replace(begun, verdict=verdict, ended_ms=ms + 10_000, after=after)
    return SkillHistory(
        versions=(Version(digest="a" * 64, number="1.0.0"), Version(digest="b" * 64)),
        evaluations=(compared,),
    )


def test_a_skill_that_only_fails_is_flagged_from_its_fifth_execution_on() -> None:
    """And three flags have it improved."""
    assert [flag.execution for flag in flags(executions([0] * 7))] == ["e4", "e5", "e6"]
    assert [entry([0] * count).due for count in (6, 7)] == [False, True]


@pytest.mark.parametrize("flagged", [2, 3, 4])
@pytest.mark.parametrize(
    "status", ["monitoring", "promoted", "evaluating", "pending_rollback_review"]
)
def test_three_flags_are_due(flagged: int, status: str) -> None:
    """Oracle 33: the third flag is one too many, but not while a window or a person judges."""
    found = QueueEntry(skill_name="a", stability_gap=0.4, flagged_count=flagged, status=status)
    assert found.due is (flagged >= 3 and status in {"monitoring", "promoted"})


def test_fifteen_executions_that_decline_queue_a_skill() -> None:
    """As the seed's own test has it: good, then worse and worse."""
    assert entry([1, 1, 1, 1, 1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0, 0, 0, 0]).due
    assert not entry([1] * 14 + [0]).flagged_count


def test_an_execution_that_went_well_is_no_flag_in_the_worst_of_times() -> None:
    """Nor is one whose trouble was the surroundings', or that nobody graded."""
    bad = [1.0] * 10 + [0.0] * 9
    before = entry(bad).flagged_count
    assert before == entry([*bad, 1]).flagged_count == entry([*bad, None]).flagged_count
    assert not flags(executions([0] * 9, Cause.ENVIRONMENT))


def test_recovery_forgets_the_flags() -> None:
    """Five executions in a row that leave the skill healthy."""
    flagged = [1.0] * 10 + [0.0] * 8
    assert entry(flagged).due
    recovering = [entry([*flagged, *[1] * count]).flagged_count for count in range(40)]
    assert recovering[0] >= FLAGS
    assert recovering[-1] == 0
    assert recovering == sorted(recovering, reverse=True)


@pytest.mark.parametrize(("success", "most"), [(0.95, 0.01), (0.9, 0.05), (0.8, 0.15)])
def test_a_steady_skill_is_rarely_queued(success: float, most: float) -> None:
    """Of a hundred executions of a skill that does not change; by the floor alone 68 % at 0.8."""
    chance = random.Random(11)
    values = [[float(chance.random() < success) for _ in range(100)] for _ in range(200)]
    due = sum(any(entry(one[:at]).due for at in range(10, 101, 3)) for one in values)
    assert due <= most * len(values)


def test_a_skill_that_dropped_is_queued_soon() -> None:
    """From 0.9 to 0.5, the rate having been learnt: half of them within twenty executions."""
    chance = random.Random(12)
    due = 0
    for _ in range(100):
        good = [float(chance.random() < 0.9) for _ in range(60)]
        bad = [float(chance.random() < 0.5) for _ in range(20)]
        due += any(entry(good + bad[:at]).due for at in range(1, 21))
    assert due >= 50


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_what_is_passed_over_is_healthy(values: list[float]) -> None:
    """With so little lacking in the last ten, a closer look would show nothing."""
    lacking = sum(1 - value for value in values[-NOW:])
    assert lacking > HARMLESS or stability(values).state is StabilityState.HEALTHY


def test_an_entry_has_the_seeds_fields() -> None:
    """Of one that is only flagged those of an evaluation are empty."""
    found = entry([1] * 10 + [0] * 7)
    assert found.skill_name == "audit"
    assert found.stability_gap == stability([1] * 10 + [0] * 7).gap > 0.5
    assert found.last_flagged == "2026-02-15T00:00:16+00:00"
    assert found.flagged_count == len(found.execution_ids) >= FLAGS
    assert (found.status, found.evaluating, found.eval_start) == ("monitoring", False, None)
    assert found.rollback_command is None


def test_flags_begin_anew_with_an_evaluation() -> None:
    """Oracle 33: while a window runs nothing is due; ten executions are looked for."""
    found = entry([1] * 10 + [0] * 12, compared(None, at=15))
    assert (found.status, found.evaluating, found.due) == ("evaluating", True, False)
    assert found.execution_ids == ("e19", "e20", "e21")
    assert found.eval_target == 10
    assert found.baseline_gap == 0.35
    assert found.current_gap == found.stability_gap


def test_flags_of_the_text_that_lost_are_not_held_against_the_one_in_place() -> None:
    """After a verdict they begin once more, and one failure among successes is none."""
    lost = [*[1] * 10, *[0] * 10]
    back = compared("rolled-back", at=10)  # it ended at the twentieth
    assert not entry([*lost, 1, 1, 0], back).flagged_count
    assert entry([*lost, 0, 0, 0, 0, 0], back).execution_ids == ("e23", "e24")


@pytest.mark.parametrize(
    ("verdict", "method", "left"),
    [
        (None, "window", range(5, 30)), ("promoted", "window", range(5, 30)),
        ("review", "window", range(5, 30)), ("stopped", "window", range(15, 30)),
        ("rolled-back", "window", [*range(5), *range(15, 30)]),
        (None, "trial", range(5, 30)), ("promoted", "trial", range(15, 30)),
        ("review", "trial", range(15, 30)),
        ("rolled-back", "trial", [*range(5), *range(15, 30)]),
    ],
)  # fmt: skip
def test_executions_are_of_the_text_in_place(
    verdict: EvaluationVerdict | None, method: Method, left: Sequence[int]
) -> None:
    """Not those of a text that lost, nor of a trial that is over; gap and state follow them."""
    history = compared(verdict, at=5)
    history = replace(history, evaluations=(replace(history.evaluations[0], method=method),))
    uses = executions([1] * 30)
    assert in_place(uses, history) == [uses[at] for at in left]
    assert in_place(uses, SkillHistory()) == uses


def test_a_rollback_that_another_system_told_is_its_commits() -> None:
    """By a command of our own; of anything else nothing is shown."""
    waits = compared("review")
    told = replace(waits.evaluations[0], digest="", parent="", commit="abc123")
    found = queued("audit", [], replace(waits, evaluations=(told,)))
    assert found.rollback_command == "git revert abc123 --no-edit"
    commands = ("git revert abc123 && ...", "git revert abc; rm", "rm -rf /", "git revert ABC", "")
    assert [reverted(one) for one in commands] == ["abc123", "", "", "", ""]


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        ("promoted", "promoted"), ("review", "pending_rollback_review"), ("kept", "monitoring"),
        ("investigate", "pending_rollback_review"), ("rolled-back", "monitoring"),
    ],
)  # fmt: skip
def test_the_status_follows_the_last_verdict(verdict: EvaluationVerdict, status: str) -> None:
    """What waits for a person says how to go back, and is not improved meanwhile."""
    found = entry([1] * 30, compared(verdict, at=0, after=400_000))
    assert (found.status, found.current_gap) == (status, 0.4)
    waits = status == "pending_rollback_review"
    assert found.regression_detected == ("2026-02-15T00:00:10+00:00" if waits else None)
    back = "learnt skills rollback audit --to 1.0.0"
    assert found.rollback_command == (back if waits else None)


def test_a_name_is_no_second_command() -> None:
    """A rollback's command is for copying into a shell."""
    found = queued("abc; rm", [], compared("review"))
    assert found.rollback_command == "learnt skills rollback 'abc; rm' --to 1.0.0"


def test_another_systems_flags_count_until_the_skill_recovers() -> None:
    """Named as far as names were kept; own executions after them add to them."""
    told = SkillHistory(flagged=Flagged(flags=3, ms=MONDAY - 1, gap=420_000))
    found = queued("audit", [], told, "exec-1\nexec-2")
    assert (found.due, found.stability_gap) == (True, 0.42)
    assert found.execution_ids == ("exec-1", "exec-2")
    assert queued("audit", executions([0] * 5), told).flagged_count == 4
    assert queued("audit", executions([1] * 5), told).flagged_count == 0
    later = replace(compared(None), flagged=told.flagged)
    assert queued("audit", [], later).flagged_count == 0
    assert flags([], imported=[Flag(5, "x")]) == [Flag(5, "x")]


def test_grades_are_the_skills_own() -> None:
    """As the newest executions have them."""
    assert grades(executions([1, None, 0.25])) == [1.0, 0.25]
    assert NEWEST >= 100
