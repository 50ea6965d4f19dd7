"""When a series of numbers changed, and whether a skill got slower or costlier than it was.

Optimal partitioning (Jackson and others, IEEE Signal Processing Letters 12, 2005): of all ways to
cut the series into pieces that are level or a line, the one with the least squared error, where
each piece costs: log n for each of its parameters and two for where it begins (Zhang & Siegmund,
Biometrics 63, 2007).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate
from statistics import median
from typing import Final

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
