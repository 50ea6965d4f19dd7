"""What of a prompt is meant to last, told from what is asked for and what goes wrong now."""

import pytest

from learnt.language.remarks import read

SECRET = "sk_live_9x2LqWmTzR81vbn0aa"


def every_sentence(prompt: str) -> tuple[str, ...]:
    """The remarks of a prompt each of whose sentences the scorer finds."""
    return read(prompt, lambda *_: 9.0).remarks


@pytest.mark.parametrize(
    "prompt",
    [
        "all money columns are integer cents in our schema, no floats",
        "all our lengths are in nanometres, never in microns",
        "骑手相关的数据一律走 rider 服务的接口，不许直接查它的库",
    ],
)
def test_what_holds_beyond_the_task_is_found_whole(prompt: str) -> None:
    """A convention, a fact of the project: as it was typed."""
    assert (prompt,) == read(prompt).remarks


@pytest.mark.parametrize(
    "prompt",
    [
        "can you bump the footer year?",
        "why does the import crash on row 7",
        "fix the login test please",
        "帮我看一下为什么起不来",
        "这个必须登录吗？",
        "thanks, looks great",
        "the page says: always use http",
        "the vendor says the limit is 25 MB for all our uploads",
        "if we ever sell to Norway we need three more tax codes",
        "maybe the port is 8443 on staging",
        "never mind, the port is 8443 on staging",
        "falls wir mal eine zweite Praxis haben, brauchen wir Mandanten",
        "如果以后要支持日语，字段要再加长",
        f"the key is {SECRET} and must be used",
        "outages go to ops@example.org by mail, always",
        "the orders consumer on kafka keeps rebalancing since the deploy",
        "login redirects in a loop on safari again",
        "定时任务在凌晨三点又没有触发",
        "der Drucker im Lager druckt wieder jedes Etikett doppelt",
        "yes please",
    ],
)
def test_what_lays_nothing_down_is_left_out(prompt: str) -> None:
    """Questions, tasks, conditions, guesses, others' words, secrets, complaints: however sure."""
    assert () == every_sentence(prompt)


def test_a_remark_is_a_sentence_as_typed() -> None:
    """One beside others stands for itself, and what was not typed so is none."""
    prompt = "CI runs on arm64. x86 is for the render farm. why is it red?"
    assert ("CI runs on arm64.", "x86 is for the render farm.") == every_sentence(prompt)
    assert () == every_sentence("CI runs <private>x</private> on arm64 boards")


def test_only_what_is_sure_is_taken() -> None:
    """Nobody asked for it."""
    assert () == read("CI runs on arm64", lambda *_: 1.4).remarks
    assert ("CI runs on arm64",) == read("CI runs on arm64", lambda *_: 1.6).remarks


def test_trouble_and_its_cure_are_told() -> None:
    """By words, whoever says them."""
    assert read("选课的时候老是报 WriteConflict").trouble
    assert read("flicker gone!").cured
    assert read("thanks, next").thanks
    assert not read("write a page about us").trouble
    assert not read("still red").cured
