"""Which prompts are searched for: seed 002's rule, for every script."""

import pytest

from learnt.core.recall.asking import should_recall


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("fix bug", False),
        ("use debug-detective please now", False),
        ("@code-reviewer review this", False),
        ("/memory list all", False),
        ("how do i do it now", False),
        ("fix the auth bug", False),
        ("please restart", True),
        ("user login is broken here", True),
        ("using redis cluster wrong", True),
        ("数据库连接池耗尽之后应该怎么恢复", True),
    ],
)
def test_the_seeds_examples(prompt: str, expected: bool) -> None:
    """Oracle 44, with Chinese as it should be."""
    assert expected == should_recall(prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("deploy more", False),
        ("deploy moree", True),
        ("  deploy more \n", False),
        ("deployment of", False),
        ("abc def ghi jkl mno", False),
        ("abcd efg hijk", True),
        ("", False),
        (" " * 40, False),
    ],
)
def test_twelve_characters_and_two_words_of_four(prompt: str, expected: bool) -> None:
    """Both are needed, and space around the prompt does not count."""
    assert expected == should_recall(prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("数据库死锁", False),
        ("数据库死锁了", True),
        ("数据库死锁 ok", True),
        ("abc锁def and so on now", False),
        ("好的，继续", False),
        ("为什么 Redis 连不上", True),
        ("デプロイに失敗した", True),
        ("배포가 실패했다", True),
        ("การเชื่อมต่อล้มเหลว", True),
    ],
)
def test_a_character_of_an_unspaced_script_counts_double(prompt: str, expected: bool) -> None:
    """Six of them are long enough, and two make a word."""
    assert expected == should_recall(prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("  @reviewer please check everything", False),
        ("\n/deploy the staging environment", False),
        ("invoke deployer for staging please", False),
        ("Invoke\tdeployer for staging please", False),
        ("invoked twice although registered once", True),
        ("use the debug-detective for this problem", False),
        ("USE plugin:skill for this problem", False),
        ("use redis cluster for the session store", True),
        ("use the cluster that was restarted", True),
        ("useless-import warnings everywhere", True),
        ("please use debug-detective somewhere", True),
    ],
)
def test_prompts_that_name_who_is_to_act_are_left_alone(prompt: str, expected: bool) -> None:
    """A command, an agent or a skill at the beginning; ordinary advice to use something is not."""
    assert expected == should_recall(prompt)
