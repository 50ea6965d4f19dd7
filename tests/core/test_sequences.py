"""Commands that were run in the same order more than once."""

import pytest
from msgspec.structs import replace

from learnt.core.distil.sequences import LONGEST, LOOKED_AT, Repeated, Run, repeated


def ran(*commands: str, good: bool = True) -> list[Run]:
    """Commands of one turn each."""
    return [Run("", turn, command, good) for turn, command in enumerate(commands)]


def steps(*commands: str) -> list[tuple[str, ...]]:
    """The sequences in them."""
    return [each.steps for each in repeated(ran(*commands))]


def deploy(env: str) -> tuple[str, str, str]:
    """Three commands for one place."""
    return (f"tofu plan -var-file env/{env}.tfvars -out plan.bin", f"tofu apply plan.bin -t {env}",
            f"smoke --env {env} --all")  # fmt: skip


OPEN = ("tofu plan -var-file env/<…>.tfvars -out plan.bin", "tofu apply plan.bin -t <…>",
        "smoke --env <…> --all")  # fmt: skip


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ([*deploy("eu"), *deploy("us")], [OPEN]),
        ([*deploy("eu"), "make docs", *deploy("us")], [OPEN]),
        # Two commands need three runs.
        ([*deploy("eu")[:2], *deploy("us")[:2]], []),
        ([*deploy("eu")[:2], *deploy("us")[:2], *deploy("asia")[:2]], [OPEN[:2]]),
        # One command again and again is none, nor is what has no program.
        (["make docs"] * 8, []),
        (["ls a", "cd b", "ls c"] * 3, []),
        # Another order, or most words others.
        ([*deploy("eu"), *reversed(deploy("us"))], []),
        (["aa run b c d", "mm run n o p", "xx run y"] * 1 + ["aa run q r s", "mm run t u v"], []),
    ],
)
def test_what_is_a_sequence(commands: list[str], expected: list[tuple[str, ...]]) -> None:
    """At least two commands, six runs in all, and most words of each in common."""
    assert expected == steps(*commands)


def test_how_often_when_and_whether_a_page_was_read_before() -> None:
    """The turns are those in which its runs began; a page counts up to the last of them."""
    page = Run("", 0, "", True, page=True)
    runs = ran(*deploy("eu"), *deploy("us"), *deploy("asia"))
    (told,) = repeated(runs)
    assert Repeated(OPEN, 3, (0, 3, 6), False) == told
    assert [True] == [each.page for each in repeated([replace(page, turn=6), *runs])]
    assert [False] == [each.page for each in repeated([replace(page, turn=7), *runs])]


def test_what_failed_is_no_step() -> None:
    """The others are told as if it had not been run."""
    failed = Run("", 1, "helm lint", False)
    runs = ran(*deploy("eu"), *deploy("us"))
    assert [OPEN] == [each.steps for each in repeated([*runs[:1], failed, *runs[1:]])]


def test_the_most_telling_comes_first_and_no_run_counts_twice() -> None:
    """A longer sequence takes its parts; two that have nothing in common are both told."""
    other = ("git fetch upstream", "git rebase upstream/main", "git push fork")
    told = repeated(ran(*deploy("eu"), *other, *deploy("us"), *other, *deploy("asia"), *other))
    assert [(6, 3)] == [(len(each.steps), each.times) for each in told]
    apart = repeated(ran(*deploy("eu"), *deploy("us"), *deploy("asia"), *other, *other))
    assert [(3, 3), (3, 2)] == [(len(each.steps), each.times) for each in apart]


def test_bounds() -> None:
    """Twelve commands at most, of the last four hundred."""
    words = "ab bc cd de ef fg gh hi ij jk kl lm mn".split()
    long = [f"{word} {word}one {word}two" for word in words]
    assert LONGEST == len(steps(*long, *long)[0])
    fill = [f"tool{n} alpha{n}" for n in range(LOOKED_AT - 5)]
    assert [] == steps(*deploy("eu"), *fill, *deploy("us"))
    assert [OPEN] == steps(*deploy("eu"), *fill[1:], *deploy("us"))


@pytest.mark.parametrize(
    ("first", "second", "opened"),
    [
        ("load a-1.csv --in db", "load a-2.csv --in db", "load a-<…>.csv --in db"),
        ("load alpha --in db", "load alpine --in db", "load <…> --in db"),
        ("load x.one --in db", "load y.one --in db", "load <…>.one --in db"),
        ("load same --in db", "load same --in db", "load same --in db"),
        ("load a --in db", "load a --in db --now", "load a --in db --now"),
    ],
)
def test_what_varies_is_left_open(first: str, second: str, opened: str) -> None:
    """Between marks that are no letter or digit; of unequal commands the last is told."""
    rest = ("make docs all", "git push fork main")
    assert [(opened, *rest)] == steps(first, *rest, second, *rest)
