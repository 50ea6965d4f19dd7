"""Which skills are in trouble, told as seed 001's queue of improvements tells it.

Nothing of it is kept: it follows from a skill's executions and the comparisons of its texts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from learnt.core.health import cusum
from learnt.core.health.changes import Slowdown, slowdown
from learnt.core.health.evaluation import WINDOW, way_back
from learnt.core.health.executions import Use
from learnt.core.health.forecast import EXPECTED
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.stability import BEFORE, FLOOR, NOW, StabilityState, stability
from learnt.core.skills.history import Evaluation, SkillHistory

FLAGS: Final = 3  # so many queue a skill for improvement
NEWEST: Final = 200  # executions that are looked at
PRICED: Final = 100  # and of which time and tokens are: what that takes grows by the square
RECOVERED: Final = 5  # healthy executions in a row after which earlier flags are forgotten
HARMLESS: Final = 1.5  # successes lacking in the last ten, with which no skill is in trouble
_ALARMED: Final = 0.5  # the part of the chart's limit from which on it speaks for a drop
STATUS: Final = {
    None: "evaluating",
    "promoted": "promoted",
    "review": "pending_rollback_review",
    "investigate": "pending_rollback_review",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEntry:
    """A skill in the queue, by the seed's fields; None where one does not apply.

    `execution_ids` are the events that closed the flagged executions' episodes. `slower` and
    `costlier`, which are no flags, are ours: no rule makes a text quicker.
    """

    skill_name: str
    stability_gap: float
    flagged_count: int
    last_flagged: str | None = None
    execution_ids: tuple[str, ...] = ()
    evaluating: bool = False
    eval_start: str | None = None
    eval_executions: int = 0
    eval_target: int | None = None
    status: str = "monitoring"
    regression_detected: str | None = None
    github_issue: str | None = None
    baseline_gap: float | None = None
    current_gap: float | None = None
    rollback_command: str | None = None
    slower: Slowdown | None = None
    costlier: Slowdown | None = None

    @property
    def due(self) -> bool:
        """Whether the skill is to be improved: not while a person or a window judges it."""
        judged = self.status in {"evaluating", "pending_rollback_review"}
        return self.flagged_count >= FLAGS and not judged


@dataclass(frozen=True, slots=True)
class Flag:
    """An execution that failed while its skill was in trouble; `execution` is empty if unnamed."""

    ms: int
    execution: str


def grades(uses: Sequence[Use]) -> list[float]:
    """The grades that are the skill's own, 0 to 1, in order."""
    return [use.own_grade / MILLION for use in uses if use.own_grade is not None]


def dearer(uses: Sequence[Use]) -> dict[str, Any]:
    """What a skill's executions in order take more than they did: `slower` in ms, `costlier`."""
    took = [use.took_ms for use in uses[-PRICED:] if use.took_ms is not None]
    spent = [use.tokens for use in uses[-PRICED:] if use.tokens is not None]
    return {"slower": slowdown(took), "costlier": slowdown(spent)}


def in_place(uses: Sequence[Use], history: SkillHistory) -> list[Use]:
    """The executions that are, as far as is known, of the text that is in place.

    In a trial both texts had some; what it lost to has those before it as well.
    """
    last = history.evaluations[-1] if history.evaluations else None
    if last is None or not last.digest:
        return list(uses)
    begun, back = last.ms, last.verdict == "rolled-back"
    if back or last.verdict == "stopped" or (last.verdict and last.method == "trial"):
        begun = last.ended_ms
    return [use for use in uses if use.wall_ms >= begun or (back and use.wall_ms < last.ms)]


def flags(uses: Sequence[Use], since_ms: int = 0, told: Sequence[Flag] = ()) -> list[Flag]:
    """The flags of a skill by its executions in order; those of another system are `told`.

    One is for an execution that failed itself and left the skill critical; or degrading, if the
    chart of drops has half of an alarm or the last thirty reached less than a half. By the floor
    alone a steady 0.8 is degrading now and then. Flags count from `since_ms` on, and are forgotten
    when the skill has recovered.
    """
    graded = [(use, use.own_grade / MILLION) for use in uses if use.own_grade is not None]
    values = [grade for _, grade in graded]
    learnt = cusum.learnt(values)
    chart, score, well = cusum.known(EXPECTED), 0.0, 0
    found: list[Flag] = []
    waiting = [flag for flag in told if flag.ms >= since_ms]
    for at, (use, grade) in enumerate(graded):
        if waiting and use.wall_ms > waiting[0].ms:
            found, waiting, well = [*found, *waiting], [], 0
        if at == cusum.TAUGHT and learnt is not None:
            chart, score = learnt, 0.0
        score = chart.score(score, grade)
        latest = values[max(0, at + 1 - NOW - BEFORE) : at + 1]
        lacking = sum(1 - value for value in latest[-NOW:])
        state = StabilityState.HEALTHY if lacking <= HARMLESS else stability(latest).state
        well = well + 1 if state is StabilityState.HEALTHY else 0
        if well >= RECOVERED:
            found = []
        if state is StabilityState.HEALTHY or use.trouble is Trouble.NONE or use.wall_ms < since_ms:
            continue
        poor = len(latest) == NOW + BEFORE and math.fsum(latest) < FLOOR * len(latest)
        if state is StabilityState.CRITICAL or poor or score >= _ALARMED * chart.limit:
            found.append(Flag(use.wall_ms, use.event))
    return [*found, *waiting]


def queued(
    name: str, uses: Sequence[Use], history: SkillHistory, ids: str = "", compared: int = 0
) -> QueueEntry:
    """A skill as the queue has it; `ids` are the lines that another system's flags were kept as.

    Of its last comparison so many executions were `compared`.
    """
    last = history.evaluations[-1] if history.evaluations else None
    told = history.flagged
    names = [*ids.split("\n"), *[""] * told.flags][: told.flags]
    # What counts is of the text in place: since a verdict, of what was left there then.
    begun = ((last.verdict and last.ended_ms) or last.ms) if last else 0
    own = in_place(uses, history)
    found = flags(own, begun, [Flag(told.ms, one) for one in names])
    gap = stability(grades(own)).gap if uses else told.gap / MILLION
    entry = QueueEntry(
        skill_name=name,
        stability_gap=gap,
        flagged_count=len(found),
        last_flagged=_iso(max(flag.ms for flag in found)) if found else None,
        execution_ids=tuple(flag.execution for flag in found if flag.execution),
        **dearer(uses),
    )
    return entry if last is None else _compared(entry, last, history, compared)


def _compared(
    entry: QueueEntry, last: Evaluation, history: SkillHistory, compared: int
) -> QueueEntry:
    """The entry of a skill of which two texts were or are compared."""
    status = STATUS.get(last.verdict, "monitoring")
    waits = status == "pending_rollback_review"
    return replace(
        entry,
        status=status,
        evaluating=last.verdict is None,
        eval_start=_iso(last.ms),
        eval_executions=compared or last.executions,
        eval_target=WINDOW if last.method == "window" else None,
        regression_detected=_iso(last.ended_ms) if waits else None,
        baseline_gap=last.gap / MILLION,
        current_gap=entry.stability_gap if last.after is None else last.after / MILLION,
        rollback_command=(waits and way_back(entry.skill_name, history, last)) or None,
    )


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).isoformat(timespec="seconds")
