"""Bets and e-values, and the effect of an item by them: examples with numbers."""

import math
from collections import Counter

import pytest
from msgspec.structs import replace

from learnt.core.health.effects import (
    FOR_THE_ITEM,
    SHARES,
    STAKES,
    BetDecision,
    Effect,
    Unit,
    effect,
    estimate,
    evidence,
    gain,
    hurts,
    interval,
    masked,
    narrowed,
    promotion_level,
    ruled,
    times_as_much,
    unequal,
    wealth,
    wealth_of,
)


def arms(
    shown: tuple[int, int], withheld: tuple[int, int], propensity: float = 0.5, f: float = 0.8
) -> Counter[Unit]:
    """Units by arm: how many went well, and how many badly."""
    found: Counter[Unit] = Counter()
    for arm, (good, bad) in ((True, shown), (False, withheld)):
        found[Unit(arm, propensity, 1.0, f)] += good
        found[Unit(arm, propensity, 0.0, f)] += bad
    return +found


def hidden(tally: Counter[Unit], shown: bool) -> Counter[Unit]:
    """The same, but that one arm's failures are not seen."""
    return sum(
        (
            Counter({replace(unit, success=unit.success or None): count})
            if unit.shown == shown
            else Counter({unit: count})
            for unit, count in tally.items()
        ),
        Counter(),
    )


HELPFUL = arms((95, 5), (60, 40))
HARMFUL = arms((60, 40), (95, 5))
ALIKE = arms((80, 20), (80, 20))


@pytest.mark.parametrize(
    ("unit", "by_hand"),
    [
        (Unit(True, 0.5, 1.0, 0.8), 0.5 * 0.2 / 0.4),
        (Unit(False, 0.5, 1.0, 0.8), -0.5 * 0.2 / 0.4),
        (Unit(True, 0.5, 0.0, 0.8), -0.5 * 0.8 / 0.4),
        (Unit(False, 0.9, 0.0, 0.7), 0.9 * 0.7 / (0.9 * 0.7)),
        (Unit(True, 0.9, 0.5, 0.3), 0.1 * 0.2 / (0.9 * 0.7)),
        (Unit(True, 1.0, 0.0, 0.8), 0.0),
    ],
)
def test_what_a_unit_says(unit: Unit, by_hand: float) -> None:
    """(A - π)(S - f) by max(π, 1-π)·max(f, 1-f): nothing where there was no other arm."""
    assert gain(unit) == pytest.approx(by_hand)


def test_the_evidence_is_the_construction_as_written() -> None:
    """The mean over λ of the product of 1 + λU/b, and with -U for harm."""
    units = [Unit(True, 0.5, 1.0, 0.8), Unit(False, 0.5, 0.0, 0.8), Unit(True, 0.9, 0.0, 0.8)]
    for sign, against in ((1, False), (-1, True)):
        products = [1.0] * len(STAKES)
        for unit in units:
            products = [
                p * (1 + sign * s * gain(unit)) for p, s in zip(products, STAKES, strict=True)
            ]
        held = wealth_of(Counter(units), against=against)
        assert evidence(held) == pytest.approx(sum(products) / 8)


@pytest.mark.parametrize(
    ("tally", "ruling", "point"),
    [(HELPFUL, "better", 0.35), (HARMFUL, "worse", -0.35), (ALIKE, "undecided", 0.0)],
)
def test_what_is_known_of_an_item(tally: Counter[Unit], ruling: str, point: float) -> None:
    """The ruling, the estimate in its interval, and how many were counted."""
    found = effect(tally)
    assert (ruling, 200, 100) == (found.ruling.value, found.units, found.shown)
    assert found.estimate == pytest.approx(point)
    assert found.low <= point <= found.high
    assert (found.low > 0, found.high < 0) == (ruling == "better", ruling == "worse")


def test_of_nothing_nothing_is_known() -> None:
    """No estimate, all effects possible, evidence of 1."""
    assert effect({}) == Effect(
        units=0, shown=0, estimate=None, low=-1.0, high=1.0, helps=1.0, hurts=1.0, graded_less=1.0,
        graded_more=1.0, ruling=BetDecision.UNDECIDED, more=None,
    )  # fmt: skip
    assert None is estimate(arms((9, 1), (0, 0)))


def test_groups_count_by_what_they_can_tell() -> None:
    """Another propensity or baseline is another group: what parts them is no effect."""
    hard, easy = arms((5, 5), (45, 45), 0.1, 0.5), arms((90, 0), (10, 0), 0.9, 0.9)
    assert 0.0 == estimate(hard + easy)
    one, other = arms((10, 0), (0, 10), 0.5), arms((9, 0), (1, 0), 0.9)
    assert estimate(one + other) == pytest.approx((5 * 1.0 + 0.9 * 0.0) / 5.9)


def test_an_end_of_the_interval_is_where_the_evidence_begins() -> None:
    """At 2/α for each side; a lesser certainty is a narrower interval."""
    low, high = interval(HELPFUL)
    step = 1e-5

    def shared(end: float, *, against: bool = False) -> float:
        every = wealth_of(HELPFUL, end, against=against)
        return sum(share * math.exp(one) for share, one in zip(SHARES, every, strict=True))

    assert shared(low) >= 40 > shared(low + step)
    assert shared(high - step, against=True) < 40 <= shared(high, against=True)
    assert 1.0 == pytest.approx(sum(SHARES))
    narrow = interval(HELPFUL, 0.2)
    assert low < narrow[0] < narrow[1] < high


def test_harm_is_said_only_if_it_survives_what_was_not_seen() -> None:
    """Failures of the others that nobody saw are not to make an item look bad."""
    assert BetDecision.WORSE is effect(HARMFUL).ruling
    assert hurts(HARMFUL) == evidence(wealth_of(HARMFUL, against=True)) > 20 > 1 > hurts(HELPFUL)
    fooled = hidden(arms((60, 40), (60, 40)), shown=False)
    assert evidence(wealth_of(fooled, against=True)) > 20
    assert 1.0 > hurts(fooled)
    assert BetDecision.UNDECIDED is effect(fooled).ruling
    assert wealth_of(fooled, unseen=FOR_THE_ITEM) == pytest.approx(
        wealth_of(arms((60, 40), (60, 40)))
    )


def test_help_is_not_said_of_an_item_that_hides_failures() -> None:
    """Its units are graded less often, which is told; nor is it said how many more it takes."""
    flattered = effect(hidden(arms((60, 40), (60, 40)), shown=True))
    assert flattered.helps > 20 and flattered.graded_less > 20
    assert (BetDecision.UNDECIDED, None) == (flattered.ruling, flattered.more)
    less, more = unequal(hidden(arms((60, 40), (60, 40)), shown=False))
    assert less < 1 and more > 20


def test_arms_that_are_graded_alike_are_not_suspected() -> None:
    """Whatever share is graded."""
    for graded in (10, 50, 90, 100):
        seen = arms((graded, 0), (graded, 0))
        seen += Counter({Unit(arm, 0.5, None, 0.8): 100 - graded for arm in (False, True)})
        assert max(unequal(seen)) <= 1.0


def test_how_many_more_units_it_takes() -> None:
    """Up to forty units each tells 0.25, then 0.09; as much again and again as told so far."""
    early, late = arms((16, 0), (12, 4)), arms((80, 0), (6, 4), 0.9)
    times = [times_as_much(wealth_of(tally)) or 0.0 for tally in (early, late)]
    lacking = [32 * 0.25 * (times[0] - 1), 90 * 0.09 * (times[1] - 1)]
    assert math.ceil(8 + (lacking[0] - 8 * 0.25) / 0.09) == effect(early).more == 38
    assert math.ceil(lacking[1] / 0.09) == effect(late).more == 43
    assert 0 == effect(HELPFUL).more
    assert None is effect(ALIKE).more


def test_a_stricter_question_has_a_later_answer() -> None:
    """Its interval is wider, it takes more units, and what is said at 5 % is not at 0.01 %."""
    seen = arms((48, 0), (36, 12))
    loose, strict = effect(seen, 0.05), effect(seen, 0.0001)
    assert (BetDecision.BETTER, BetDecision.UNDECIDED) == (loose.ruling, strict.ruling)
    assert strict.low < loose.low < loose.high < strict.high
    assert (loose.more, True) == (0, strict.more is not None and strict.more > 0)


def test_partial_success_counts_in_part() -> None:
    """Half a success is half the gain, and half the difference."""
    halves = Counter({Unit(True, 0.5, 0.5, 0.5): 40, Unit(False, 0.5, 0.0, 0.5): 40})
    assert 0.5 == estimate(halves)
    assert BetDecision.BETTER is effect(halves).ruling


def test_the_smallest_gain_loses_no_more_than_is_staked() -> None:
    """A bet never comes to nothing: the log of its wealth is a number."""
    for unit in (Unit(True, 0.5, 0.0, 1.0), Unit(False, 0.01, 1.0, 0.0), Unit(True, 0.3, 1.0, 1.0)):
        for supposed in (-1.0, -0.3, 0.0, 1.0):
            assert all(gain(unit, supposed, against=side) >= -1 for side in (False, True))
    assert wealth([(gain(Unit(True, 0.5, 0.0, 1.0)), 9)])[-1] == pytest.approx(9 * -2.302585)


def test_an_interval_of_uses_in_order_keeps_what_was_ruled_out() -> None:
    """It lies within that of all uses, and without order it is the same one."""
    uses = [Unit(n % 2 == 0, 0.5, float(n % 2 == 0 and n % 8 != 0), 0.5) for n in range(60)]
    low, high = interval(Counter(uses))
    narrow = narrowed(uses)
    assert low <= narrow[0] < narrow[1] <= high
    assert (-1.0, 1.0) == narrowed([])


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
