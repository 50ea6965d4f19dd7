"""When a series changed, and whether a skill got slower or costlier."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.health.trends import SHORTEST, pieces, slowdown

AMOUNTS = st.lists(st.integers(1, 1_000), max_size=60)


def changes(values: Sequence[float]) -> list[int]:
    """Where pieces begin but the first."""
    return [piece.start for piece in pieces(values)[1:]]


def steady(level: float, count: int) -> list[float]:
    """Numbers about a level, a tenth to either side, without a trend."""
    return [level * (1 + 0.02 * ((7 * at) % 11 - 5)) for at in range(count)]


@pytest.mark.parametrize("place", [15, 20, 40, 50])
def test_a_step_is_found_where_it_is(place: int) -> None:
    """Of numbers that double from one on, a piece begins at that one and at no other."""
    assert changes(steady(100, place) + steady(200, 65 - place)) == [place]


@pytest.mark.parametrize("values", [[], [3.0], [5.0] * 50, steady(100, 9), steady(100, 80)])
def test_what_stays_has_no_change(values: list[float]) -> None:
    """Equal numbers, numbers about one level, and too few of them make one piece at most."""
    assert changes(values) == []


def test_a_steady_growth_is_one_piece() -> None:
    """A line is no row of steps; where it turns level, a piece begins."""
    growing = [float(10 * at) for at in range(40)]
    assert changes(growing) == []
    turned = changes(growing + [390.0] * 40)
    assert len(turned) == 1
    assert abs(turned[0] - 40) <= 2


def test_an_outlier_is_no_change() -> None:
    """One execution that took a hundred times as long begins no piece."""
    values = steady(100, 60)
    values[30] = 10_000
    assert changes(values) == []
    assert slowdown(values) is None


@given(AMOUNTS)
def test_pieces_cover_the_series(amounts: list[int]) -> None:
    """Each number belongs to one piece, and a piece has five at least, if there are as many."""
    found = pieces(amounts)
    assert [at for piece in found for at in range(piece.start, piece.stop)] == list(
        range(len(amounts))
    )
    assert len(found) <= 1 or min(one.stop - one.start for one in found) >= SHORTEST


@given(AMOUNTS, st.sampled_from([0.25, 2, 64]), st.sampled_from([-512, 0, 512]))
def test_the_unit_does_not_matter(amounts: list[int], scale: float, shift: int) -> None:
    """Seconds or milliseconds, from whatever zero: the changes are the same."""
    assert changes([scale * amount + shift for amount in amounts]) == changes(amounts)


@pytest.mark.parametrize("factor", [2, 3, 10])
def test_how_much_slower_and_since_when(factor: int) -> None:
    """The factor is that of the levels, and since is the first of the slow ones."""
    found = slowdown(steady(1_000, 30) + steady(1_000 * factor, 15))
    assert found is not None
    assert found.since == 30
    assert found.factor == pytest.approx(factor, rel=0.05)
    assert found.now == pytest.approx(factor * found.before, rel=0.05)


def test_faster_recovered_and_little_slower_are_no_slowdown() -> None:
    """Nothing is said of a skill that got faster, is as fast as it was, or takes a fifth longer."""
    assert slowdown(steady(2_000, 30) + steady(1_000, 30)) is None
    assert slowdown(steady(1_000, 30) + steady(3_000, 30) + steady(1_000, 30)) is None
    assert slowdown(steady(1_000, 30) + steady(1_200, 30)) is None
    assert slowdown([]) is None
    assert slowdown([0] * 30) is None


def test_growth_in_small_steps_adds_up() -> None:
    """Each of three steps is too small to tell; together they are told."""
    steps = [steady(1_000 * 1.3**step, 30) for step in range(4)]
    assert all(slowdown(one + other) is None for one, other in pairwise(steps))
    found = slowdown([amount for step in steps for amount in step])
    assert found is not None
    assert found.factor == pytest.approx(1.3**3, rel=0.1)
