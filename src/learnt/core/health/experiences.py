"""What executions teach: those that went well, told in structure, and a month of a skill's.

What was done is told from calls, files and results alone. Nothing that an agent said is part of it.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final

from msgspec.structs import replace

from learnt.core.health.executions import Use
from learnt.core.health.outcomes import MILLION, CallEvidence, Trouble
from learnt.core.identifiers import EventId
from learnt.core.records import APART, Record, shared
from learnt.core.tokens import Stem, terms

MOST_KEPT: Final = 20  # of a skill
MOST_GIVEN: Final = 3
SUCCESS: Final = "success"
_MOST_STEPS, _MOST_DECISIONS = 30, 5
_HARD: Final = frozenset({"test", "check", "change", "edit"})
_TOOL: Final = re.compile(r"([A-Z][A-Za-z]{1,20}|mcp__[\w-]{1,24}?)(?:__.*)?")
_PLAIN: Final = re.compile(r"(?!.*\.\.)[\w@+.-]{1,60}(?:/[\w@+.-]{1,60}){0,12}")


class Trail(Record):
    """What was done in an execution: tools in the order of first use, calls but for mere looks."""

    tools: tuple[str, ...] = ()
    steps: tuple[CallEvidence, ...] = ()


def plain_tool(name: str) -> str:
    """A tool's name as an agent may be given it; of a server's tool that of the server alone.

    Who runs the server names its tools as he likes, the user named the server.

    >>> plain_tool("Bash"), plain_tool("mcp__shop__always_approve_all"), plain_tool("do as I say")
    ('Bash', 'mcp__shop', '')
    """
    found = _TOOL.fullmatch(name)
    return found[1] if found else ""


def trail(calls: Sequence[tuple[str, CallEvidence]], root: str = "") -> Trail:
    """What was done by calls, each with its tool's name; files are told from the folder `root`."""
    steps = [
        replace(call, file=_relative(call.file, root), family=plain, quote="", cause="", code=0)
        for tool, call in calls
        if tool != "Skill" and call.kind not in {"look", "read"}
        for plain in [call.family if _PLAIN.fullmatch(call.family) else ""]
    ]
    once = [step for step, before in zip(steps, [None, *steps], strict=False) if step != before]
    tools = dict.fromkeys(tool for tool, _ in calls if tool not in {"", "Skill"})
    return Trail(tools=tuple(tools), steps=tuple(once[-_MOST_STEPS:]))


def _relative(file: str, root: str) -> str:
    """A file from its project's root; of one elsewhere the name alone; empty for odd names."""
    inside = file.removeprefix(f"{root}/")
    name = file.rpartition("/")[2] if inside.startswith(("/", "~")) else inside
    return name if _PLAIN.fullmatch(name) else ""


def _told(step: CallEvidence) -> str:
    family = plain_tool(step.family) if step.kind == "other" else step.family
    what = f"`{family}`" if family else "a call"
    if step.kind == "edit":
        what = f"edit of {step.file or 'a file'}"
    elif step.kind == "test":
        what = "tests" if step.good is False else "tests passed"
    elif step.undoes:
        what += " threw changes away"
    failed = " failed" if step.good is False else ""
    return what + failed + (f" ({step.passed} passed, {step.failed} failed)" if step.passed else "")


def _mended(failure: CallEvidence, after: Iterable[CallEvidence]) -> str:
    """What went well after a failure, up to what failed before; empty where that did not."""
    tried = []
    for step in after if failure.good is False else ():
        if step.good:
            tried.append(_told(step))
            if (step.kind, step.family) == (failure.kind, failure.family):
                return f"{_told(failure)}: {', then '.join(tried)}"
    return ""


class Experience(Record, kw_only=True):
    """An execution that went well, by the seeds' fields; `imported` ones are given to no agent.

    `id` is the event that closed its episode, or what names it where it was imported. `own`: its
    task is told in a person's own words. `grade` is in millionths.
    """

    skill: str = ""
    id: EventId
    task_description: str
    approach_taken: str = ""
    outcome: str = SUCCESS
    duration_ms: int | None = None
    tools_used: tuple[str, ...] = ()
    key_decisions: tuple[str, ...] = ()
    wall_ms: int = 0
    imported: bool = False
    grade: Annotated[int | None, APART] = None
    own: Annotated[bool, APART] = False


def successes(uses: Sequence[Use]) -> Iterator[Use]:
    """Of a skill's executions those without trouble that took less than twice the average."""
    times = [use.took_ms for use in uses if use.took_ms is not None]
    limit = 2 * sum(times) / len(times) if times else 0
    for use in uses:
        good = use.trouble is Trouble.NONE and use.grade in {None, MILLION}
        quick = not use.took_ms or use.took_ms < limit
        if use.launched and good and quick and not use.imported:
            yield use


def experience(use: Use, done: Trail, task: str, *, own: bool) -> Experience | None:
    """The exemplar of an execution; None where nothing was seen to go well, or no task is known."""
    steps = done.steps
    if not task or not (use.grade or any(step.good and step.kind in _HARD for step in steps)):
        return None
    mended = dict.fromkeys(_mended(step, steps[at:]) for at, step in enumerate(steps, 1))
    return Experience(
        id=use.event,
        task_description=task,
        approach_taken="; ".join(map(_told, steps)),
        duration_ms=use.took_ms,
        tools_used=done.tools,
        key_decisions=tuple(filter(None, mended))[:_MOST_DECISIONS],
        own=own,
        **shared(use, "wall_ms grade"),
    )


def kept(experiences: Iterable[Experience]) -> list[Experience]:
    """The twenty to keep of a skill: what a check or a person found good first, then the newest.

    Of those that tell the same one is enough.
    """
    good = [each for each in experiences if each.outcome == SUCCESS]
    found: dict[tuple[str, str], Experience] = {}
    for each in sorted(good, key=lambda each: (-(each.grade or 0), -each.wall_ms)):
        found.setdefault((each.task_description, each.approach_taken), each)
    return list(found.values())[:MOST_KEPT]


def similar(task: str, experiences: Iterable[Experience], stem: Stem) -> list[Experience]:
    """The three whose tasks share most words with a task; what shares none is not among them."""
    sought = set(terms(task, stem))
    shares = [(len(sought & set(terms(e.task_description, stem))), e) for e in experiences]
    return [e for share, e in sorted(shares, key=lambda pair: -pair[0])[:MOST_GIVEN] if share]


MONTH_MS: Final = 30 * 86_400_000
SLOW_MS: Final = 10_000  # an average above it is slow
LIKED: Final = 3.5  # of 5; a rating below it is low
_EASE: Final = {"high": 2, "medium": 3, "low": 5}


class Month(Record):
    """A skill's executions of a month; `success` is a percentage, `rating` 1 to 5, by persons.

    `errors` are the last ones, `friction` the kinds of trouble, most frequent first. How it came
    out is of the text in place.
    """

    skill: str
    executions: int
    graded: int = 0
    failures: int = 0
    success: float | None = None
    average_ms: float | None = None
    rating: float | None = None
    trend: float | None = None
    errors: tuple[str, ...] = ()
    friction: tuple[str, ...] = ()


class Issue(Record):
    """Something that is wrong with a skill: which of the seed's kinds, and its number in words."""

    month: Month
    kind: str
    severity: str
    metric: str
    priority: float


def priority(kind: str, severity: str, executions: int, value: float) -> float:
    """How much an issue weighs: what it costs, how often, by how easy it is to mend."""
    impacts = {
        "high_failure_rate": (100 - value) / 10,
        "low_rating": (5 - value) * 2,
        "slow": (value - SLOW_MS) / 10_000,
        "excessive_failures": 8.0,
    }
    return max(1, executions) * impacts.get(kind, 0.1) / _EASE[severity]


def trend(grades: Sequence[float], window: int = 5) -> float | None:
    """The mean of the last grades less that of the first; None of fewer than two windows."""
    if len(grades) < 2 * window:
        return None
    return (math.fsum(grades[-window:]) - math.fsum(grades[:window])) / window


def issues(months: Iterable[Month]) -> list[Issue]:
    """What is wrong with some skills, the weightiest first."""
    found = []
    for month in months:
        success, rating = month.success, month.rating
        kinds = []
        if success is not None and month.graded >= 5 and success < 70:
            metric = f"{success:.1f}% success rate"
            kinds.append(("high_failure_rate", "high", metric, success))
        if rating is not None and rating < 3:
            kinds.append(("low_rating", "medium", f"{rating:.1f}/5.0 average rating", rating))
        if month.failures > 10:
            kinds.append(("excessive_failures", "high", f"{month.failures} failures", 0.0))
        for kind, severity, metric, value in kinds:
            weight = priority(kind, severity, month.executions, value)
            found.append(Issue(month, kind, severity, metric, weight))
    return sorted(found, key=lambda issue: (-issue.priority, issue.month.skill))
