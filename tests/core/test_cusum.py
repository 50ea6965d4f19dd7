"""The chart that tells when a skill's success has dropped for good."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.health import run_length
from learnt.core.health.trends import TAUGHT, Chart, Drop, dropped, drops, known, learnt

GRADES = st.lists(st.floats(0, 1), max_size=80)
RATES = st.floats(0, 1)


def test_what_a_grade_adds_is_how_much_likelier_it_is_after_a_drop() -> None:
    """At .90 a failure adds log 3, a success log 7/9, half a success the half of both."""
    chart = known(0.9)
    assert chart.score(0, 0) == pytest.approx(math.log(3))
    assert chart.score(2, 1) == pytest.approx(2 + math.log(7 / 9))
    assert chart.score(2, 0.5) == pytest.approx(2 + math.log(7 / 3) / 2)


@pytest.mark.parametrize(
    ("rate", "after"), [(0.9, 0.7), (0.5, 0.3), (0.22, 0.02), (0.1, 0.02), (0, 0.02)]
)
def test_a_drop_is_a_fifth_but_not_to_nothing(rate: float, after: float) -> None:
    """What is looked for is 0.2 less, and 0.02 at least."""
    assert known(rate).after == pytest.approx(after)


@pytest.mark.parametrize("rate", [part / 100 for part in range(5, 100, 5)])
def test_false_alarms_come_once_in_a_thousand(rate: float) -> None:
    """At each rate of the table the exact run length is 1,000 and a little more."""
    chart = known(rate)
    assert 980 <= run_length(rate, chart.failure, chart.success, chart.limit) <= 1_150


@given(GRADES, RATES)
def test_the_score_is_none_below_nought(grades: list[float], rate: float) -> None:
    """However good the grades, nothing is saved up against a later drop."""
    chart, score = known(rate), 0.0
    for grade in grades:
        score = chart.score(score, grade)
        assert score >= 0


@given(GRADES, RATES, st.integers(0, 79), st.floats(0, 1))
def test_a_worse_grade_never_delays_the_alarm(
    grades: list[float], rate: float, place: int, share: float
) -> None:
    """If one grade is lower the first alarm comes as early or earlier."""
    worse = [grade * share if at == place else grade for at, grade in enumerate(grades)]
    found = drops(grades, known(rate))
    assert not found or drops(worse, known(rate))[0].at <= found[0].at


@given(GRADES, RATES)
def test_alarms_follow_one_another(grades: list[float], rate: float) -> None:
    """Each alarm has its own executions, from the first that speaks for the drop to the alarm."""
    found = drops(grades, known(rate))
    assert all(drop.since <= drop.at for drop in found)
    assert all(one.at < other.since for one, other in pairwise(found))


def test_after_an_alarm_the_score_starts_anew() -> None:
    """Of a skill that only fails each fourth failure raises an alarm of its own."""
    assert [(drop.since, drop.at) for drop in drops([0] * 9, known(0.9))] == [(0, 3), (4, 7)]


def test_an_alarm_is_at_the_limit_and_counts_from_the_last_nought() -> None:
    """Scores of whole numbers reach the limit exactly; what was made up for speaks for no drop."""
    chart = Chart(before=0.5, after=0.3, failure=1, success=-1, limit=2)
    assert drops([0, 1, 0, 0, 0, 0], chart) == [Drop(at=3, since=2), Drop(at=5, since=4)]


def test_success_alone_raises_no_alarm_and_failure_does_in_five() -> None:
    """A good skill that begins to fail each time is found within five executions."""
    assert drops([1] * 500, known(0.95)) == []
    for rate in (0.7, 0.8, 0.9, 0.95):
        assert 50 <= drops([1] * 50 + [0] * 10, known(rate))[0].at < 60
    assert drops([1] * 50 + [0] * 5, known(0.9))[0].at < 55


@given(st.lists(st.floats(0, 1), min_size=TAUGHT, max_size=TAUGHT), GRADES)
def test_a_rate_is_learnt_from_thirty_and_frozen(first: list[float], later: list[float]) -> None:
    """Later grades change nothing, and what is taken for the rate is a little less than shown."""
    chart = learnt(first)
    assert chart is not None
    assert chart == learnt([*first, *later])
    assert learnt(first[:-1]) is None
    assert chart.before <= max(0.05, math.fsum(first) / TAUGHT + 0.02)


@pytest.mark.parametrize(("failures", "before"), [(0, 0.9601), (3, 0.8362), (15, 0.4234)])
def test_what_is_learnt_is_the_mean_less_a_part_of_its_error(failures: int, before: float) -> None:
    """Of thirty grades, with half a success and 0.6 failures beforehand."""
    chart = learnt([0] * failures + [1] * (TAUGHT - failures))
    assert chart is not None
    assert chart.before == pytest.approx(before, abs=1e-4)


def test_a_drop_is_told_as_long_as_it_lasts() -> None:
    """With how many grades are of it; not before there is a chart, nor once it is over."""
    good, poor = [1.0] * 40, [0.0, 1.0] * 10
    assert dropped(good) is dropped([0.0] * 29) is None
    assert dropped(good + poor) == 20
    assert dropped(good + poor + good) is None
