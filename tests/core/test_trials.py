"""The trial that decides between two texts."""

from collections.abc import Iterator
from functools import cache
from math import comb, exp

import pytest

from learnt.core.health.trials import BetDecision, growth, judge

BETTER, WORSE, UNDECIDED = BetDecision.BETTER, BetDecision.WORSE, BetDecision.UNDECIDED


def test_without_pairs_nothing_is_said() -> None:
    """Nothing is nothing; what always failed and now always works is better."""
    assert (UNDECIDED, 0) == (judge([], []).ruling, judge([], []).seen)
    result = judge([0.0] * 10, [1.0] * 10)
    assert (BETTER, 0.0, 1.0, 0) == (result.ruling, result.before, result.after, result.more)
    assert WORSE is judge([1.0] * 10, [0.0] * 10).ruling


def test_a_trial_takes_seven_of_seven() -> None:
    """Pairs that came out alike say nothing, the order says nothing, a loss is made up for."""
    assert UNDECIDED is judge([0.0] * 6, [1.0] * 6).ruling
    assert BETTER is judge([0.0] * 7, [1.0] * 7).ruling
    alike = [1.0, 0.0] * 50
    padded = judge([*alike, *[0.0] * 7], [*alike, *[1.0] * 7])
    assert (BETTER, 107) == (padded.ruling, padded.seen)
    assert padded.better == pytest.approx(judge([0.0] * 7, [1.0] * 7).better)
    assert UNDECIDED is judge([0.0] * 7 + [1.0], [1.0] * 7 + [0.0]).ruling
    assert BETTER is judge([1.0] + [0.0] * 10, [0.0] + [1.0] * 10).ruling


def test_who_has_no_other_waits() -> None:
    """A unit whose pair is not complete is not counted."""
    assert judge([0.0] * 8, [1.0] * 7) == judge([0.0] * 7, [1.0] * 7)


def test_a_stricter_trial_takes_longer() -> None:
    """As e-LOND's levels have it; how much longer is told."""
    result = judge([0.0] * 8, [1.0] * 8, alpha=0.01)
    assert (UNDECIDED, 2) == (result.ruling, result.more)
    assert BETTER is judge([0.0] * 10, [1.0] * 10, alpha=0.01).ruling
    assert None is judge([1.0, 0.0] * 9, [0.0, 1.0] * 9).more


def test_worse_is_said_only_if_it_survives_what_was_not_seen() -> None:
    """The new text's unseen counts for it, the old one's against it."""
    assert WORSE is judge([1.0] * 8, [0.0] * 8).ruling
    assert UNDECIDED is judge([None] * 8, [0.0] * 8).ruling
    assert judge([1.0] * 8, [0.0] * 8).worse == judge([0.0] * 8, [1.0] * 8).better
    assert UNDECIDED is judge([1.0] * 8, [None] * 8).ruling


def test_better_is_not_said_of_a_text_that_hides_its_failures() -> None:
    """Nothing seen is no trouble, but not of a text of which less is seen."""
    hidden = judge([0.0] * 8, [None] * 8)
    assert (UNDECIDED, None) == (hidden.ruling, hidden.more)
    assert 20 <= hidden.better and 20 <= hidden.graded_less
    assert BETTER is judge([0.0] * 8 + [None] * 4, [1.0] * 9 + [None] * 3).ruling


@cache
def promoted(wins: int, losses: int) -> bool:
    """Whether a trial promotes after so many pairs that the texts won."""
    result = judge([0.0] * wins + [1.0] * losses, [1.0] * wins + [0.0] * losses)
    return result.ruling is BETTER


def chances(old: float, new: float, most: int) -> Iterator[float]:
    """The exact chance of having been promoted after 0, 1, … unlike pairs."""
    won = new * (1 - old) / (new * (1 - old) + old * (1 - new))
    undecided, decided = {0: 1.0}, 0.0  # by wins
    yield decided
    for unlike in range(1, most + 1):
        after: dict[int, float] = {}
        for wins, chance in undecided.items():
            for more, part in ((wins + 1, won), (wins, 1 - won)):
                if chance > 1e-12:
                    after[more] = after.get(more, 0.0) + chance * part
        stop = [wins for wins in after if wins > unlike / 2 and promoted(wins, unlike - wins)]
        decided += sum(after.pop(wins) for wins in stop)
        undecided = after
        yield decided


def within(pairs: int, old: float, new: float) -> float:
    """The exact chance of being promoted within so many pairs."""
    unlike = old * (1 - new) + new * (1 - old)
    return sum(
        comb(pairs, n) * unlike**n * (1 - unlike) ** (pairs - n) * chance
        for n, chance in enumerate(chances(old, new, pairs))
    )


def test_alike_texts_are_seldom_promoted() -> None:
    """However often one looks, at 200 pairs that are unlike: the exact chance, 5 % at most."""
    *_, ever = chances(0.6, 0.6, 200)
    assert 0.02 < ever <= 0.05


@pytest.mark.slow
def test_better_texts_are_promoted_in_time() -> None:
    """Exactly: .60 to .75 within 400 pairs in 96 %, half of them in 130; .60 to .90 in 28."""
    assert within(400, 0.6, 0.75) >= 0.94
    assert within(140, 0.6, 0.75) >= 0.5
    assert within(40, 0.6, 0.9) >= 0.5


def test_evidence_that_grew_ends_in_what_is_said_now() -> None:
    """Each point is what would have been said then; the last is the verdict's own."""
    old, new = [0.0, 1.0, 0.0, 0.0, 0.5] * 3, [1.0] * 15
    points, now = growth(old, new), judge(old, new)

    assert list(range(1, 16)) == [point.pairs for point in points]
    assert now.better == pytest.approx(exp(points[-1].better))
    assert judge(old[:4], new[:4]).worse == pytest.approx(exp(points[3].worse))
    assert [] == growth([], [])


def test_the_interval_of_a_trial_narrows_around_the_difference() -> None:
    """It holds the difference that is seen, and a better text's is above nothing in the end."""
    points = growth([0.0] * 80, [1.0] * 60 + [0.0] * 20, most=8)
    widths = [point.high - point.low for point in points]

    assert 8 == len(points) and 80 == points[-1].pairs
    assert all(point.low <= point.difference <= point.high for point in points)
    assert widths[-1] < widths[0] and points[-1].low > 0
