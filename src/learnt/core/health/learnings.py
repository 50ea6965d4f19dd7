"""What a month of executions teaches, by the thresholds of seed 001's LEARNINGS.md."""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from learnt.core.health.changes import Slowdown

MONTH_MS: Final = 30 * 86_400_000
SLOW_MS: Final = 10_000  # an average above it is slow
LIKED: Final = 3.5  # of 5; a rating below it is low
_EASE: Final = {"high": 2, "medium": 3, "low": 5}


class Month(NamedTuple):
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
    slower: Slowdown | None = None
    costlier: Slowdown | None = None


class Issue(NamedTuple):
    """Something that is wrong with a skill: which of the seed's kinds, and its number in words."""

    month: Month
    kind: str
    severity: str
    metric: str
    priority: float


def priority(kind: str, severity: str, executions: int, value: float) -> float:
    """How much an issue weighs: what it costs, how often, by how easy it is to mend.

    >>> round(priority("high_failure_rate", "high", 26, 42.3), 2)
    75.01
    """
    impacts = {
        "high_failure_rate": (100 - value) / 10,
        "low_rating": (5 - value) * 2,
        "slow": (value - SLOW_MS) / 10_000,
        "excessive_failures": 8.0,
    }
    return max(1, executions) * impacts.get(kind, 0.1) / _EASE[severity]


def trend(grades: Sequence[float], window: int = 5) -> float | None:
    """The mean of the last grades less that of the first; None of fewer than two windows.

    >>> round(trend([0.5] * 5 + [0.8] * 5), 9), trend([1.0] * 9)
    (0.3, None)
    """
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
        for kind, unit, dearer in (
            ("slow", "ms", month.slower),
            ("costly", "tokens", month.costlier),
        ):
            if dearer:
                metric = f"{dearer.now:,} {unit}, {dearer.factor:g} times as much as before"
                kinds.append((kind, "medium", metric, dearer.now))
        for kind, severity, metric, value in kinds:
            weight = priority(kind, severity, month.executions, value)
            found.append(Issue(month, kind, severity, metric, weight))
    return sorted(found, key=lambda issue: (-issue.priority, issue.month.skill))
