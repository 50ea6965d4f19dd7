"""The window of ten executions, by the rule of the seeds (oracles 33 and 34)."""

import pytest
from msgspec.structs import replace

from learnt.core.health.executions import Use
from learnt.core.health.improvement import concluded, gap, lacks, way_back
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.identifiers import ContentRef, EventId, Subject
from learnt.core.skills.history import Evaluation, SkillHistory

PLAIN = Use(
    skill=ContentRef("c"),
    wall_ms=1,
    event=EventId("e"),
    session=Subject("session:s"),
    episode="p",
    by="agent",
    launched=True,
    trouble=Trouble.NONE,
    cause=Cause.NONE,
    grade=MILLION,
    took_ms=None,
    tokens=None,
    imported=False,
)


@pytest.mark.parametrize(
    ("before", "each", "count", "ended"),
    [
        (350_000, 100_000, 10, ("promoted", 100_000)),
        (150_000, 400_000, 10, ("review", 400_000)),
        (350_000, 350_000, 10, ("review", 350_000)),
        (350_000, 0, 9, None),
        (340_000, 300_000, 12, ("promoted", 300_000)),
    ],
)
def test_a_window_of_ten_is_promoted_or_waits(
    before: int, each: int, count: int, ended: object
) -> None:
    """Equal is not better, and nine are too few."""
    assert ended == concluded(before, [each] * count)


@pytest.mark.parametrize("good", range(11))
def test_as_many_as_before_is_not_better(good: int) -> None:
    """Whatever the order, and however many of ten went well."""
    before = [0] * good + [MILLION] * (10 - good)
    assert concluded(gap(before) or 0, before[::-1]) == ("review", gap(before))


def test_what_comes_after_the_tenth_counts_no_more() -> None:
    """The verdict is of the first ten."""
    assert ("promoted", 100_000) == concluded(200_000, [100_000] * 10 + [MILLION] * 5)


@pytest.mark.parametrize(
    ("change", "lacked"),
    [
        ({}, 0),
        ({"grade": 750_000}, 250_000),
        ({"grade": None}, 0),
        ({"grade": None, "trouble": Trouble.COMMAND, "cause": Cause.SKILL}, MILLION),
        ({"grade": 0, "trouble": Trouble.TEST, "cause": Cause.INPUT}, None),
        ({"grade": None, "trouble": Trouble.COMMAND, "cause": Cause.ENVIRONMENT}, None),
        ({"launched": False}, None),
    ],
)
def test_an_execution_lacks_what_is_the_skills(
    change: dict[str, object], lacked: int | None
) -> None:
    """Nothing seen is no trouble, and what others broke says nothing."""
    assert [lacked] * (lacked is not None) == lacks([replace(PLAIN, **change)])  # its own fields


def test_the_gap_is_that_of_the_last_ten() -> None:
    """What was long ago does not count."""
    assert 100_000 == gap([*[MILLION] * 30, MILLION, *[0] * 9])


@pytest.mark.parametrize("name", ["abc; rm", "ABC", "", "abc\n", "--abc", "abc g"])
def test_a_commit_is_taken_back_by_its_name_alone(name: str) -> None:
    """Oracle 37: what is no hash never stands in a command."""
    named = Evaluation("new", commit="abc123")
    assert "git revert abc123 --no-edit" == way_back("audit", SkillHistory(), named)
    assert "" == way_back("audit", SkillHistory(), Evaluation("new", commit=name))
