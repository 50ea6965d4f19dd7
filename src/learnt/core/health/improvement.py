"""Skills in trouble: their queue, the window of a new text, and what rules add to one that fails.

No word of a person or of an agent's goes into it: only commands, the lines that name a trouble, and
what cured it. Nothing of it is kept: it follows from a skill's executions and the comparisons of
its texts. These report before and after, as the seeds say, and prove nothing: alike texts pass
about as often as a coin falls on one side.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from shlex import quote
from typing import Final

from msgspec.structs import replace

from learnt.core.health import trends
from learnt.core.health.executions import OTHERS, Use
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.trends import StabilityState
from learnt.core.payloads.skill_events import EvaluationVerdict
from learnt.core.records import Record, Row
from learnt.core.skills.history import Evaluation, SkillHistory

HEADING: Final = "Cautions from use"
LEAST: Final = 2  # uses with one failure that call for a caution
_CAUTIONS: Final = {
    Trouble.TEST: "Tests failed at the end: run them after the last change, and mend what fails.",
    Trouble.COMMAND: "The last command failed{by}: look at its result, and mend what it names.",
}
_CHANGED: Final = "Changed "  # begins the part of a cure that edited a file


class Failure(Row):
    """What failed in a use, told in structure: its program, and what the transcript tells.

    That is the whole command, the `lines` that name the trouble, the best first, and the `cure`:
    what the same use did then, and what passed.
    """

    trouble: Trouble
    program: str = ""
    command: str = ""
    lines: tuple[str, ...] = ()
    cure: str = ""

    @property
    def sign(self) -> tuple[str, str]:
        """What it has in common with others of its kind, whatever their numbers."""
        name = re.sub(r"\d+", "0", (*self.lines, self.program)[0])
        return "" if self.command else self.trouble, name

    @property
    def instruction(self) -> str:
        """The line for a skill's text."""
        if not self.command or not (self.lines or self.cure):
            by = f" (`{self.program}`)" if self.program else ""
            return _CAUTIONS.get(self.trouble, _CAUTIONS[Trouble.COMMAND]).format(by=by)
        lines = self.lines[:1] if self.cure else self.lines
        names = " / ".join(line.rstrip(".") for line in lines)
        cure = self.cure or "No use cured it yet: ask before you try another way"
        return f"`{self.command}` fails{names and ': '}{names}. {cure}."


def difference(failed: str, worked: str) -> str:
    """What a command that worked has otherwise than one that failed; empty where much differs.

    >>> difference("goreleaser release --rm-dist", "goreleaser release --clean")
    ' (with `--clean`, without `--rm-dist`)'
    """
    before, after = failed.split(), worked.split()
    new = [word for word in after if word not in before]
    gone = [word for word in before if word not in after]
    same = len(after) - len(new)
    if not same or max(len(new), len(gone)) > same:
        return ""
    parts = [f"{how} `{' '.join(w)}`" for how, w in (("with", new), ("without", gone)) if w]
    return f" ({', '.join(parts)})" if parts else ""


class Caution(Record):
    """A line for a skill's text, for so many uses; in how many of them its `cured` is known."""

    line: str
    sign: tuple[str, str]
    seen: int
    cured: int


def caution(uses: Iterable[Collection[Failure]], tried: Collection[str]) -> Caution | None:
    """The caution for the commonest failure that no text had yet; None where there is none.

    A failure counts once in a use, and thrice as much where it is known what cured it.
    """
    alike: defaultdict[tuple[str, str], list[Failure]] = defaultdict(list)
    for failures in uses:
        cured_last = sorted(failures, key=lambda failure: bool(failure.cure))
        for sign, failure in {failure.sign: failure for failure in cured_last}.items():
            if failure.command or failure.trouble in _CAUTIONS:
                alike[sign].append(failure)
    cured = {sign: [one for one in found if one.cure] for sign, found in alike.items()}
    weights = {sign: len(found) * (3 if cured[sign] else 1) for sign, found in alike.items()}
    for sign in sorted(alike, key=lambda sign: (-weights[sign], sign)):
        # A command that passes tells more than an edit of one use's own files.
        latest = reversed(cured[sign] or alike[sign])
        line = min(latest, key=lambda failure: _CHANGED in failure.cure).instruction
        if len(alike[sign]) >= LEAST and not any(line in text for text in tried):
            return Caution(line, sign, len(alike[sign]), len(cured[sign]))
    return None


WINDOW: Final = 10  # executions of a new text
LABEL: Final = "skill-regression"
WAITS: Final = frozenset({"review", "investigate"})


def lacks(uses: Iterable[Use]) -> list[int]:
    """What executions lacked of success, in millionths, of those that say anything of the skill.

    Nothing seen is no trouble.
    """
    return [
        MILLION * (use.trouble is not Trouble.NONE) if use.grade is None else MILLION - use.grade
        for use in uses
        if use.launched and use.cause not in OTHERS
    ]


def gap(lacks: Sequence[int]) -> int | None:
    """The mean of the last ten, in millionths; None where there is none."""
    latest = lacks[-WINDOW:]
    return round(sum(latest) / len(latest)) if latest else None


def concluded(before: int, lacks: Sequence[int]) -> tuple[EvaluationVerdict, int] | None:
    """How a window ends that began at a gap, and the gap it ends with; None while it goes on."""
    after = gap(lacks[:WINDOW])
    if after is None or len(lacks) < WINDOW:
        return None
    return ("promoted" if after < before else "review"), after


def reverted(command: str) -> str:
    """The commit that another system's command takes back; empty for any other command.

    >>> reverted("git revert abc123 --no-edit"), reverted("git revert abc; rm")
    ('abc123', '')
    """
    found = re.fullmatch(r"git revert ([a-f0-9]+)(?: --no-edit)?(?: && .*)?", command)
    return found[1] if found else ""


def way_back(name: str, history: SkillHistory, last: Evaluation) -> str:
    """The command that brings the text before back; empty where that is not known."""
    by_digest = {version.digest: version for version in history.versions}
    new, before = by_digest.get(last.digest), by_digest.get(last.parent)
    commit = last.commit or (new.commit if new else "")
    if re.fullmatch("[a-f0-9]+", commit):
        return f"git revert {commit} --no-edit"
    return f"learnt skills rollback {quote(name)} --to {before.number}" if before else ""


def start_improver(name: str) -> str:
    """The command that starts the subagent which improves a skill."""
    return f"claude {quote(f'Run the subagent skill-improver for the skill {name}')}"


FLAGS: Final = 3  # so many queue a skill for improvement
EXCUSES: Final = 3  # excused executions in a row: it may be the skill's fault after all
NEWEST: Final = 200  # executions that are looked at
RECOVERED: Final = 5  # healthy executions in a row after which earlier flags are forgotten
HARMLESS: Final = 1.5  # successes lacking in the last ten, with which no skill is in trouble
_ALARMED: Final = 0.5  # the part of the chart's limit from which on it speaks for a drop
STATUS: Final = {
    None: "evaluating",
    "promoted": "promoted",
    "review": "pending_rollback_review",
    "investigate": "pending_rollback_review",
}


class QueueEntry(Record):
    """A skill in the queue, by the seed's fields; None where one does not apply.

    `execution_ids` are the events that closed the flagged executions' episodes. `excuse` says what
    excused three executions in a row, or more; each is flagged from the third on.
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
    excuse: str = ""

    @property
    def due(self) -> bool:
        """Whether the skill is to be improved: not while a person or a window judges it."""
        judged = self.status in {"evaluating", "pending_rollback_review"}
        return self.flagged_count >= FLAGS and not judged


class Flag(Record):
    """An execution that failed while its skill was in trouble; `execution` is empty if unnamed."""

    ms: int
    execution: str


def grades(uses: Sequence[Use]) -> list[float]:
    """The grades that are the skill's own, 0 to 1, in order."""
    return [use.own_grade / MILLION for use in uses if use.own_grade is not None]


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


def flags(uses: Sequence[Use], since_ms: int = 0, imported: Sequence[Flag] = ()) -> list[Flag]:
    """The flags of a skill by its executions in order; `imported` are another system's.

    One is for an execution that failed itself and left the skill critical; or degrading, if the
    chart of drops has half of an alarm or the last thirty reached less than a half. By the floor
    alone a steady 0.8 is degrading now and then. Flags count from `since_ms` on, and are forgotten
    when the skill has recovered.
    """
    graded = [(use, use.own_grade / MILLION) for use in uses if use.own_grade is not None]
    values = [grade for _, grade in graded]
    learnt = trends.learnt(values)
    chart, score, well = trends.known(trends.EXPECTED), 0.0, 0
    window = trends.NOW + trends.BEFORE
    found: list[Flag] = []
    waiting = [flag for flag in imported if flag.ms >= since_ms]
    for at, (use, grade) in enumerate(graded):
        if waiting and use.wall_ms > waiting[0].ms:
            found, waiting, well = [*found, *waiting], [], 0
        if at == trends.TAUGHT and learnt is not None:
            chart, score = learnt, 0.0
        score = chart.score(score, grade)
        latest = values[max(0, at + 1 - window) : at + 1]
        lacking = sum(1 - value for value in latest[-trends.NOW :])
        state = StabilityState.HEALTHY if lacking <= HARMLESS else trends.stability(latest).state
        well = well + 1 if state is StabilityState.HEALTHY else 0
        if well >= RECOVERED:
            found = []
        if state is StabilityState.HEALTHY or use.trouble is Trouble.NONE or use.wall_ms < since_ms:
            continue
        poor = len(latest) == window and math.fsum(latest) < trends.FLOOR * window
        if state is StabilityState.CRITICAL or poor or score >= _ALARMED * chart.limit:
            found.append(Flag(use.wall_ms, use.event))
    return [*found, *waiting]


def excused(uses: Sequence[Use], since_ms: int = 0) -> tuple[list[Flag], str]:
    """The flags of executions that failed and are excused, from the third in a row on, and why.

    That is one cause, or in words the causes that take turns. The flags are forgotten when as many
    executions went well in a row as clear other flags.
    """
    found: list[Flag] = []
    run: list[str] = []
    well, why = 0, ""
    for use in uses:
        if not use.launched or use.wall_ms < since_ms:
            continue
        run = [*run, use.cause.value] if use.cause in OTHERS else []
        well = 0 if use.trouble is not Trouble.NONE else well + 1
        if well >= RECOVERED:
            found = []
        if len(run) >= EXCUSES:
            found.append(Flag(use.wall_ms, use.event))
            mix = ", ".join(f"{run.count(cause)} {cause}" for cause in sorted(set(run)))
            same = len(set(run[-EXCUSES:])) == 1
            why = run[-1] if same else f"{len(run)} in a row failed, all excused: {mix}"
    return found, why if found else ""


def excuse_told(excuse: str) -> str:
    """What excuses a skill again and again, for people: a cause is asked about."""
    return excuse if not excuse or " " in excuse else f"always the {excuse}?"


def queued(
    name: str, uses: Sequence[Use], history: SkillHistory, ids: str = "", compared: int = 0
) -> QueueEntry:
    """A skill as the queue has it; `ids` are the lines that another system's flags were kept as.

    Of its last comparison so many executions were `compared`.
    """
    last = history.evaluations[-1] if history.evaluations else None
    imported = history.flagged
    names = [*ids.split("\n"), *[""] * imported.flags][: imported.flags]
    # What counts is of the text in place: since a verdict, of what was left there then.
    begun = ((last.verdict and last.ended_ms) or last.ms) if last else 0
    own = in_place(uses, history)
    again, excuse = excused(own, begun)
    found = flags(own, begun, [Flag(imported.ms, name) for name in names]) + again
    found.sort(key=lambda flag: flag.ms)
    entry = QueueEntry(
        skill_name=name,
        stability_gap=trends.stability(grades(own)).gap if uses else imported.gap / MILLION,
        flagged_count=len(found),
        last_flagged=_iso(found[-1].ms) if found else None,
        execution_ids=tuple(flag.execution for flag in found if flag.execution),
        excuse=excuse,
    )
    if last is None:
        return entry
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
        rollback_command=(waits and way_back(name, history, last)) or None,
    )


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).isoformat(timespec="seconds")
