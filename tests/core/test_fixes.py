"""Failures that were overcome: which tries belong together, and what helped."""

import pytest
from msgspec.structs import replace

from learnt.core.distil.sequences import MOST_TRIES, Fix, Run, fixes

HELD = "Error: lock is held"


def good(command: str, turn: int = 0, *, blamed: bool = False) -> Run:
    """A command that worked."""
    return Run("", turn, command, True, blamed=blamed)


def bad(command: str, trouble: str = HELD, turn: int = 0) -> Run:
    """A command that failed."""
    return Run("", turn, command, False, trouble)


def wrote(path: str, turn: int = 0) -> Run:
    """A file that was changed."""
    return Run("", turn, "", True, changes=((path, "x = 1"),))


def found(*runs: Run) -> list[Fix]:
    """The fixes of a session."""
    return list(fixes([replace(run, id=str(at)) for at, run in enumerate(runs)]))


def ids(*runs: Run) -> list[tuple[str, str]]:
    """For each fix the places of its failures and of what was done."""
    return [
        ("".join(run.id for run in fix.failures), "".join(run.id for run in fix.done))
        for fix in found(*runs)
    ]


UP, FREE, FORCE = "helm upgrade shop", "helm rollback shop 41", "helm upgrade shop --force"


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([bad(UP), good(FREE), good(UP)], [("0", "12")]),
        ([bad(UP), good("ls"), good(FREE), good(UP)], [("0", "23")]),
        ([bad(UP), wrote("values.yaml"), good(UP)], [("0", "12")]),
        ([bad(UP), good(FORCE)], [("0", "1")]),
        # Nothing was overcome.
        ([bad(UP)], []),
        ([good(UP)], []),
        ([bad(UP), good(UP)], []),
        ([good(FREE), good(UP), bad(UP)], []),
        ([bad("ls"), good("ls -a")], []),
        ([bad(UP), good("kubectl get pods")], []),
        # One's own slip: the file was written before it failed.
        ([wrote("a.py"), bad("pytest"), wrote("a.py"), good("pytest")], []),
        ([wrote("a.py"), bad("pytest"), wrote("b.py"), good("pytest")], [("1", "23")]),
        # The same command for other files is another matter.
        ([bad("ruff check src/a.py"), good("ruff check src/b.py")], []),
        ([bad("ruff check src/a.py"), good("ruff check --fix src/a.py")], [("0", "1")]),
        ([bad("ruff check src/a.py"), good("ruff check --fix")], [("0", "1")]),
        # What failed alike again was done in vain; what failed otherwise was a step.
        ([bad(UP), good("helm repo update"), bad(UP), good(FREE), good(UP)], [("02", "34")]),
        ([bad(UP), good("helm repo update"), bad(UP, "no such chart at all"), good(FREE), good(UP)],
         [("02", "134")]),
        # Each once: what was overcome is not waited for any more.
        ([bad(UP), good(FREE), good(UP), good(FORCE)], [("0", "12")]),
        ([bad(UP), good(FREE), good(UP), bad(UP), good(FORCE)], [("0", "12"), ("3", "4")]),
        ([bad("make docs"), bad(UP), good(FREE), good(UP), good("make docs -B")],
         [("1", "23"), ("0", "234")]),
    ],
)  # fmt: skip
def test_what_overcomes_a_failure(runs: list[Run], expected: list[tuple[str, str]]) -> None:
    """Another command or a file that was not written before, between it and the try that works."""
    assert expected == ids(*runs)


@pytest.mark.parametrize(("turn", "count"), [(3, 1), (4, 0)])
def test_a_failure_is_waited_for_through_three_turns(turn: int, count: int) -> None:
    """Later nobody can say what helped."""
    assert count == len(found(bad(UP), good(FORCE, turn)))


def test_the_last_eight_tries_and_hundred_failures_are_told() -> None:
    """However often it was tried, and whatever else failed in between."""
    tries = [bad(f"{UP} --try {n}") for n in range(MOST_TRIES + 2)]
    (fix,) = found(*tries, good(FORCE))
    assert [str(n) for n in range(2, MOST_TRIES + 2)] == [run.id for run in fix.failures]
    others = [bad(f"make target{n}") for n in range(99)]
    assert 1 == len(found(bad(UP), *others, good(FORCE)))
    assert [] == found(bad(UP), *others, bad("cargo build"), good(FORCE))


def test_what_a_person_found_fault_with_helps_nothing() -> None:
    """It is neither the try that worked nor a step; what comes after it may be."""
    wrong = good("kubectl delete secret shop", blamed=True)
    assert [] == ids(bad(UP), wrong, good(FORCE, blamed=True))
    assert [("0", "34")] == ids(bad(UP), wrong, good(FORCE, blamed=True), good(FREE), good(UP))


def test_a_page_that_was_read_before_it_worked_marks_the_fix() -> None:
    """Whenever that was: what follows it may have been taken from it."""
    page = Run("", 0, "", True, page=True)
    marks = [
        [fix.page for fix in found(*runs)]
        for runs in (
            [page, bad(UP), good(FORCE)],
            [bad(UP), page, good(FORCE)],
            [bad(UP), good(FORCE), page],
        )
    ]
    assert [[True], [True], [False]] == marks


def test_troubles_are_told_in_order_each_once() -> None:
    """But for a name or a number in it; a failure that says nothing has none."""
    lines = ("Error: release shop-1 is locked now", "Error: release shop-2 is locked now", "",
             "no chart")  # fmt: skip
    (fix,) = found(*(bad(UP, line) for line in lines), good(FORCE))
    assert (lines[0], lines[3]) == fix.troubles
    (seven,) = found(bad(UP, "a b c d e f g h i j"), bad(UP, "a b c d e f g x y z"), good(FORCE))
    (six,) = found(bad(UP, "a b c d e f g h i j"), bad(UP, "a b c d e f w x y z"), good(FORCE))
    assert (1, 2) == (len(seven.troubles), len(six.troubles))
