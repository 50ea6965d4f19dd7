"""How a skill's success, speed and cost went: drops, changes, stability, and a forecast.

Optimal partitioning (Jackson and others, IEEE Signal Processing Letters 12, 2005): of all ways to
cut the series into pieces that are level or a line, the one with the least squared error, where
each piece costs: log n for each of its parameters and two for where it begins (Zhang & Siegmund,
Biometrics 63, 2007).

Page (Biometrika 41, 1954): each grade adds the logarithm of how much likelier it is after a drop
than before it, the score never falls below 0, and at the limit there is an alarm. It needs no
window: a great drop shows in a few executions, a small one in some more.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import accumulate, pairwise, product
from statistics import median
from typing import Final, NamedTuple

SHORTEST: Final = 5  # numbers of a piece
OUTLIER: Final = 3.0  # robust standard deviations from the median; what is farther counts as these
LEVEL: Final = 3  # what a piece costs, in log n: two for its place, one for its height
LINE: Final = 4  # and one for its slope
SLOWER: Final = 1.5  # a factor that is worth telling
_MAD: Final = 1.4826  # the median deviation of a normal distribution to its standard deviation


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Numbers from `start` to before `stop` that go together, and how high they begin and end."""

    start: int
    stop: int
    first: float
    last: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Slowdown:
    """A skill takes `now` what was `before`, `factor` times as much, since an execution from 0."""

    factor: float
    before: float
    now: float
    since: int


def slowdown(amounts: Sequence[float], factor: float = SLOWER) -> Slowdown | None:
    """Whether what executions take, time or tokens, has grown by a factor; None if it has not.

    It is compared with the least that it was, by logarithms; below 1 counts as 1.

    >>> slowdown([100, 110] * 10 + [205, 225] * 5)
    Slowdown(factor=2.05, before=105, now=215, since=20)
    """
    found = pieces([math.log(max(amount, 1.0)) for amount in amounts])
    if not found:
        return None
    ends = [(piece.first, piece.start) for piece in found]
    ends += [(piece.last, piece.stop) for piece in found]
    least, since = min(ends, key=lambda end: (end[0], -end[1]))
    grown = math.exp(found[-1].last - least)
    if grown < factor:
        return None
    return Slowdown(
        factor=round(grown, 2),
        before=round(math.exp(least)),
        now=round(math.exp(found[-1].last)),
        since=since,
    )


def pieces(values: Sequence[float]) -> list[Piece]:
    """The series in pieces, none of no numbers. They are found with outliers drawn in."""
    if not values:
        return []
    drawn = _drawn_in(values)
    scaled = _scaled([value - drawn[0] for value in drawn])
    cuts = _cut(scaled)
    found = []
    for start, stop in zip(cuts, [*cuts[1:], len(values)], strict=True):
        part = values[start:stop]
        # A level's height is that of all its numbers, a line's that of those at the end.
        near = SHORTEST if _slopes(scaled[start:stop], math.log(len(values))) else len(part)
        first, last = median(part[:near]), median(part[-near:])
        found.append(Piece(start=start, stop=stop, first=first, last=last))
    return found


def _drawn_in(values: Sequence[float]) -> list[float]:
    middle = median(values)
    reach = OUTLIER * _MAD * median(abs(value - middle) for value in values)
    if reach == 0:  # most numbers are the same
        return list(values)
    return [min(max(value, middle - reach), middle + reach) for value in values]


def _scaled(values: Sequence[float]) -> list[float]:
    """Numbers of standard deviation 1; those that are alike as they are."""
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [value / (spread or 1.0) for value in values]


def _slopes(part: Sequence[float], price: float) -> bool:
    """Whether a line saves more squared error over a level than its slope costs."""
    centre, size = (len(part) - 1) / 2, len(part)
    lean = sum((at - centre) * value for at, value in enumerate(part))
    return lean * lean * 12 > price * size * (size * size - 1)


def _cut(values: Sequence[float]) -> list[int]:
    """Where the pieces begin, of numbers whose standard deviation is 1.

    A piece costs no less where it ends later: what it cost when it was last looked at says whether
    it has to be looked at again, and few do.
    """
    size = len(values)
    level_price, line_price = (price * math.log(size) for price in (LEVEL, LINE))
    sums = list(accumulate(values, initial=0.0))
    squares = list(accumulate((value * value for value in values), initial=0.0))
    moments = list(accumulate((at * value for at, value in enumerate(values)), initial=0.0))
    best, begun = [0.0] + [math.inf] * size, [0] * (size + 1)
    least: list[tuple[float, int]] = []  # of each beginning, what all to the end costs at least
    for stop in range(SHORTEST, size + 1):
        heappush(least, (best[stop - SHORTEST] + level_price, stop - SHORTEST))
        looked: list[tuple[float, int]] = []
        while least and least[0][0] < best[stop]:
            _, start = heappop(least)
            count, total = stop - start, sums[stop] - sums[start]
            level = squares[stop] - squares[start] - total * total / count
            lean = moments[stop] - moments[start] - (start + stop - 1) / 2 * total
            saved = lean * lean * 12 / (count * (count * count - 1))
            cost = best[start] + level + min(level_price, line_price - saved)
            looked.append((cost, start))
            if cost < best[stop]:
                best[stop], begun[stop] = cost, start
        for one in looked:
            heappush(least, one)
    cuts = [begun[size]]
    while cuts[-1] > 0:
        cuts.append(begun[cuts[-1]])
    return cuts[::-1]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
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
    """The chart by a skill's first thirty grades, frozen then; None while there are fewer.

    >>> round(learnt([1] * 27 + [0] * 3).before, 2), learnt([1] * 29)
    (0.84, None)
    """
    if len(grades) < TAUGHT:
        return None
    count = TAUGHT + 1.1  # half a success and 0.6 failures beforehand: near to Jeffreys' prior
    mean = (math.fsum(grades[:TAUGHT]) + 0.5) / count
    return known(mean - CAUTION * math.sqrt(mean * (1 - mean) / (count + 1)))


def dropped(grades: Sequence[float]) -> int | None:
    """Of how many grades a drop lasts that a chart told, learnt from the first; None without.

    >>> dropped([1] * 40 + [0] * 6), dropped([1] * 40 + [0] * 6 + [1] * 20)
    (6, None)
    """
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


FORMULAS: Final = {"default": stability, "classic": classic}


def _state(gap: float) -> StabilityState:
    if gap > CRITICAL:
        return StabilityState.CRITICAL
    return StabilityState.DEGRADING if gap > DEGRADING else StabilityState.HEALTHY


def _mean(grades: Sequence[float]) -> float:
    return math.fsum(grades) / len(grades)


EXPECTED: Final = 0.7  # success of a skill without a history
KEPT: Final = (1.0, 0.9, 0.7)  # what is left of an execution's weight when the next one comes
DOUBTS: Final = (1.0, 4.0)  # for how many executions the expectation counts
SHARED: Final = 0.05  # of the weight, given out again each time: another memory may fit from now on


def forecast(grades: Iterable[float], expected: float = EXPECTED) -> float:
    """The probability of success, by six beta posteriors that differ in memory and doubt.

    Each says its own; the weight of its word is how well it foretold the grades so far (their log
    loss), so a skill that changes often is soon judged by its last runs and a steady one by all
    (Herbster & Warmuth, Machine Learning 32, 1998). `expected` is best what the library's other
    skills reach.

    >>> forecast([]), round(forecast([1] * 20), 2), round(forecast([1] * 20 + [0] * 3), 2)
    (0.7, 0.95, 0.53)
    """
    expected = min(max(expected, 0.01), 0.99)  # nothing is certain
    rules = list(product(KEPT, DOUBTS))
    weights = [1 / len(rules)] * len(rules)
    sums, counts = [0.0] * len(KEPT), [0.0] * len(KEPT)

    def said() -> list[float]:
        each = zip(sums, counts, strict=True)
        return [(s + doubt * expected) / (n + doubt) for (s, n), doubt in product(each, DOUBTS)]

    for grade in grades:
        weights = [
            weight * chance**grade * (1 - chance) ** (1 - grade)
            for weight, chance in zip(weights, said(), strict=True)
        ]
        whole = sum(weights)
        weights = [(1 - SHARED) * weight / whole + SHARED / len(rules) for weight in weights]
        sums = [kept * s + grade for kept, s in zip(KEPT, sums, strict=True)]
        counts = [kept * n + 1 for kept, n in zip(KEPT, counts, strict=True)]
    return sum(weight * chance for weight, chance in zip(weights, said(), strict=True))
