"""How a skill's success went: drops, and how stable it is.

Page (Biometrika 41, 1954): each grade adds the logarithm of how much likelier it is after a drop
than before it, the score never falls below 0, and at the limit there is an alarm. It needs no
window: a great drop shows in a few executions, a small one in some more.
"""

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from learnt.core.records import Record

EXPECTED: Final = 0.7  # success of a skill without a history
DROP: Final = 0.2  # a drop that is looked for
LEAST: Final = 0.02  # the success after a drop is taken for no less
RECENT: Final = 10  # grades that say whether a drop is over
TAUGHT: Final = 30  # graded executions that a rate is learnt from
# So many standard errors below what they show, the rate is taken: what is learnt from thirty may be
# too high by chance, and each execution would speak for a drop then.
CAUTION: Final = 0.85
# The limit by the rate before, from 0.05 in steps of 0.05: a false alarm in 1,000 executions, by a
# Markov chain over the score (Brook & Evans, Biometrika 59, 1972), a little above it because the
# scores of plain successes and failures lie on a lattice.
LIMITS: Final = (
    2.70, 3.95, 4.52, 4.92, 4.79, 4.57, 4.45, 4.35, 4.25, 4.20,
    4.16, 4.13, 4.14, 4.15, 4.16, 4.20, 4.27, 4.31, 4.38, 4.40,
)  # fmt: skip
_STEP: Final = 0.05


class Chart(Record):
    """A success rate before and after a drop, what each grade adds to the score, and the limit."""

    before: float
    after: float
    failure: float
    success: float
    limit: float

    def score(self, score: float, grade: float) -> float:
        """The score after one more grade, 0 to 1; at the limit, an alarm, it starts again."""
        added = self.failure + grade * (self.success - self.failure)
        return max(0.0, score + added) if score < self.limit else max(0.0, added)


class Drop(Record):
    """An alarm: the execution that raised it, and the first that speaks for the drop, from 0."""

    at: int
    since: int


def known(rate: float) -> Chart:
    """The chart of a skill whose success rate is known; it is taken for 0.05 to 0.99.

    >>> chart = known(0.9)
    >>> round(chart.after, 2), round(chart.failure, 2), round(chart.success, 2)
    (0.7, 1.1, -0.25)
    """
    before = min(max(rate, _STEP), 0.99)
    after = max(before - DROP, LEAST)
    part, place = math.modf(before / _STEP - 1)
    low, high = list(pairwise(LIMITS))[min(int(place), len(LIMITS) - 2)]
    return Chart(
        before=before,
        after=after,
        failure=math.log((1 - after) / (1 - before)),
        success=math.log(after / before),
        limit=low + part * (high - low),
    )


def learnt(grades: Sequence[float]) -> Chart | None:
    """The chart by a skill's first thirty grades, frozen then; None while there are fewer."""
    if len(grades) < TAUGHT:
        return None
    count = TAUGHT + 1.1  # half a success and 0.6 failures beforehand: near to Jeffreys' prior
    mean = (math.fsum(grades[:TAUGHT]) + 0.5) / count
    return known(mean - CAUTION * math.sqrt(mean * (1 - mean) / (count + 1)))


def dropped(grades: Sequence[float]) -> int | None:
    """Of how many grades a drop lasts that a chart told, learnt from the first; None without."""
    chart = learnt(grades)
    for drop in drops(grades[TAUGHT:], chart) if chart else ():
        since = grades[TAUGHT + drop.since :]
        means = [math.fsum(part) / len(part) for part in (since, since[-RECENT:])]
        if chart and 2 * max(means) < chart.before + chart.after:
            return len(since)
    return None


def drops(grades: Iterable[float], chart: Chart) -> list[Drop]:
    """The alarms over grades in order.

    >>> drops([1] * 20 + [0] * 6, known(0.9))
    [Drop(at=23, since=20)]
    """
    found: list[Drop] = []
    score, since = 0.0, 0
    for at, grade in enumerate(grades):
        if score <= 0 or score >= chart.limit:
            since = at
        score = chart.score(score, grade)
        if score >= chart.limit:
            found.append(Drop(at=at, since=since))
    return found


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


class Stability(Record):
    """A skill's gap and state; the gap is 0 while too little is graded to tell."""

    gap: float = 0.0
    state: StabilityState = StabilityState.HEALTHY


def classic(grades: Sequence[float]) -> Stability:
    """The seed's: mean less least, over all grades."""
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


FORMULAS: Final = {"default": stability, "classic": classic}


def _state(gap: float) -> StabilityState:
    if gap > CRITICAL:
        return StabilityState.CRITICAL
    return StabilityState.DEGRADING if gap > DEGRADING else StabilityState.HEALTHY


def _mean(grades: Sequence[float]) -> float:
    return math.fsum(grades) / len(grades)
