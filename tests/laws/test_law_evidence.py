"""Laws of evidence: it is fair where there is no effect, and the same in any order."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.health.effects import (
    TrialUse,
    Unit,
    effect,
    estimate,
    evidence,
    hurts,
    interval,
    judge,
    masked,
    wealth_of,
)

_chances = st.sampled_from([0.1, 0.5, 0.9]) | st.floats(0.05, 0.95)
_shares = st.floats(0, 1)
_successes = st.sampled_from([0.0, 1.0]) | _shares
_units = st.builds(Unit, st.booleans(), _chances, _successes | st.none(), _shares)
_tallies = st.dictionaries(_units, st.integers(1, 30), max_size=8).map(Counter)
_effects = st.floats(-1, 1)
close = pytest.approx


def courses(
    designs: Sequence[tuple[float, float]], base: float, added: float
) -> Iterator[tuple[float, Counter[Unit]]]:
    """Every course that units can take, by its chance: of each its propensity and baseline."""
    for arms in itertools.product((False, True), repeat=len(designs)):
        for results in itertools.product((0.0, 1.0), repeat=len(designs)):
            chance, units = 1.0, Counter[Unit]()
            for (propensity, f), shown, result in zip(designs, arms, results, strict=True):
                well = base + added * shown
                chance *= propensity if shown else 1 - propensity
                chance *= well if result else 1 - well
                units[Unit(shown, propensity, result, f)] += 1
            yield chance, units


_designs = st.lists(st.tuples(_chances, _shares), min_size=1, max_size=4)


@given(_designs, _shares, _shares, st.booleans())
def test_its_mean_is_one_at_the_true_effect(
    designs: list[tuple[float, float]], without: float, with_it: float, against: bool
) -> None:
    """On either side, whatever the propensities, the baselines and the effect: counted out."""
    added = with_it - without
    mean = math.fsum(
        chance * evidence(wealth_of(units, added, against=against))
        for chance, units in courses(designs, without, added)
    )
    assert mean == close(1.0, abs=1e-9)


@given(_designs, _shares, _shares)
def test_its_mean_is_no_more_where_the_effect_is_less(
    designs: list[tuple[float, float]], without: float, with_it: float
) -> None:
    """What hurts is not said to help, nor what helps to hurt."""
    added = with_it - without
    mean = math.fsum(
        chance * evidence(wealth_of(units, against=added > 0))
        for chance, units in courses(designs, without, added)
    )
    assert mean <= 1 + 1e-9


@given(st.lists(_shares, min_size=1, max_size=4), _shares)
def test_a_trial_of_alike_texts_is_fair(rates: list[float], before: float) -> None:
    """Whatever the chance of success of each use, and whatever was known before."""
    totals = [0.0, 0.0]
    for arms in itertools.product((False, True), repeat=len(rates)):
        for results in itertools.product((0.0, 1.0), repeat=len(rates)):
            chance = math.prod((p if a else 1 - p) / 2 for p, a in zip(rates, results, strict=True))
            found = judge([*map(TrialUse, arms, results)], before)
            totals[0] += chance * found.better
            totals[1] += chance * found.worse
    assert totals == close([1.0, 1.0])


@given(_tallies, st.data())
def test_hiding_an_outcome_is_no_evidence_of_harm(
    tally: Counter[Unit], data: st.DataObject
) -> None:
    """Whichever are hidden, of either arm: the e-value of harm does not grow."""
    hide = data.draw(st.sets(st.sampled_from(sorted(tally, key=repr))) if tally else st.just(set()))
    seen: Counter[Unit] = Counter()
    for unit, count in tally.items():
        seen[replace(unit, success=None) if unit in hide else unit] += count
    assert hurts(seen) <= hurts(tally) * (1 + 1e-9)


@given(_tallies, _tallies, _effects, st.booleans())
def test_contributors_are_merged_by_summing(
    one: Counter[Unit], other: Counter[Unit], supposed: float, against: bool
) -> None:
    """The wealth of all units is that of both, stake by stake."""
    parts = [wealth_of(tally, supposed, against=against) for tally in (one, other)]
    whole = wealth_of(one + other, supposed, against=against)
    assert whole == close([sum(both) for both in zip(*parts, strict=True)], abs=1e-9)


@given(_tallies, _effects)
def test_the_arms_are_alike(tally: Counter[Unit], supposed: float) -> None:
    """To withhold an item is to show its absence: the effect has the other sign."""
    seen = Counter({u: n for u, n in tally.items() if u.success is not None})
    turned: Counter[Unit] = Counter()
    for unit, count in seen.items():
        turned[replace(unit, shown=not unit.shown, propensity=1 - unit.propensity)] += count
    assert wealth_of(turned, -supposed, against=True) == close(wealth_of(seen, supposed), abs=1e-6)


@given(st.lists(st.tuples(st.booleans(), _successes), max_size=30), _shares)
def test_the_texts_of_a_trial_are_alike(seen: list[tuple[bool, float]], before: float) -> None:
    """What is better of one is worse of the other."""
    there = judge([TrialUse(new, success) for new, success in seen], before)
    back = judge([TrialUse(not new, success) for new, success in seen], before)
    assert (there.better, there.worse) == close((back.worse, back.better))


@given(_tallies, _effects, _effects)
def test_a_greater_effect_has_less_evidence(tally: Counter[Unit], one: float, other: float) -> None:
    """That there is more than it: so what is ruled out is all to one side."""
    low, high = sorted([one, other])
    assert evidence(wealth_of(tally, high)) <= evidence(wealth_of(tally, low)) * (1 + 1e-9)


@given(_tallies, st.sampled_from([0.01, 0.05, 0.2]))
def test_the_estimate_is_in_its_interval(tally: Counter[Unit], alpha: float) -> None:
    """And that within what is possible."""
    found = effect(tally, alpha)
    assert -1 <= found.low <= found.high <= 1
    assert (found.low, found.high) == interval(tally, alpha)
    assert (None is found.estimate) == (None is estimate(tally))
    assert found.estimate is None or found.low <= found.estimate <= found.high


@given(st.dictionaries(st.integers(0, 20), st.floats(0, 1e6)), st.integers(0, 20))
def test_more_evidence_of_one_masks_no_fewer(e_values: dict[int, float], more: int) -> None:
    """All that count have as much evidence as the last of them."""
    found = masked(e_values)
    assert all(e_values[key] >= len(e_values) / (0.1 * len(found)) for key in found)
    if more in e_values:
        assert set(found) <= set(masked(e_values | {more: 2 * e_values[more]}))
