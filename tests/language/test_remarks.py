"""What a person says for good, told from what they ask for."""

import pytest

from learnt.core.digest.remarks import ALONE, LONGEST, Around, Basis, Remark
from learnt.language.remarks import read

FACT, CORRECTION, DECISION = Basis.FACT, Basis.CORRECTION, Basis.DECISION
SECRET = "sk_live_9x2LqWmTzR81vbn0aa"
PRICE = "The price comes from plans.yaml, read in pricing.ts."


def remarks(prompt: str, **around: str | bool) -> list[Remark]:
    """The remarks of a prompt, by the weights that are shipped."""
    return list(read(prompt, Around(**around)).remarks)  # type: ignore[arg-type]  # as it names them


def every_sentence(prompt: str, **around: str | bool) -> list[Remark]:
    """The remarks of a prompt each of whose sentences is meant for good."""
    context = Around(**around)  # type: ignore[arg-type]  # as it names them
    return list(read(prompt, context, lambda *_: 1.0).remarks)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the login test please. and btw we never mock the clock in this repo, use FakeTime",
        "add the column too. all money columns are integer cents in our schema, no floats",
        "顺便说一下，我们的接口返回码一律用 200，业务错误放在 code 字段里",
        "帮我改一下导出。另外 order_no 是带校验位的，最后一位不能截掉",
    ],
)
def test_what_holds_beyond_the_task_is_kept(prompt: str) -> None:
    """A convention, a fact of the project: without a word that asks for it to be kept."""
    assert remarks(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "can you bump the footer year?",
        "why does the import crash on row 7",
        "帮我看一下为什么起不来",
        "这个必须登录吗？",
        "今天集群有点慢，明天就好了",
        "thanks, looks great",
        "use yarn instead of npm. oh wait, wrong repo",
        "应该用 yarn 的……我看错仓库了，当我没说",
        "the page says: always use http",
    ],
)
def test_what_is_none_is_not_kept(prompt: str) -> None:
    """Questions, requests, what passes, what is taken back, quotations."""
    assert [] == remarks(prompt)


def test_what_comes_with_a_credential_is_not_kept() -> None:
    """Not even where it is asked for."""
    assert [] == every_sentence(f"remember: the key is {SECRET} and must be used")


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("remember: staging listens on 8443", "staging listens on 8443"),
        ("Please remember that CI runs on arm64", "CI runs on arm64"),
        ("记住，room_state 只能由房态服务写", "room_state 只能由房态服务写"),
    ],
)
def test_what_is_asked_to_be_remembered_is_kept_without_the_request(prompt: str, text: str) -> None:
    """Whatever the scorer makes of it."""
    (remark,) = read(prompt, ALONE, lambda *_: -1.0).remarks
    assert Remark(source=Basis.REMEMBER, text=text, asked=True, first=True) == remark


@pytest.mark.parametrize(
    "prompt",
    [
        "the uart runs at 460800, note that for next time",
        "remember: staging listens on 8443. why is it red?",
        "remember: staging listens on 8443\nand now the tests",
    ],
)
def test_what_is_asked_for_beside_other_things_is_kept_and_not_at_once(prompt: str) -> None:
    """At once counts what stands at the beginning, alone in its prompt or its paragraph."""
    (remark,) = read(prompt, ALONE, lambda *_: -1.0).remarks
    assert (Basis.REMEMBER, False) == (remark.source, remark.first)
    (alone,) = read("remember: staging is on 8443\n\nwhy is it red?", ALONE).remarks
    assert alone.first


def test_a_question_whether_it_is_remembered_asks_for_nothing() -> None:
    """It is no request to remember."""
    assert [] == remarks("can you remember the port is 8443?")


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("remember gate, harbour, pier", True),
        ("remember v2", True),
        ("the gate, harbour, remember", False),
        ("remember it", False),
        ("remember to push", False),
    ],
)
def test_a_remark_has_enough_words(prompt: str, kept: bool) -> None:
    """One where it is plainly asked for; else three, or two of which one names something."""
    assert kept is bool(every_sentence(prompt))


@pytest.mark.parametrize(
    ("prompt", "source", "text"),
    [
        ("CI runs on arm64", FACT, "CI runs on arm64"),
        ("yep, -9999 marks a cancelled sailing", FACT, "-9999 marks a cancelled sailing"),
        ("嗯，tools/bench.sh 默认跑 debug", FACT, "tools/bench.sh 默认跑 debug"),
        ("no, alerts go over ntfy, topic home-1", CORRECTION, "alerts go over ntfy, topic home-1"),
        ("we decided to drop armv7 for good", DECISION, "we decided to drop armv7 for good"),
        ("我们定了 worker 数等于核数", DECISION, "我们定了 worker 数等于核数"),
    ],
)
def test_a_remark_tells_how_it_was_put(prompt: str, source: Basis, text: str) -> None:
    """Told, corrected, decided; without the words that only take up the talk."""
    (remark,) = every_sentence(prompt)
    assert Remark(source=source, text=text, asked=source is DECISION) == remark


def test_what_is_changed_anew_was_corrected() -> None:
    """Whatever the words of the prompt."""
    (remark,) = every_sentence("drivers belong beside boards", anew=True)
    assert CORRECTION is remark.source


@pytest.mark.parametrize(
    ("prompt", "did", "anew", "text"),
    [
        ("no, builds always run on arm", "", False, "builds always run on arm"),
        ("no, we always use arm boards", "ci.yml", False,
         "we always use arm boards (said of ci.yml)"),
        ("no, CI runs on arm64", "ci.yml", False, "CI runs on arm64"),
        ("no, CI runs on arm64", "ci.yml", True, "CI runs on arm64 (said of ci.yml)"),
        ("no, CI.yml runs on arm64", "ci.yml", True, "CI.yml runs on arm64"),
        ("remember: builds run on arm", "ci.yml", True, "builds run on arm"),
        ("不对，构建一律跑在板子上", "ci.yml", False, "构建一律跑在板子上 (said of ci.yml)"),
    ],
)  # fmt: skip
def test_a_correction_is_told_with_what_it_was_said_of(
    prompt: str, did: str, anew: bool, text: str
) -> None:
    """Where that is sure, or it names nothing by itself; unless it says so already."""
    (remark,) = every_sentence(prompt, did=did, anew=anew)
    assert text == remark.text


@pytest.mark.parametrize(
    ("prompt", "remark"),
    [
        ("CI runs on arm64. we decided to drop x86",
         Remark(source=DECISION, text="CI runs on arm64. we decided to drop x86", asked=True)),
        ("remember: CI runs on arm64. x86 is for the farm",
         Remark(source=Basis.REMEMBER, text="CI runs on arm64. x86 is for the farm", asked=True,
                first=True)),
        ("CI runs on arm64。夜里的构建是 v7 的",
         Remark(source=FACT, text="CI runs on arm64. 夜里的构建是 v7 的")),
    ],
)  # fmt: skip
def test_several_sentences_are_one_remark_of_the_strongest_kind(
    prompt: str, remark: Remark
) -> None:
    """Asked for if one of them was; an act of its own if the first was."""
    assert [remark] == every_sentence(prompt)


def test_only_at_the_start_it_is_asked_for_first() -> None:
    """What begins a prompt is an act of its own."""
    (later,) = remarks("not the cable. remember to hold BOOT and then tap RST")
    assert (later.asked, later.first) == (True, False)


def test_only_the_line_that_begins_with_it_is_asked_for() -> None:
    """What stands below may be a paste: it is a remark of its own."""
    first, second = every_sentence("remember: CI runs on arm64\nbuilds of v7 are slow at night")
    assert (first.text, first.asked) == ("CI runs on arm64", True)
    assert (second.text, second.asked) == ("builds of v7 are slow at night", False)


@pytest.mark.parametrize(("more", "how_many"), [(0, 1), (1, 2)])
def test_a_remark_is_no_longer_than_a_note_may_be(more: int, how_many: int) -> None:
    """What does not fit is another."""
    first, second = "CI runs on arm64 " + "y" * 100, "x86 must go into no build "
    second += "x" * (LONGEST - len(first) - len(second) + more)
    assert how_many == len(every_sentence(f"{first}. {second}"))


@pytest.mark.parametrize(
    ("prompt", "said", "agreed"),
    [
        ("yes, plans.yaml", PRICE, PRICE[:-1]),
        ("对，plans.yaml", "价格是从 plans.yaml 来的。", "价格是从 plans.yaml 来的"),
        ("plans.yaml, yes", PRICE, ""),
        ("yes", PRICE, ""),
        ("yes, rooms.yaml", PRICE, ""),
        ("yes, PLANS.YAML", PRICE, PRICE[:-1]),
        ("yes, is it plans.yaml?", PRICE, ""),
        ("yes, plans.yaml", "I have put it into plans.yaml, it is read there.", ""),
        ("yes, plans.yaml", f"I looked. {PRICE}", PRICE[:-1]),
        ("yes", "So the price comes from plans.yaml. Is that right?",
         "So the price comes from plans.yaml"),
        ("是的", "那么价格取自 plans.yaml，对吗？", "那么价格取自 plans.yaml"),
        ("no", "So the price comes from plans.yaml. Is that right?", ""),
        ("yes", "The gates are open, right?", ""),
    ],
)  # fmt: skip
def test_what_the_agent_said_is_agreed_to(prompt: str, said: str, agreed: str) -> None:
    """A statement that the person names; a bare yes where the agent asked whether it is so."""
    wanted = [Remark(source=FACT, text=agreed, agreed=True)] if agreed else []
    assert wanted == list(read(prompt, Around(said=said), lambda *_: -1.0).remarks)


def test_ones_own_words_come_after_what_they_agree_to() -> None:
    """But a decision stands alone."""
    (both,) = every_sentence("yes, plans.yaml is ours", said=PRICE)
    assert (f"{PRICE[:-1]}. plans.yaml is ours", True) == (both.text, both.agreed)
    (decided,) = every_sentence("yes, we decided plans.yaml", said=PRICE)
    assert ("we decided plans.yaml", False) == (decided.text, decided.agreed)


def test_trouble_and_its_cure_are_told() -> None:
    """By words, whoever says them."""
    assert read("选课的时候老是报 WriteConflict", ALONE).trouble
    assert read("flicker gone!", ALONE).cured
    assert not read("write a page about us", ALONE).trouble
    assert not read("still red", ALONE).cured
