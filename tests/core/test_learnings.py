"""What a month of executions teaches: the seed's thresholds, priorities and trends."""

import pytest
from msgspec.structs import replace

from learnt.core.health.experiences import Month, issues, priority, trend


# Oracle 38.
@pytest.mark.parametrize(
    ("kind", "severity", "executions", "value", "expected"),
    [
        ("high_failure_rate", "high", 26, 42.3, 75.01), ("low_rating", "medium", 4, 2.8, 5.866667),
        ("slow", "medium", 3, 45_000, 3.5), ("excessive_failures", "high", 30, 11, 120),
        ("another", "low", 1, 0, 0.02), ("another", "low", 0, 0, 0.02),
    ],
)  # fmt: skip
def test_the_seeds_priorities(
    kind: str, severity: str, executions: int, value: float, expected: float
) -> None:
    """What an issue costs, how often, by how easily it is mended."""
    assert priority(kind, severity, executions, value) == pytest.approx(expected, abs=1e-6)


# Oracle 39.
@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([0.5] * 5 + [0.8] * 5, 0.3), ([0.9] * 5 + [0.1] * 10 + [0.9] * 5, 0.0), ([0.5] * 9, None),
        ([], None), ([1.0] * 5 + [0.0] * 5, -1.0),
    ],
)  # fmt: skip
def test_the_seeds_trend(grades: list[float], expected: float | None) -> None:
    """The last five less the first five, of ten or more."""
    assert trend(grades) == (None if expected is None else pytest.approx(expected, abs=1e-9))


@pytest.mark.parametrize(
    ("figures", "kinds"),
    [
        ({"graded": 5, "success": 69.9}, ["high_failure_rate"]), ({"graded": 4, "success": 0}, []),
        ({"graded": 5, "success": 70}, []), ({"failures": 11}, ["excessive_failures"]),
        ({"failures": 10}, []), ({"rating": 2.9}, ["low_rating"]), ({"rating": 3.0}, []),
        ({"average_ms": 99_999}, []), ({}, []),
    ],
)  # fmt: skip
def test_the_seeds_thresholds(figures: dict[str, float], kinds: list[str]) -> None:
    """What is at a threshold is no issue."""
    month = replace(Month("audit", 5), **figures)  # floats for counts
    assert [issue.kind for issue in issues([month])] == kinds


def test_the_weightiest_issue_is_first() -> None:
    """Whichever skill it is of."""
    rare, often = (Month(f"{n}", n, graded=n, success=50.0, failures=n) for n in (8, 12))
    found = [(issue.month.skill, issue.kind) for issue in issues([rare, often])]
    assert found == [
        ("12", "excessive_failures"),
        ("12", "high_failure_rate"),
        ("8", "high_failure_rate"),
    ]
