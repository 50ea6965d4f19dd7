"""What a person says for good, told from what they ask for."""

import pytest

from learnt.core.digest.remarks import Around, Remark, Source, remarks
from learnt.core.digest.signs import tells_of_a_cure, tells_of_trouble


@pytest.mark.parametrize(
    ("prompt", "source", "text"),
    [
        ("remember: staging listens on 8443", "remember", "staging listens on 8443"),
        ("Please remember that CI runs on arm64", "remember", "CI runs on arm64"),
        ("the uart runs at 460800, note that for next time", "remember", "the uart runs at 460800"),
        ("记住，room_state 只能由房态服务写", "remember", "room_state 只能由房态服务写"),
        (
            "no, alerts go over ntfy, topic home-1",
            "correction",
            "alerts go over ntfy, topic home-1",
        ),
        ("that's wrong: we never rename columns in one go", "correction", None),
        ("不对，表结构都走 Flyway，放到 db/migration", "correction", None),
        ("we decided to drop armv7 for good", "decision", "we decided to drop armv7 for good"),
        ("我们定了 worker 数等于核数", "decision", "我们定了 worker 数等于核数"),
        ("yep, -9999 marks a cancelled sailing", "fact", "-9999 marks a cancelled sailing"),
        ("嗯，tools/bench.sh 默认跑 debug", "fact", "tools/bench.sh 默认跑 debug"),
    ],
)
def test_what_holds_beyond_the_task(prompt: str, source: str, text: str | None) -> None:
    """Each by its source, without the words that only take up the talk."""
    (found,) = remarks(prompt)
    assert source == found.source
    assert text in {None, found.text}


@pytest.mark.parametrize(
    "prompt",
    [
        "can you bump the footer year?",
        "add an alert for the freezer at -12",
        "do we always need the token?",
        "the attic one is off until the weekend",
        "maybe the port is 8080",
        "use yarn instead of npm. oh wait, wrong repo",
        "应该用 yarn 的……我看错仓库了，当我没说",
        "帮我看一下为什么起不来",
        "这个必须登录吗？",
        "今天集群有点慢，明天就好了",
        "thanks, looks great",
        "the key is sk_live_9x2LqWmTzR81vbn0aa and must be used",
        "the page says: always use http",
    ],
)
def test_what_is_none(prompt: str) -> None:
    """Requests, questions, what passes, guesses, what is taken back, secrets, quotations."""
    assert [] == remarks(prompt)


def test_a_session_opens_with_its_scene() -> None:
    """A mere statement in its first prompt is none, a rule is one."""
    assert [] == remarks("the replica is hooked up as db2", Around(opening=True))
    assert remarks("we never write to the replica db2", Around(opening=True))


def test_only_at_the_start_it_is_asked_for_first() -> None:
    """What begins a prompt is an act of its own."""
    assert remarks("remember the port is 8443 here")[0].first
    (later,) = remarks("not the cable. remember to hold BOOT and then tap RST")
    assert (later.asked, later.first) == (True, False)


def test_sentences_of_one_prompt_are_one_remark() -> None:
    """With what stands beside a correction and says why."""
    (found,) = remarks(
        "stop, we never rename columns in one go. add the new one, backfill, drop the old: the "
        "scanners read the table directly"
    )
    assert "scanners" in found.text and "never rename" in found.text


def test_what_is_agreed_to_counts_where_it_is_named() -> None:
    """A bare yes agrees to anything."""
    said = "The price comes from plans.yaml, read in pricing.ts."
    assert [Remark(source=Source.FACT, text=said[:-1], agreed=True)] == remarks(
        "ok plans.yaml then", Around(said=said)
    )
    assert [] == remarks("ok", Around(said=said))
    assert [] == remarks("plans.yaml? no idea", Around(said=said))
    assert [] == remarks("ok plans.yaml then", Around(said="I'll put plans.yaml back."))


def test_own_words_stand_beside_what_they_agree_to() -> None:
    """The agent's statement first, then the person's."""
    (found,) = remarks(
        "correct, can1 is isobus", Around(said="Ours is 250 kbit/s on can1, as ISO 11783 has it.")
    )
    assert "Ours is 250 kbit/s on can1, as ISO 11783 has it. can1 is isobus" == found.text


def test_trouble_and_its_cure_are_told() -> None:
    """By words, whoever says them."""
    assert tells_of_trouble("选课的时候老是报 WriteConflict") and tells_of_a_cure("flicker gone!")
    assert not tells_of_trouble("write a page about us")
    assert not tells_of_a_cure("still red")
