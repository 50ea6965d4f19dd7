"""How stable a skill is: what it reached, what it reaches now, and whether that is a worry."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

DEGRADING: Final = 0.3  # a gap above it
CRITICAL: Final = 0.5
LATEST: Final = 5  # graded executions that the floors look at
FLOOR: Final = 0.5  # success below it is degrading whatever was reached before
PIT: Final = 0.3  # and below it critical
NOW: Final = 10  # graded executions that say what is reached now
BEFORE: Final = 20  # and those before them, what was reached
_DIGITS: Final = 9  # a gap of 0.3 is no more than 0.3, however it was summed


class StabilityState(StrEnum):
    """How a skill is. The value is the stored form."""

    HEALTHY = "healthy"
    DEGRADING = "degrading"
    CRITICAL = "critical"


class Stability(NamedTuple):
    """A skill's gap and state; the gap is 0 while too little is graded to tell."""

    gap: float = 0.0
    state: StabilityState = StabilityState.HEALTHY


def classic(grades: Sequence[float]) -> Stability:
    """The seed's: mean less least, over all grades.

    >>> classic([1, 1, 0.2]).state, classic([0] * 9).state, classic([1] * 99 + [0]).gap
    (<StabilityState.CRITICAL: 'critical'>, <StabilityState.HEALTHY: 'healthy'>, 0.99)
    """
    gap = round(_mean(grades) - min(grades), _DIGITS) if grades else 0.0
    return Stability(gap, _state(gap))


def stability(grades: Sequence[float]) -> Stability:
    """The default, of a skill's grades in order: what it reached less what it reaches now.

    Now is the last ten grades, or the later half of fewer than twenty; what was reached, the twenty
    before. Whatever was reached, success below a half in the last five is degrading and below 0.3
    critical.

    >>> stability([1] * 30 + [0.5] * 10)
    Stability(gap=0.5, state=<StabilityState.DEGRADING: 'degrading'>)
    >>> stability([0] * 5).state, stability([1] * 99 + [0]).state
    (<StabilityState.CRITICAL: 'critical'>, <StabilityState.HEALTHY: 'healthy'>)
    """
    if len(grades) < LATEST:
        return Stability()
    latest = round(_mean(grades[-LATEST:]), _DIGITS)
    low = StabilityState.CRITICAL if latest < PIT else StabilityState.DEGRADING
    low = low if latest < FLOOR else StabilityState.HEALTHY
    gap, recent = 0.0, min(NOW, len(grades) // 2)
    if recent >= LATEST:
        fell = _mean(grades[-recent - BEFORE : -recent]) - _mean(grades[-recent:])
        gap = round(max(0.0, fell), _DIGITS)
    return Stability(gap, max(low, _state(gap), key=list(StabilityState).index))


def _state(gap: float) -> StabilityState:
    if gap > CRITICAL:
        return StabilityState.CRITICAL
    return StabilityState.DEGRADING if gap > DEGRADING else StabilityState.HEALTHY


def _mean(grades: Sequence[float]) -> float:
    return math.fsum(grades) / len(grades)
