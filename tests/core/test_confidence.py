"""Confidence as seed 000 computes it (classic), and as it is by default (posterior)."""

import math
from datetime import date, timedelta

import pytest

from learnt.core.knowledge.confidence import (
    Belief,
    Trust,
    after_failure,
    after_invalidation,
    after_reset,
    after_success,
    checked,
    confidence,
    trust,
)
from learnt.core.knowledge.kinds import KINDS

DAY = date(2026, 1, 1)

# Kind, days, alpha, beta, C0: the expected confidence and trust. Oracles of seed 000.
CLASSIC = [
    ("schema", 100, 0, 0, 1.0, 0.740818221, Trust.VERIFY),
    ("schema", 100, 5, 0, 1.0, 0.951229425, Trust.TRUST),
    ("schema", 100, 3, 2, 1.0, 0.798516219, Trust.VERIFY),
    ("schema", 100, 0, 3, 1.0, 0.301194212, Trust.REVALIDATE),
    ("schema", 730, 10, 0, 1.0, 0.819475392, Trust.TRUST),
    ("schema", 0, 0, 50, 1.0, 1.0, Trust.TRUST),
    ("schema", 0, 0, 0, 0.1, 0.1, Trust.REVALIDATE),
    ("schema", 30, 0, 0, 0.1, 0.091393, Trust.REVALIDATE),
    ("data_snapshot", 5, 0, 0, 1.0, 0.778800783, Trust.VERIFY),
    ("data_range", 7, 0, 0, 1.0, 0.782704538, Trust.VERIFY),
    ("query_pattern", 14, 0, 0, 1.0, 0.810584246, Trust.TRUST),
    ("query_pattern", 15, 0, 0, 1.0, 0.798516219, Trust.VERIFY),
    ("tool_experience", 65, 1, 1, 1.0, 0.722527354, Trust.VERIFY),
    ("business_rule", 112, 0, 2, 1.0, 0.068016837, Trust.REVALIDATE),
    ("schema", 17, 3, 0, 1.0, 0.987330937, Trust.TRUST),
    ("schema", 100, 0.3, 0, 1.0, 0.793922658, Trust.VERIFY),
    ("schema", 100, 0, 1.5, 1.0, 0.472366553, Trust.REVALIDATE),
    ("schema", 100, 0.3, 1.5, 1.0, 0.561623784, Trust.VERIFY),
    ("schema", 100, 1.5, 1.5, 1.0, 0.740818221, Trust.VERIFY),
    ("business_rule", 60, 0.9, 0, 1.0, 0.776754002, Trust.VERIFY),
]
HALF_LIVES = {
    "schema": 231.049060, "tool_experience": 138.629436, "business_rule": 86.643398,
    "query_pattern": 46.209812, "data_range": 19.804205, "data_snapshot": 13.862944,
}  # fmt: skip
REACHES = [  # kind, alpha, beta, and the days to 0.8 and to 0.5
    ("schema", 5, 0, 446.287, 1386.294), ("schema", 3, 0, 297.525, 924.196),
    ("schema", 0, 0, 74.381, 231.049), ("business_rule", 0.3, 0.3, 27.893, 86.643),
    ("query_pattern", 1, 0, 29.752, 92.420), ("tool_experience", 0, 0, 44.629, 138.629),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "days", "alpha", "beta", "c0", "level", "deserved"), CLASSIC)
def test_the_seeds_figures(
    kind: str, days: int, alpha: float, beta: float, c0: float, level: float, deserved: Trust
) -> None:
    """To a millionth; both formulas agree while no failure is unanswered."""
    belief = Belief(kind=kind, confirmed=DAY, c0=c0, alpha=alpha, beta=beta)
    for model in ("classic", "posterior"):
        found = confidence(belief, DAY + timedelta(days), model)
        assert abs(level - found) < 1e-6
        assert deserved is trust(found)


@pytest.mark.parametrize("kind", HALF_LIVES)
def test_the_seeds_half_lives(kind: str) -> None:
    """The days after which half of the confidence is left."""
    assert abs(HALF_LIVES[kind] - math.log(2) / KINDS[kind].rate) < 1e-6


@pytest.mark.parametrize(("kind", "alpha", "beta", "to_verify", "to_revalidate"), REACHES)
def test_the_seeds_days_to_each_trust(
    kind: str, alpha: float, beta: float, to_verify: float, to_revalidate: float
) -> None:
    """On the day before it is still trusted so far, on the day after no more."""
    belief = Belief(kind=kind, confirmed=DAY, alpha=alpha, beta=beta)
    for days, bound in ((to_verify, 0.8), (to_revalidate, 0.5)):
        before = confidence(belief, DAY + timedelta(math.floor(days)), "classic")
        after = confidence(belief, DAY + timedelta(math.ceil(days)), "classic")
        assert after < bound <= before


def test_equal_weight_for_and_against_cancels() -> None:
    """Under classic 0.3 and 0.3 are as nothing, on every day."""
    nothing, both = (Belief(kind="schema", confirmed=DAY, alpha=a, beta=a) for a in (0, 0.3))
    for days in range(0, 400, 7):
        at = DAY + timedelta(days)
        assert math.isclose(confidence(nothing, at, "classic"), confidence(both, at, "classic"))


def test_a_failure_counts_at_once_by_default() -> None:
    """Under classic a fact with ten failures on the first day is trusted still."""
    belief = Belief(kind="schema", confirmed=DAY)
    for _ in range(10):
        belief = after_failure(belief, 1.0)
    assert Trust.TRUST is trust(confidence(belief, DAY, "classic"))
    assert Trust.REVALIDATE is trust(confidence(belief, DAY))


def test_five_successes_make_up_for_a_failure_and_not_beforehand() -> None:
    """The rate exactly, the level to a tenth of a percent."""
    new = Belief(kind="schema", confirmed=DAY)
    mended = after_failure(new, 1.5)
    for _ in range(5):
        mended = after_success(mended, 0.3, DAY)
    assert (new.alpha + 1.5, new.beta + 1.5) == (mended.alpha, mended.beta)
    assert 0.999 < confidence(mended, DAY) < 1

    spoilt = new
    for _ in range(5):
        spoilt = after_success(spoilt, 0.3, DAY)
    assert confidence(after_failure(spoilt, 1.5), DAY) < 0.65


def test_soft_successes_leave_no_dust() -> None:
    """Three times 0.3 is 0.9."""
    belief = Belief(kind="schema", confirmed=DAY)
    for _ in range(3):
        belief = after_success(belief, 0.3, DAY)
    assert (0.9, DAY) == (belief.alpha, belief.confirmed)


def test_invalidated_stays_low_until_it_is_reset() -> None:
    """However many successes; a reset makes it new."""
    belief = after_invalidation(Belief(kind="schema", confirmed=DAY, alpha=3, beta=1, shock=2))
    assert 0.1 == confidence(belief, DAY)
    assert confidence(after_success(belief, 5.0, DAY), DAY) <= 0.1
    assert 1.0 == confidence(after_reset(belief, DAY), DAY)


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "novel"}, {"c0": 5.0}, {"c0": -0.1}, {"c0": math.nan}, {"alpha": -1.0},
     {"beta": math.inf}, {"shock": math.nan}],
)  # fmt: skip
def test_nonsense_is_no_belief(wrong: dict[str, float]) -> None:
    """Unknown kinds, and numbers out of range or none at all."""
    with pytest.raises(ValueError, match=r"kind|C0|alpha|beta|s="):
        checked(Belief(**{"kind": "schema", "confirmed": DAY, **wrong}))  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf])
def test_no_weight_is_refused(weight: float) -> None:
    """Zero is not taken for one."""
    belief = Belief(kind="schema", confirmed=DAY)
    with pytest.raises(ValueError, match="weight"):
        after_success(belief, weight, DAY)
    with pytest.raises(ValueError, match="weight"):
        after_failure(belief, weight)


def test_the_future_confirms_nothing() -> None:
    """A date after today is an error, and says so."""
    with pytest.raises(ValueError, match="future"):
        confidence(Belief(kind="schema", confirmed=DAY + timedelta(1)), DAY)
