"""What a month of executions teaches, by the thresholds of seed 001's LEARNINGS.md."""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

DAYS: Final = 30
SLOW_MS: Final = 10_000  # an average above it is slow
LIKED: Final = 3.5  # of 5; a rating below it is low
_EASE: Final = {"high": 2, "medium": 3, "low": 5}
_SEVERITY: Final = {"high_failure_rate": "high", "excessive_failures": "high"}


class Month(NamedTuple):
    """A skill's executions of a month; `success` is a percentage, `rating` 1 to 5, by persons.

    `trouble` are the last errors, `friction` the kinds of trouble, most frequent first.
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


class Issue(NamedTuple):
    """Something that is wrong with a skill: which of the seed's kinds, and its number."""

    month: Month
    kind: str
    value: float
    severity: str
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
    found = [issue for month in months for issue in _issues(month)]
    return sorted(found, key=lambda issue: (-issue.priority, issue.month.skill, issue.kind))


def _issues(month: Month) -> Iterable[Issue]:
    values: dict[str, float] = {}
    if month.success is not None and month.graded >= 5 and month.success < 70:
        values["high_failure_rate"] = month.success
    if month.rating is not None and month.rating < 3:
        values["low_rating"] = month.rating
    if month.failures > 10:
        values["excessive_failures"] = month.failures
    if month.average_ms is not None and month.average_ms > SLOW_MS:
        values["slow"] = month.average_ms
    for kind, value in values.items():
        severity = _SEVERITY.get(kind, "medium")
        weight = priority(kind, severity, month.executions, value)
        yield Issue(month, kind, value, severity, weight)
