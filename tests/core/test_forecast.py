"""The probability that a skill's next execution succeeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.health.trends import EXPECTED, forecast

GRADES = st.lists(st.floats(0, 1), max_size=60)


@given(GRADES, st.floats(0, 1))
def test_nothing_is_certain(grades: list[float], expected: float) -> None:
    """Whatever was seen or expected, the forecast lies between 0 and 1."""
    assert 0 < forecast(grades, expected) < 1


@given(GRADES, st.floats(0.05, 0.95))
def test_success_and_failure_are_alike(grades: list[float], expected: float) -> None:
    """The chance of failure is what the forecast of the mirrored grades says."""
    mirrored = forecast([1 - grade for grade in grades], 1 - expected)
    assert forecast(grades, expected) == pytest.approx(1 - mirrored, abs=1e-6)


def test_without_grades_it_is_what_was_expected() -> None:
    """A new skill is given what the caller expects of one."""
    assert forecast([]) == pytest.approx(EXPECTED)
    assert forecast([], 0.4) == pytest.approx(0.4)


@pytest.mark.parametrize("failures", [1, 2, 3, 4])
def test_a_steady_rate_is_found(failures: int) -> None:
    """Of executions of which some in ten fail, evenly spread, it says that rate."""
    grades = [float(at % 10 >= failures) for at in range(7, 207)]
    said = [forecast(grades[:at]) for at in range(100, 200)]
    assert sum(said) / len(said) == pytest.approx(1 - failures / 10, abs=0.03)


def test_a_change_is_followed_soon() -> None:
    """Ten failures after a hundred successes weigh more than all that was before."""
    assert forecast([1] * 100 + [0] * 10) < 0.25
    assert forecast([0] * 100 + [1] * 10) > 0.8
    assert forecast([1] * 100 + [0]) > 0.6
