"""The trial that decides between two texts, use by use."""

import random  # noqa: TID251  # seeded: the same uses in every run
from collections.abc import Iterator
from math import exp

import pytest

from learnt.core.health.effects import (
    BetDecision,
    TrialUse,
    course,
    growth,
    judge,
    promotion_level,
    ruling,
)

BETTER, WORSE, UNDECIDED = BetDecision.BETTER, BetDecision.WORSE, BetDecision.UNDECIDED


def uses(count: int, old: float | None, new: float | None) -> list[TrialUse]:
    """Uses by turns of the old text and the new one, each with its success."""
    return [TrialUse(bool(number % 2), new if number % 2 else old) for number in range(count)]


def test_without_uses_nothing_is_said() -> None:
    """Nothing is nothing; what always failed and now always works is better."""
    assert (UNDECIDED, 0) == (judge([], 0.5).ruling, judge([], 0.5).seen)
    result = judge(uses(14, 0.0, 1.0), 0.5)
    assert (BETTER, 0.0, 1.0, 0) == (result.ruling, result.before, result.after, result.more)
    assert WORSE is judge(uses(14, 1.0, 0.0), 0.5).ruling


def test_alike_uses_say_nothing() -> None:
    """Both texts fail, or both succeed, however often."""
    for success in (0.0, 1.0):
        result = judge(uses(200, success, success), 0.5)
        assert (UNDECIDED, UNDECIDED) == (result.ruling, judge(uses(200, None, None), 0.5).ruling)


def test_a_stricter_trial_takes_longer() -> None:
    """As e-LOND's levels have it; how much longer is told."""
    result = judge(uses(12, 0.0, 1.0), 0.5, alpha=0.001)
    assert UNDECIDED is result.ruling and result.more
    assert BETTER is judge(uses(12 + 2 * result.more, 0.0, 1.0), 0.5, alpha=0.001).ruling


def test_worse_is_said_only_if_it_survives_what_was_not_seen() -> None:
    """The new text's unseen counts for it, the old one's against it."""
    assert WORSE is judge(uses(16, 1.0, 0.0), 0.5).ruling
    assert UNDECIDED is judge(uses(16, None, 0.0), 0.5).ruling
    assert UNDECIDED is judge(uses(16, 1.0, None), 0.5).ruling


def test_better_is_not_said_of_a_text_that_hides_its_failures() -> None:
    """Nothing seen is no trouble, but not of a text of which less is seen."""
    hidden = judge(uses(40, 0.0, None), 0.5)
    assert (UNDECIDED, None) == (hidden.ruling, hidden.more)
    assert 20 <= hidden.better and 3 <= hidden.graded_less
    assert BETTER is judge([*uses(30, 0.0, 1.0), *uses(4, None, None)], 0.5).ruling


def drawn(chance: random.Random, old: float, new: float, most: int) -> Iterator[TrialUse]:
    """Uses whose text an even coin draws, with these chances of success."""
    for _ in range(most):
        is_new = chance.random() < 0.5
        yield TrialUse(is_new, float(chance.random() < (new if is_new else old)))


def promoted(name: str, old: float, new: float, most: int, alpha: float) -> int | None:
    """After how many uses the new text is promoted; None if not within so many."""
    made = course(drawn(random.Random(name), old, new, most), old)
    return next((at for at, held in enumerate(made, 1) if ruling(held, alpha) is BETTER), None)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.25, 0.6, 0.9])
def test_alike_texts_are_seldom_promoted(rate: float) -> None:
    """However often one looks: at most 5 % of 1,000 trials, within 300 uses."""
    ends = [promoted(f"alike {n}", rate, rate, 300, 0.05) for n in range(1_000)]
    assert sum(end is not None for end in ends) <= 50


@pytest.mark.parametrize(("old", "new", "most"), [(0.25, 0.95, 25), (0.5, 0.8, 115)])
def test_better_texts_are_promoted_in_time(old: float, new: float, most: int) -> None:
    """Half of a home's first trials within so many uses."""
    ends = [promoted(f"better {n}", old, new, most, promotion_level(1, 0)) for n in range(200)]
    assert sum(end is not None for end in ends) >= 100


def test_evidence_that_grew_ends_in_what_is_said_now() -> None:
    """Each point is what would have been said then; the last is the verdict's own."""
    seen = uses(15, 0.3, 1.0)
    points, now = growth(seen, 0.5), judge(seen, 0.5)
    assert list(range(1, 16)) == [point.uses for point in points]
    assert now.better == pytest.approx(exp(points[-1].better))
    assert judge(seen[:4], 0.5).worse == pytest.approx(exp(points[3].worse))
    assert [] == growth([], 0.5)


def test_the_interval_of_a_trial_narrows_around_the_difference() -> None:
    """It holds the difference that is seen, and a better text's is above nothing in the end."""
    points = growth(uses(160, 0.0, 1.0), 0.5, most=8)
    widths = [point.high - point.low for point in points]
    assert 8 == len(points) and 160 == points[-1].uses
    assert widths[-1] < widths[0] and points[-1].low > 0
