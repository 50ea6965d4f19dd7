"""Five rounds show what they are there to show."""

import pytest

from learnt.core.knowledge.gates import Correct, Reject
from tools.investigation import Whole, played, sakila
from tools.sakila_rounds import SAKILA
from tools.walkthrough_database import told

pytestmark = pytest.mark.slow  # it needs a server


@pytest.fixture(scope="module")
def whole() -> Whole:
    with sakila() as database:
        return played(SAKILA, database)


def test_it_converges(whole: Whole) -> None:
    """The last round lets in less than the first, and most of what is offered adds nothing."""
    let_in = [one.counts["in"] for one in whole.rounds]
    assert let_in[-1] < let_in[0]
    assert whole.rounds[-1].rate > 0.5


def test_what_was_wrong_is_corrected_by_a_person_alone(whole: Whole) -> None:
    """Who says which value takes the other's place, or by the agent's answer on what they typed."""
    outcomes = [
        (said.by, outcome.decision)
        for one in whole.rounds
        for task in one.tasks
        for said, outcome in zip(task.task.offers, task.outcomes, strict=True)
    ]
    right = [by for by, decision in outcomes if isinstance(decision, Correct)]
    assert {"user"} == set(right)


def test_each_of_the_gates_keeps_something_out(whole: Whole) -> None:
    """What has no value, what fades at once; what is known is not kept twice."""
    outcomes = [outcome for one in whole.rounds for outcome in one.outcomes]
    gates = {one.decision.gate for one in outcomes if isinstance(one.decision, Reject)}
    assert {"value", "freshness"} <= gates
    assert sum(one.counts["known"] for one in whole.rounds) >= 2


def test_a_column_that_went_is_noticed(whole: Whole) -> None:
    """What cites its table is no longer trusted."""
    doubted = [fresh for one in whole.rounds for fresh in one.doubted]
    assert any(cite.stale for fresh in doubted for cite in fresh.cites)


def test_the_same_questions_take_fewer_statements(whole: Whole) -> None:
    """Answers stay but for one; one at least is given from knowledge alone."""
    without, ran = (sum(one.without for one in whole.again), sum(one.ran for one in whole.again))
    assert ran < without
    assert [one.same for one in whole.again].count(False) <= 1
    assert any(one.ran == 0 and one.by for one in whole.again)


def test_the_server_counted_the_same_statements(whole: Whole) -> None:
    """Where it keeps a log."""
    assert whole.logged in {None, whole.statements}


def test_the_page_is_the_same_each_time(whole: Whole) -> None:
    """No clock and no chance of the machine's own."""
    with sakila() as database:
        assert told(whole) == told(played(SAKILA, database))
