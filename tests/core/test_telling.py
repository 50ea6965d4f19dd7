"""How a cure is told: what failed, and what was tried in vain."""

from functools import partial

import pytest

from learnt.core.digest.telling import (
    LONGEST_PROBLEM,
    LONGEST_TRIED,
    MOST_CAUTIONS,
    cautions_of,
    named_trouble,
    problem_of,
    trimmed,
)
from tests.core.talks import Did, Speaking, asked, broke, ran, step, steps

SPEAKING = Speaking()
SIGN = partial(named_trouble, speaking=SPEAKING)


KEY = "sk_live_9x2LqWmTzR81vbn0aa"


@pytest.mark.parametrize(
    ("one", "failures", "problem"),
    [
        (ran("pytest"), [broke("pytest", "KeyError: 'a'")], "pytest: KeyError: 'a'"),
        (ran("pytest"), [broke("pytest", "hm")], "pytest fails"),
        (
            ran("pytest"),
            [broke("pytest", "KeyError: 'a'"), broke("pytest", "KeyError: 'b'")],
            "pytest: KeyError: 'b'",
        ),
        (
            ran("pytest"),
            [broke("pytest", "KeyError: 'a'"), broke("pytest", "hm")],
            "pytest: KeyError: 'a'",
        ),
        (ran("make a && pod install && x"), [broke("pod install")], "pod install fails"),
        (ran("make a && pod install"), [broke("pod install && make a")], "pod install fails"),
        (ran("pod install && make a"), [broke("ls a/b.txt")], "make a fails"),
        (ran("cat a/b.txt"), [broke("yard a/b.txt"), broke("zip a/b.txt")], "zip fails"),
        (ran("cat a/b.txt"), [broke("ls a/b.txt")], "Bash fails"),
        (
            asked("select 1 from Rooms join beds"),
            [asked("x", "no such column: nr", good=False)],
            "db query: no such column: nr",
        ),
        (ran("构建"), [broke("构建", "错误：缺少目标")], "构建: 错误 ： 缺少目标"),
        (ran("pay"), [broke("pay", f"Error: token {KEY} is bad")], None),
    ],
)
def test_a_problem_is_what_failed_and_how(
    one: Did, failures: list[Did], problem: str | None
) -> None:
    """The program that failed and worked in the end, and the last name of a failure."""
    told = problem_of(step(one), steps(*failures), SIGN)
    assert problem in {None, told}
    assert KEY not in told


def test_a_problem_has_a_length() -> None:
    """Whatever was run."""
    names = " && ".join(["x" * 500])
    assert LONGEST_PROBLEM == len(problem_of(step(ran(names)), steps(broke(names)), SIGN))


def test_what_was_tried_in_vain_is_told_once_the_last_first() -> None:
    """But not what worked in the end, and no call without a command."""
    named = broke("make a", "no such target")
    tried = steps(named, broke("make b"), broke("make a"), broke("make c"), broke(""))
    assert ("`make a` fails", "`make b` fails") == cautions_of("make c", tried, SIGN)
    assert ("`make a` fails: no such target",) == cautions_of("make b", tried[:2], SIGN)


def test_there_is_a_limit_to_what_was_tried_in_vain() -> None:
    """To its number, and to each."""
    tried = steps(*(broke(f"make a{number}") for number in range(MOST_CAUTIONS + 2)))
    told = cautions_of("make", tried, SIGN)
    assert [f"`make a{MOST_CAUTIONS + 1 - n}` fails" for n in range(MOST_CAUTIONS)] == list(told)
    (long,) = cautions_of("make", steps(broke("make " + "x" * 300)), SIGN)
    assert f"`{'make '.ljust(LONGEST_TRIED - 1, 'x')}\u2026` fails" == long


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("a\n  b", 9, "a b"),
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc\u2026"),
        ("", 4, ""),
        (f"token={KEY}", 12, "token=[reda\u2026"),
        ("a <private>b</private> c", 20, "a [private] c"),
        ("x" * 9_000, 8_500, "x" * 8_000),
    ],
)
def test_a_text_is_put_on_one_line(text: str, most: int, cut: str) -> None:
    """And cut where it is too long."""
    assert cut == trimmed(text, most)
