"""Laws of confidence, for any history."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.confidence import (
    Belief,
    after_failure,
    after_success,
    confidence,
    trust,
)
from learnt.core.knowledge.kinds import KINDS

DAY = date(2026, 1, 1)
_weights = st.sampled_from([0.3, 1.0, 1.5])
_beliefs = st.builds(
    Belief,
    kind=st.sampled_from(sorted(KINDS)),
    confirmed=st.just(DAY),
    c0=st.floats(0, 1),
    alpha=st.floats(0, 50),
    beta=st.floats(0, 50),
    shock=st.floats(0, 50),
)
_days = st.integers(0, 5_000)
_models = st.sampled_from(["posterior", "classic"])


@given(_beliefs, _days, _models)
def test_it_lies_between_nothing_and_its_start(belief: Belief, days: int, model: str) -> None:
    """Never above C0, never below zero."""
    assert 0 <= confidence(belief, DAY + timedelta(days), model) <= belief.c0  # type: ignore[arg-type]  # sampled


@given(_beliefs, _days, _days, _models)
def test_time_only_takes(belief: Belief, one: int, other: int, model: str) -> None:
    """A later day is never more certain."""
    early, late = sorted([one, other])
    levels = [confidence(belief, DAY + timedelta(d), model) for d in (early, late)]  # type: ignore[arg-type]  # sampled
    assert levels[1] <= levels[0]


@given(_beliefs, _weights, _days)
def test_a_failure_lowers_at_once(belief: Belief, weight: float, days: int) -> None:
    """By default on every day; under classic never raises."""
    at = DAY + timedelta(days)
    failed = after_failure(belief, weight)
    assert confidence(failed, at) <= confidence(belief, at) * 0.92
    assert confidence(failed, at, "classic") <= confidence(belief, at, "classic")


@given(_beliefs, _weights, _days)
def test_a_success_raises(belief: Belief, weight: float, days: int) -> None:
    """Confirmed on that day it stands no lower than before, on that day and later."""
    at = DAY + timedelta(days)
    found = after_success(belief, weight, at)
    for later in (0, 30):
        on = at + timedelta(later)
        assert confidence(found, on) >= confidence(belief, on) - 1e-12


@given(_beliefs, st.lists(st.tuples(st.booleans(), _weights), max_size=8))
def test_the_two_formulas_agree_where_no_failure_is_unanswered(
    belief: Belief, history: list[tuple[bool, float]]
) -> None:
    """Without shock they are one; with it the default is lower."""
    for good, weight in history:
        belief = after_success(belief, weight, DAY) if good else after_failure(belief, weight)
    at = DAY + timedelta(10)
    both = confidence(belief, at), confidence(belief, at, "classic")
    assert both[0] == both[1] if belief.shock == 0 else both[0] <= both[1]


@given(st.floats(0, 1), st.floats(0, 1))
def test_trust_rises_with_confidence(one: float, other: float) -> None:
    """In three steps."""
    order = ["REVALIDATE", "VERIFY", "TRUST"]
    low, high = sorted([one, other])
    assert order.index(trust(low)) <= order.index(trust(high))
