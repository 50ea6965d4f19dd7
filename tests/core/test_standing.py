"""What speaks for an entry and against it, and what confidence makes of it."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.confidence import confidence
from learnt.core.knowledge.entries import (
    MOST_KEPT,
    NOTHING_SAID,
    Confirmation,
    Standing,
    after_confirmation,
    after_failure,
    after_success,
    as_new,
    belief,
    day,
    invalid,
)
from learnt.core.records import JsonValue, Unreadable, decode, encode

DAY_MS = 86_400_000
TOOL = Confirmation(ms=DAY_MS, credibility=1_000, relevance=1_000, session="s1")
AGENT = Confirmation(ms=DAY_MS, credibility=600, relevance=1_000, session="s1")


def test_a_candidates_witness_is_kept_and_proves_nothing_yet() -> None:
    """It adds to the score; there is no confidence to move."""
    told = after_confirmation(NOTHING_SAID, TOOL, validated=False)
    assert Standing(confirmations=(TOOL,)) == told


def test_a_credible_witness_of_a_validated_entry_is_proof() -> None:
    """As much of a soft success as it is credible and to the point; an agent's word is none."""
    assert 300 == after_confirmation(NOTHING_SAID, TOOL, validated=True).alpha
    marginal = Confirmation(ms=5, credibility=800, relevance=200)
    assert 48 == after_confirmation(NOTHING_SAID, marginal, validated=True).alpha
    least = Confirmation(ms=5, credibility=800, relevance=1)
    assert 1 == after_confirmation(NOTHING_SAID, least, validated=True).alpha
    assert Standing(confirmations=(AGENT,)) == after_confirmation(
        NOTHING_SAID, AGENT, validated=True
    )


def test_only_the_latest_witnesses_are_kept() -> None:
    """The oldest weigh next to nothing by then."""
    held = NOTHING_SAID
    for ms in range(MOST_KEPT + 5):
        one = Confirmation(ms=ms, credibility=600, relevance=1_000)
        held = after_confirmation(held, one, validated=False)
    assert list(range(5, MOST_KEPT + 5)) == [one.ms for one in held.confirmations]


def test_successes_answer_a_failures_shock() -> None:
    """It halves with each half point of success, and is forgotten once six points answered it."""
    failed = after_failure(NOTHING_SAID, 1_500)
    assert 1.5 == belief(failed, "schema", day(0)).shock
    assert 0.75 == belief(after_success(failed, 150, 0), "schema", day(0)).shock
    answered = failed
    for _ in range(20):
        answered = after_success(answered, 300, 0)
    assert () == answered.shocks


def test_failures_in_a_row_are_one_shock() -> None:
    """Those before and after a success are two."""
    twice = after_failure(after_failure(NOTHING_SAID, 300), 1_500)
    assert ((0, 1_800),) == twice.shocks
    again = after_failure(after_success(twice, 300, 0), 300)
    assert ((0, 1_800), (300, 300)) == again.shocks


def test_a_success_confirms_and_a_clock_that_went_back_takes_nothing_away() -> None:
    """The latest day on which something proved it counts."""
    once = after_success(NOTHING_SAID, 300, 5 * DAY_MS)
    assert 5 * DAY_MS == after_success(once, 300, 2 * DAY_MS).confirmed_ms


def test_a_clock_that_was_ahead_makes_nothing_younger_than_today() -> None:
    """Confidence is that of a fact confirmed today, and no error."""
    ahead = Standing(confirmed_ms=400 * DAY_MS)
    today = date(1970, 1, 11)
    told = belief(ahead, "schema", today)
    assert (today, 1.0) == (told.confirmed, confidence(told, today))


def test_what_is_known_to_be_wrong_stays_low_whatever_follows() -> None:
    """A success leaves it at 0.1 at most; only a reset brings it back (oracle 20)."""
    wrong = invalid(after_success(NOTHING_SAID, 3_000, 0))
    proved = after_success(wrong, 300, 0)
    assert confidence(belief(proved, "schema", day(0)), day(0)) <= 0.1
    fresh = belief(as_new(proved, 0), "schema", day(0))
    assert 1.0 == confidence(fresh, day(0))


def test_an_invalidation_keeps_the_day_and_the_witnesses() -> None:
    """Its story stays."""
    told = invalid(Standing(confirmations=(TOOL,), confirmed_ms=7, alpha=1, beta=2))
    assert Standing(confirmations=(TOOL,), confirmed_ms=7, c0=100) == told


WEIGHTS = st.integers(1, 3_000)
STEPS = st.lists(st.tuples(st.sampled_from("sf"), WEIGHTS, st.integers(0, 10**13)), max_size=30)


@given(STEPS)
def test_any_story_has_a_confidence_and_survives_a_view(
    story: list[tuple[str, int, int]],
) -> None:
    """Between 0 and 1 on every day, the same after it was written down and read."""
    held = as_new(Standing(confirmations=(TOOL, AGENT)), DAY_MS)
    for what, weight, ms in story:
        held = after_success(held, weight, ms) if what == "s" else after_failure(held, weight)
    assert held == decode(Standing, encode(held))
    for today in (day(0), day(held.confirmed_ms), date(9999, 12, 31)):
        assert 0.0 <= confidence(belief(held, "business_rule", today), today) <= 1.0


@pytest.mark.parametrize("row", [[], [1], "x", [1, 2, 3, 4, "agent"], [1, 2, 3, "s", 5]])
def test_a_confirmation_that_is_none_is_told(row: JsonValue) -> None:
    """A view that is not ours is an error, and never an empty standing."""
    with pytest.raises(Unreadable, match="a stored confirmation is"):
        decode(Standing, {"confirmations": [row]})


def test_a_shock_that_is_none_is_no_shock() -> None:
    """What is not two whole numbers says nothing."""
    assert () == decode(Standing, {"shocks": [[1], "x", [1, "2"]]}).shocks
    assert ((1, 2),) == decode(Standing, {"shocks": [[1, 2]]}).shocks
