"""How stable a skill is: the seed's gap (classic), and the default."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.health.trends import StabilityState, classic, stability

GRADES = st.lists(st.floats(0, 1), max_size=60)
# Oracle 32: grades, gap, state.
CLASSIC = [
    ([1, 0.8, 0.6], 0.2, "healthy"),
    ([1, 1, 0.2], 0.533333333, "critical"),
    ([], 0.0, "healthy"),
    ([0.75], 0.0, "healthy"),
    ([1, 0], 0.5, "degrading"),
    ([1] * 3 + [0] * 7, 0.3, "healthy"),
    ([1] * 4 + [0] * 7, 0.363636364, "degrading"),
    ([1] * 7 + [0], 0.875, "critical"),
    ([1] * 99 + [0], 0.99, "critical"),
    ([0] * 10, 0.0, "healthy"),
    ([1, 0.7, 0.4], 0.3, "healthy"),
    ([0.8] * 4 + [0.05], 0.6, "critical"),
]


@pytest.mark.parametrize(("grades", "gap", "state"), CLASSIC)
def test_the_seeds_gaps_and_states(grades: list[float], gap: float, state: str) -> None:
    """Classic is mean less least; 0.3 is healthy and 0.5 degrading, however it was summed."""
    found = classic(grades)
    assert found.gap == pytest.approx(gap, abs=1e-9)
    assert found.state.value == state


@given(GRADES)
def test_the_classic_formula_is_literal(grades: list[float]) -> None:
    """Whatever the grades, classic's gap is their mean less the least of them, 0 of none."""
    literal = sum(grades) / len(grades) - min(grades) if grades else 0.0
    assert classic(grades).gap == pytest.approx(literal, abs=1e-9)


@given(GRADES)
def test_five_failures_show_whatever_was_before(grades: list[float]) -> None:
    """A skill that only fails is critical after five executions, a new one as well."""
    found = stability([*grades, 0, 0, 0, 0, 0])
    assert found.state is StabilityState.CRITICAL


@given(st.integers(0, 99), st.integers(0, 100))
def test_one_failure_in_a_hundred_is_never_critical(place: int, length: int) -> None:
    """At no moment of a hundred executions with one failure is a skill other than healthy."""
    grades = [1.0] * 100
    grades[place] = 0.0
    assert stability(grades[:length]).state is StabilityState.HEALTHY


@given(st.floats(0.5, 1), st.integers(0, 60))
def test_what_stays_as_it_is_is_healthy(grade: float, count: int) -> None:
    """A skill that reaches the same each time has no gap."""
    assert stability([grade] * count).gap == 0
    assert stability([grade] * count).state is StabilityState.HEALTHY


@given(GRADES)
def test_a_gap_is_a_share_and_the_state_no_better_than_it(grades: list[float]) -> None:
    """The gap lies in 0 to 1; above 0.3 no skill is healthy, and above 0.5 it is critical."""
    found = stability(grades)
    assert 0 <= found.gap <= 1
    assert found.gap <= 0.3 or found.state is not StabilityState.HEALTHY
    assert found.gap <= 0.5 or found.state is StabilityState.CRITICAL


@pytest.mark.parametrize(
    ("before", "now", "state"),
    [
        (1.0, 0.7, "healthy"), (1.0, 0.69, "degrading"), (1.0, 0.5, "degrading"),
        (1.0, 0.49, "critical"), (0.8, 0.5, "healthy"), (0.5, 0.49, "degrading"),
        (0.5, 0.3, "degrading"), (0.5, 0.29, "critical"),
    ],
)  # fmt: skip
def test_where_the_states_begin(before: float, now: float, state: str) -> None:
    """Above 0.3 a gap is degrading, above 0.5 critical; so is success below 0.5, and below 0.3."""
    assert stability([before] * 20 + [now] * 10).state.value == state


def test_an_old_success_is_forgotten_and_an_old_failure_too() -> None:
    """What was reached is looked for in the twenty executions before the last ten alone."""
    assert stability([1] * 50 + [0.6] * 30).gap == 0
    assert stability([0] * 50 + [0.9] * 20 + [0.5] * 10).gap == 0.4


def test_fifteen_declining_executions_are_flagged_three_times() -> None:
    """From all good to all bad in fifteen: at least three of them end in a state to flag."""
    grades = [1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    states = [stability(grades[:count]).state for count in range(1, 16)]
    assert sum(state is not StabilityState.HEALTHY for state in states) >= 3
