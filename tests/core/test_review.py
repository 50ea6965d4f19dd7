"""What waits for a person is ordered by what it is worth, in whole numbers."""

import pytest

from learnt.core.governance.review import ReviewSigns, ReviewSort, worth

LATELY, ARGUED, WANTED = ReviewSigns(given=1), ReviewSigns(argued=1), ReviewSigns(wanted=99)
NOTHING = ReviewSigns()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((ReviewSort.DISPUTE, LATELY), (ReviewSort.CANDIDATE, WANTED)),
        ((ReviewSort.EDIT, NOTHING), (ReviewSort.DISPUTE, ARGUED)),
        ((ReviewSort.SKILL, ReviewSigns(moved=True)), (ReviewSort.DISPUTE, ARGUED)),
        ((ReviewSort.REGRESSION, NOTHING), (ReviewSort.DRAFT, WANTED)),
        ((ReviewSort.DISPUTE, NOTHING), (ReviewSort.ROUTE, WANTED)),
        ((ReviewSort.DISPUTE, ARGUED), (ReviewSort.DISPUTE, NOTHING)),
        ((ReviewSort.STALE, LATELY), (ReviewSort.DISPUTE, ARGUED)),
        ((ReviewSort.CANDIDATE, WANTED), (ReviewSort.STALE, NOTHING)),
        ((ReviewSort.CANDIDATE, WANTED), (ReviewSort.CANDIDATE, LATELY)),
        ((ReviewSort.IMPORT, NOTHING), (ReviewSort.RULES, LATELY)),
        ((ReviewSort.RULES, NOTHING), (ReviewSort.AS_IT_STANDS, LATELY)),
    ],
)
def test_what_agents_work_by_comes_before_what_waits(
    first: tuple[ReviewSort, ReviewSigns], second: tuple[ReviewSort, ReviewSigns]
) -> None:
    """And what a person said and was kept as it stands comes after all of it."""
    assert worth(*first) > worth(*second)


def test_no_count_lifts_a_thing_above_what_is_worse() -> None:
    """However many prompts waited for it."""
    many = ReviewSigns(wanted=10**9, given=10**9)
    assert worth(ReviewSort.CANDIDATE, many) < worth(ReviewSort.DISPUTE, NOTHING)
