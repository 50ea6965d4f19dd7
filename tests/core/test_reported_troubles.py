"""Troubles that a prompt tells of, and what made them go away."""

import pytest

from learnt.core.digest.remarks import Basis
from tests.core.talks import Cure, Did, broke, change, edited, page, ran, reported, talk, turn

TROUBLE = "the import dies on Sundays"
WHY = "The calendar counts from zero."
FIX = edited("days.py", "day", "day + 1")
GREEN = ran("pytest days", kind="test")
RED = broke("pytest days", kind="test")


def told(prompt: str, *steps: str | Did, then: str = "", number: int = 0) -> Cure | None:
    """What is found in the first turn, with the prompt that follows it."""
    following = [turn(then)] if then else []
    return reported(talk(turn(prompt, *steps), *following), number)


def test_it_is_told_with_what_was_changed_and_run() -> None:
    """A check that passed at the end shows it."""
    assert told(TROUBLE, WHY, FIX, GREEN) == Cure(
        source=Basis.FIX,
        problem=TROUBLE,
        approach="Changed days.py: - day\n+ day + 1\nWhat worked: `pytest days`",
        changes=(change("days.py", "day", "day + 1"),),
        tool_use=f"{TROUBLE}/2",
        hard=True,
        typed=True,
    )


def test_a_persons_word_shows_it_too_but_not_as_hard() -> None:
    """No call is named then, and nothing that worked where nothing was run."""
    cure = told(TROUBLE, WHY, FIX, then="works now, thanks")
    assert cure is not None
    assert (False, "") == (cure.hard, cure.tool_use)
    assert cure.approach.endswith("+ day + 1")


def test_it_is_of_its_turn() -> None:
    """What was done in the turns beside it is not counted."""
    others = (
        turn("hello", page("Hi there."), GREEN),
        turn(TROUBLE, WHY, FIX, GREEN),
        turn("and now?", RED),
    )
    cure = reported(talk(*others), 1)
    assert cure is not None and 1 == cure.turn
    assert None is reported(talk(*others), 0) is reported(talk(*others), 2)


@pytest.mark.parametrize(
    ("steps", "then", "is_one"),
    [
        ([WHY, FIX, GREEN], "", True),
        ([WHY, FIX, GREEN], "now add a page", True),
        ([WHY, FIX], "", False),
        ([WHY, FIX], "now add a page", False),
        ([WHY, FIX], "perfect", True),
        ([WHY, FIX], "好了，没再崩", True),
        ([WHY, FIX, GREEN, ran("ls", kind="look")], "", False),
        ([WHY, FIX, GREEN, ran("ls", kind="look")], "gone, cheers", True),
        ([WHY, FIX, RED], "", False),
        ([WHY, FIX, RED], "thanks", False),
        ([WHY, FIX, RED], "it works now", True),
        ([WHY, RED, FIX, GREEN], "", True),
        ([WHY, GREEN], "", False),
        ([WHY, ran("grep x", kind="look")], "it works now", False),
        ([WHY, ran("cat x", kind="read")], "it works now", False),
        ([WHY, ran("sync now", kind="change")], "", False),
        ([WHY, ran("sync now", kind="change")], "it works now", True),
        ([WHY], "it works now", False),
        ([FIX, GREEN], "", True),
        ([WHY, FIX, GREEN], "it still dies", False),
        ([WHY, FIX, GREEN], "还是崩", False),
        ([WHY, FIX, GREEN], "revert that", False),
        ([WHY, FIX, GREEN], "that's not what I asked for", False),
        ([WHY, FIX, GREEN], "this is terrible", False),
        ([WHY, FIX, GREEN], "it works now, but the old one is wrong", True),
    ],
)
def test_something_must_have_been_done_and_found_good(
    steps: list[str | Did], then: str, is_one: bool
) -> None:
    """By a check at its end or by the next prompt."""
    assert is_one is (told(TROUBLE, *steps, then=then) is not None)


@pytest.mark.parametrize(
    ("prompt", "then", "problem"),
    [
        ("hi there, all. the import dies on Sundays\nfix it", "", TROUBLE),
        ("选课的时候老是报 WriteConflict", "", "选课的时候老是报 WriteConflict"),
        ("the hall lamp glows at night", "", None),
        ("the hall lamp glows at night", "it's gone, thanks", None),
        ("so the import breaks on Sundays, is that right?", "", None),
        ("dies", "", None),
        ("dies. the import is slow on Sundays", "", "the import is slow on Sundays"),
        ("import dies", "", "import dies"),
    ],
)  # fmt: skip
def test_the_trouble_is_a_sentence_of_the_persons(
    prompt: str, then: str, problem: str | None
) -> None:
    """One that tells of a trouble, and asks nothing."""
    cure = told(prompt, WHY, FIX, GREEN, then=then)
    assert problem == (cure and cure.problem)


def test_the_next_prompt_says_whether_it_is_gone() -> None:
    """Not the one before it."""
    before, after = turn("works now, thanks"), turn("now add a page")
    assert None is reported(talk(before, turn(TROUBLE, WHY, FIX), after), 1)
    assert None is not reported(talk(after, turn(TROUBLE, WHY, FIX), before), 1)


def test_the_last_thing_that_worked_is_told() -> None:
    """And it is the check where nothing came after it."""
    cure = told(TROUBLE, WHY, FIX, GREEN, ran("make days", kind="check"))
    assert cure and cure.approach.endswith("What worked: `make days`")
