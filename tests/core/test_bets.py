"""E-values: what they come to, how many at once are judged, and how far there is to go."""

import math

import pytest

from learnt.core.health.effects import (
    STAKES,
    BetDecision,
    evidence,
    masked,
    promotion_level,
    ruled,
    times_as_much,
    wealth,
)


def test_the_evidence_is_the_mean_over_the_stakes() -> None:
    """Of the products of what each bet came to."""
    by_hand = sum((1 + s) ** 3 * (1 - s / 2) for s in STAKES) / 8
    assert evidence(wealth([(1.0, 3), (-0.5, 1)])) == pytest.approx(by_hand, rel=1e-12)


def test_a_great_deal_of_evidence_is_still_a_number() -> None:
    """As is very little."""
    assert 1e300 < evidence(wealth([(1.0, 10**6)])) < math.inf
    assert 0 <= evidence(wealth([(-1.0, 10**6)])) < 1e-300


def test_how_far_there_is_to_go() -> None:
    """Seven wins are enough for an α of .05, so four are more than half of the way; not for .01."""
    assert evidence(wealth([(1.0, 6)])) < 20 <= evidence(wealth([(1.0, 7)]))
    four = times_as_much(wealth([(1.0, 4)]))
    assert four is not None and 6 < 4 * four <= 7
    seven = times_as_much(wealth([(1.0, 7)])), times_as_much(wealth([(1.0, 7)]), 0.01)
    assert seven[0] is not None and seven[1] is not None and seven[0] <= 1 < seven[1]
    assert None is times_as_much(wealth([(-1.0, 1)]))
    assert None is times_as_much(wealth([(1.0, 1_000), (-1.0, 999)]))


def test_what_many_e_values_say() -> None:
    """As many as stand at m/(k·level): 10/k of ten at a level of 100 %, 100/k at 10 %."""
    alone = dict.fromkeys("abcdefghi", 1.0) | {"x": 99.0}
    assert [] == masked(alone)
    assert ["x"] == masked(alone | {"x": 100.0})
    assert ["x", "a"] == masked(alone | {"x": 51.0, "a": 50.0})
    assert [] == masked(alone | {"x": 51.0, "a": 49.0})
    assert [] == masked({})
    assert ["x"] == masked({"x": 20.0}, level=0.05)


def test_the_levels_of_promotions_add_up() -> None:
    """To alpha where nothing is promoted; each promotion adds a share."""
    assert sum(promotion_level(t, 0) for t in range(1, 10_000)) == pytest.approx(0.05, rel=1e-3)
    assert promotion_level(7, 3, 0.1) == pytest.approx(4 * promotion_level(7, 0, 0.1))


def test_what_is_said() -> None:
    """At 1/α and not below; what hurts counts before what helps."""
    assert BetDecision.BETTER is ruled(20.0, 1.0, 1.0)
    assert BetDecision.UNDECIDED is ruled(19.9, 19.9, 1.0)
    assert BetDecision.WORSE is ruled(20.0, 20.0, 99.0)
    assert BetDecision.UNDECIDED is ruled(20.0, 1.0, 1.0, alpha=0.01)
    assert BetDecision.UNDECIDED is ruled(99.0, 1.0, 3.0)
