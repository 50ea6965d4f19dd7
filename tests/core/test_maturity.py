"""How far a body of knowledge has come."""

import pytest

from learnt.core.knowledge.topics import GrowthHistory, Maturity, maturity, signs

KEPT_OUT = ["reject"] * 16


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (GrowthHistory(), Maturity.NASCENT),
        (GrowthHistory(validated=9, decisions=["reject"] * 20), Maturity.NASCENT),
        (GrowthHistory(validated=10, decisions=["reject"] * 19), Maturity.GROWING),
        (GrowthHistory(validated=10, decisions=["reject"] * 20), Maturity.MATURE),
        (GrowthHistory(validated=10, decisions=[*KEPT_OUT, *["admit"] * 4]), Maturity.MATURE),
        (GrowthHistory(validated=10, decisions=[*KEPT_OUT[1:], *["admit"] * 5]), Maturity.GROWING),
        (
            GrowthHistory(validated=10, decisions=[*KEPT_OUT[1:], *["correct"] * 5]),
            Maturity.GROWING,
        ),
        (GrowthHistory(validated=10, decisions=[*KEPT_OUT, *["merge"] * 4]), Maturity.MATURE),
    ],
)
def test_growth_slows_until_it_is_mature(record: GrowthHistory, expected: Maturity) -> None:
    """Few entries are nascent; a fifth of what is offered let in, at most, is mature."""
    assert expected is maturity(record)


@pytest.mark.parametrize(("days", "expected"), [(0, "growing"), (13, "growing"), (14, "mature")])
def test_a_change_of_structure_moves_it_back(days: int, expected: str) -> None:
    """For two weeks."""
    record = GrowthHistory(
        validated=30, decisions=["reject"] * 20, days_since_structure_changed=days
    )
    assert expected == maturity(record)


def test_only_the_last_decisions_count() -> None:
    """What was let in long ago is no growth."""
    record = GrowthHistory(validated=30, decisions=["reject"] * 20 + ["admit"] * 200)
    assert Maturity.MATURE is maturity(record)


def test_the_four_signs_point_to_maturity() -> None:
    """Each on its own, in words that say what was counted."""
    record = GrowthHistory(
        decisions=["reject"] * 11 + ["admit"] * 9,
        known=[True] * 11 + [False] * 9,
        renewals=[True] * 11 + [False] * 9,
        days_since_a_new_topic=14,
    )
    found = signs(record)
    assert [True] * 4 == [sign.points for sign in found]
    assert "11 of the last 20 prompts were about something known" == found[0].said
    assert "the gates answered “do nothing” to 11 of the last 20 offers" == found[1].said
    assert "no new topic for 14 days" == found[2].said
    assert "11 of the last 20 additions confirmed what was known" == found[3].said


def test_half_is_not_most_and_nine_are_not_enough() -> None:
    """A sign that points anywhere at once is none."""
    half = GrowthHistory(
        decisions=["reject", "admit"] * 10, known=[True, False] * 10, renewals=[True, False] * 10,
        days_since_a_new_topic=13,
    )  # fmt: skip
    few = GrowthHistory(decisions=["reject"] * 9, known=[True] * 9, renewals=[True] * 9)
    for record in (half, few):
        assert [False] * 4 == [sign.points for sign in signs(record)]
    assert "there is no topic yet" == signs(few)[2].said
