"""How stable a skill is: what it reached, what it reaches now, and whether that is a worry."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """A skill's gap and state, and why: `fell` from what it reached, `low` by what it reaches.

    `reached` and `now` are None while too little is graded to tell them apart; the gap is 0 then.
    """

    gap: float = 0.0
    state: StabilityState = StabilityState.HEALTHY
    reasons: tuple[str, ...] = ()
    reached: float | None = None
    now: float | None = None


def classic(grades: Sequence[float]) -> Stability:
    """The seed's: mean less least, over all grades.

    >>> classic([1, 1, 0.2]).state, classic([0] * 9).state, classic([1] * 99 + [0]).gap
    (<StabilityState.CRITICAL: 'critical'>, <StabilityState.HEALTHY: 'healthy'>, 0.99)
    """
    gap = round(_mean(grades) - min(grades), _DIGITS) if grades else 0.0
    return Stability(gap=gap, state=_state(gap), reasons=("fell",) if gap > DEGRADING else ())


def stability(grades: Sequence[float]) -> Stability:
    """The default, of a skill's grades in order: what it reached less what it reaches now.

    Now is the last ten grades, or the later half of fewer than twenty; what was reached, the twenty
    before. Whatever was reached, success below a half in the last five is degrading and below 0.3
    critical.

    >>> stability([1] * 30 + [0.5] * 10)  # doctest: +NORMALIZE_WHITESPACE
    Stability(gap=0.5, state=<StabilityState.DEGRADING: 'degrading'>, reasons=('fell',),
        reached=1.0, now=0.5)
    >>> stability([0] * 5).state, stability([1] * 99 + [0]).state
    (<StabilityState.CRITICAL: 'critical'>, <StabilityState.HEALTHY: 'healthy'>)
    """
    if len(grades) < LATEST:
        return Stability()
    latest = round(_mean(grades[-LATEST:]), _DIGITS)
    low = StabilityState.CRITICAL if latest < PIT else StabilityState.DEGRADING
    gap, reached, now = 0.0, None, None
    recent = min(NOW, len(grades) // 2)
    if recent >= LATEST:
        reached, now = _mean(grades[-recent - BEFORE : -recent]), _mean(grades[-recent:])
        gap = round(max(0.0, reached - now), _DIGITS)
    states = {"fell": _state(gap), "low": low if latest < FLOOR else StabilityState.HEALTHY}
    return Stability(
        gap=gap,
        state=max(states.values(), key=list(StabilityState).index),
        reasons=tuple(why for why, state in states.items() if state is not StabilityState.HEALTHY),
        reached=reached,
        now=now,
    )


def _state(gap: float) -> StabilityState:
    if gap > CRITICAL:
        return StabilityState.CRITICAL
    return StabilityState.DEGRADING if gap > DEGRADING else StabilityState.HEALTHY


def _mean(grades: Sequence[float]) -> float:
    return math.fsum(grades) / len(grades)
