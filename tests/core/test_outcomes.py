"""How an episode came out, by its calls and by what its user said next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.health.executions import interval
from learnt.core.health.outcomes import (
    MILLION,
    CallEvidence,
    Cause,
    Reply,
    Trouble,
    Verdict,
    amended,
    outcome,
)
from learnt.core.records import decode

GOOD_TEST = CallEvidence(
    kind="test", family="test", good=True, passed=4, failed=0, quote="4 passed"
)
BAD_TEST = CallEvidence(
    kind="test", family="test", good=False, passed=3, failed=1, quote="1 failed"
)
GOOD_CHECK = CallEvidence(kind="check", family="make", good=True, quote="exit code 0: make")
BAD_CHECK = CallEvidence(kind="check", family="make", good=False, quote="make: Error 2")
LOOK = CallEvidence(kind="look", family="ls")
EDIT = CallEvidence(kind="edit", family="Edit", good=True)
COMMIT = CallEvidence(kind="change", family="git commit", good=True, changes=True)
UNDO = CallEvidence(kind="change", family="git checkout", good=True, undoes=True)
LOST_FETCH = CallEvidence(kind="other", family="WebFetch", good=False, quote="404")
FETCH = CallEvidence(kind="other", family="WebFetch", good=True)
LOST_TASK = CallEvidence(kind="other", family="Task", good=False, quote="unable to finish")
STOPPED = CallEvidence(interrupted=True, quote="[Request interrupted by user]")

ENDS = {
    "nothing was done": ([], Trouble.NONE, None),
    "looked round": ([LOOK, LOOK], Trouble.NONE, None),
    "a good test": ([EDIT, GOOD_TEST], Trouble.NONE, MILLION),
    "a bad test": ([EDIT, BAD_TEST], Trouble.TEST, 750_000),
    "mended": ([BAD_TEST, EDIT, GOOD_TEST], Trouble.NONE, MILLION),
    "broken at last": ([GOOD_TEST, EDIT, BAD_TEST], Trouble.TEST, 750_000),
    "a bad test, then a commit": ([EDIT, BAD_TEST, COMMIT], Trouble.TEST, 750_000),
    "a bad test, then a build": ([EDIT, BAD_TEST, GOOD_CHECK], Trouble.TEST, 750_000),
    "a bad test, then a bad build": ([EDIT, BAD_TEST, BAD_CHECK], Trouble.TEST, 750_000),
    "a bad build": ([EDIT, BAD_CHECK], Trouble.COMMAND, 0),
    "a bad build, looked at": ([EDIT, BAD_CHECK, LOOK], Trouble.COMMAND, 0),
    "a bad build, then tests": ([EDIT, BAD_CHECK, GOOD_TEST], Trouble.NONE, MILLION),
    "a page that is not there": ([LOST_FETCH], Trouble.COMMAND, None),
    "another page": ([LOST_FETCH, FETCH], Trouble.NONE, None),
    "a subagent that gave up": ([LOST_TASK], Trouble.COMMAND, None),
    "done by itself instead": ([LOST_TASK, LOOK], Trouble.NONE, None),
    "thrown away": ([EDIT, BAD_CHECK, UNDO], Trouble.REVERT, 0),
    "thrown away and done again": ([EDIT, UNDO, EDIT, GOOD_TEST], Trouble.NONE, MILLION),
    "somebody else's thrown away": ([UNDO], Trouble.NONE, None),
    "stopped": ([EDIT, STOPPED], Trouble.INTERRUPT, 0),
}


@pytest.mark.parametrize("ends", ENDS)
def test_only_the_end_counts(ends: str) -> None:
    """What failed and was made up for is no trouble; a look makes up for nothing."""
    calls, trouble, grade = ENDS[ends]
    found = outcome(calls)
    assert (trouble, grade) == (found.trouble, found.grade)


@pytest.mark.parametrize(
    ("reply", "trouble", "grade"),
    [
        (Reply(Verdict.CORRECTION, "not that one"), Trouble.CORRECTION, 0),
        (Reply(Verdict.NEGATIVE, "useless"), Trouble.NEGATIVE, 0),
        (Reply(Verdict.REVERT, "undo it"), Trouble.REVERT, 0),
        (Reply(Verdict.PRAISE, "thanks"), Trouble.NONE, MILLION),
    ],
)
def test_the_users_word_outweighs_the_counts(reply: Reply, trouble: Trouble, grade: int) -> None:
    """Whether the tests passed or not; and it is quoted."""
    for calls in ([GOOD_TEST], [BAD_TEST], []):
        found = outcome(calls, reply)
        assert (trouble, grade) == (found.trouble, found.grade)
        assert reply.quote == found.quotes[0].words


def test_an_interrupt_outweighs_all() -> None:
    """Even thanks that follow it."""
    found = outcome([GOOD_TEST], Reply(Verdict.PRAISE, "thanks"), interrupted=True)
    assert (Trouble.INTERRUPT, 0) == (found.trouble, found.grade)


@pytest.mark.parametrize(
    ("calls", "cause"),
    [
        ([CallEvidence(kind="check", good=False, cause="environment")], Cause.ENVIRONMENT),
        ([CallEvidence(kind="check", good=False, cause="input")], Cause.INPUT),
        ([EDIT, CallEvidence(kind="check", good=False, cause="input")], Cause.SKILL),
        ([BAD_TEST], Cause.INPUT),  # the agent had changed nothing
        ([EDIT, BAD_TEST], Cause.SKILL),
        ([BAD_CHECK], Cause.SKILL),
        ([GOOD_TEST], Cause.NONE),
    ],
)
def test_what_is_to_blame(calls: list[CallEvidence], cause: Cause) -> None:
    """A skill only where nothing else explains it."""
    assert cause == outcome(calls).cause


def test_evidence_that_says_nonsense_is_none() -> None:
    """Whatever a spool file holds."""
    assert CallEvidence() == decode(
        CallEvidence, {"kind": 3, "good": "yes", "passed": "x", "cause": None}
    )


@pytest.mark.parametrize(
    ("verdict", "trouble", "grade"),
    [("good", Trouble.NONE, MILLION), ("bad", Trouble.TEST, 0), ("partly", Trouble.TEST, 500_000)],
)
def test_a_persons_own_word_stands(verdict: str, trouble: Trouble, grade: int) -> None:
    """It keeps the kind of trouble that was seen, and grades again."""
    found = amended(outcome([EDIT, BAD_TEST]), verdict)
    assert (trouble, grade) == (found.trouble, found.grade)


def test_a_person_who_wants_it_undone_blames_the_skill() -> None:
    """A failing test without an edit is the user's input, unless the user says otherwise."""
    failing = CallEvidence(kind="test", family="test", good=False, passed=1, failed=3)
    said = {verdict: outcome([failing], Reply(verdict, "no")) for verdict in Verdict}
    assert Cause.INPUT is said[Verdict.NONE].cause
    blamed = {verdict for verdict, ended in said.items() if ended.cause is Cause.SKILL}
    assert {Verdict.REVERT, Verdict.CORRECTION, Verdict.NEGATIVE} == blamed


@given(st.floats(0, 1), st.integers(0, 10_000))
def test_an_interval_holds_its_mean(mean: float, count: int) -> None:
    """Between 0 and 1, and the narrower the more there is."""
    low, high = interval(mean, count)
    assert 0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1
    more = interval(mean, 4 * count + 4)
    assert more[1] - more[0] <= high - low + 1e-9


_calls = st.builds(
    CallEvidence,
    kind=st.sampled_from(["test", "check", "edit", "change", "look", "read", "other"]),
    family=st.sampled_from(["a", "b", "Task"]),
    good=st.none() | st.booleans(),
    undoes=st.booleans(),
    changes=st.booleans(),
)


@given(st.lists(_calls, max_size=8))
def test_a_good_test_at_the_end_is_no_trouble(calls: list[CallEvidence]) -> None:
    """Whatever happened before, unless the work was thrown away."""
    found = outcome([*calls, EDIT, GOOD_TEST])
    assert (Trouble.NONE, MILLION) == (found.trouble, found.grade)
