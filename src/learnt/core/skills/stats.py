"""How a skill did: how often it was used, and a success rate that follows the latest uses."""

from typing import Final, NamedTuple

ALPHA: Final = 0.3  # the weight of the latest use (seed 004)


class Stats(NamedTuple):
    """Uses so far, and the moving success rate (0 to 1); None before the first use."""

    usage_count: int = 0
    success_rate: float | None = None


def graded(stats: Stats, success: bool) -> Stats:
    """The statistics after one more use.

    >>> graded(graded(Stats(), True), False)
    Stats(usage_count=2, success_rate=0.7)
    """
    result = 1.0 if success else 0.0
    rate = stats.success_rate
    moved = result if rate is None else (1 - ALPHA) * rate + ALPHA * result
    return Stats(stats.usage_count + 1, moved)


def stats_of(uses: int, results: str) -> Stats:
    """The statistics of so many uses, of which the latest results are kept: `S` or `F` each.

    >>> round(stats_of(3, "SFS").success_rate, 6)
    0.79
    """
    stats = Stats()
    for result in results:
        stats = graded(stats, result == "S")
    return stats._replace(usage_count=uses)
