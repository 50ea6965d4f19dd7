"""What a person says for good, told from what they ask for."""

import pytest

from learnt.core.digest.remarks import LONGEST, Around, Remark, Source, remarks
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


def one(prompt: str, **around: str | bool) -> Remark | None:
    """The remark of a prompt that says one thing, or nothing, for good."""
    found = remarks(prompt, Around(**around))  # type: ignore[arg-type]  # as it names them
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.parametrize(
    ("prompt", "remark"),
    [
        ("remember: CI runs on arm64",
         Remark(source=Source.REMEMBER, text="CI runs on arm64", asked=True, first=True)),
        ("we decided to drop armv7",
         Remark(source=Source.DECISION, text="we decided to drop armv7", asked=True, first=True)),
        ("CI must run on arm64",
         Remark(source=Source.FACT, text="CI must run on arm64", ruled=True)),
        ("no, we never rename columns",
         Remark(source=Source.CORRECTION, text="we never rename columns", ruled=True)),
        ("CI runs on arm64", Remark(source=Source.FACT, text="CI runs on arm64")),
        ("no, CI runs on arm64", Remark(source=Source.CORRECTION, text="CI runs on arm64")),
        ("记住：串口是 460800",
         Remark(source=Source.REMEMBER, text="串口是 460800", asked=True, first=True)),
        ("列名一律不改", Remark(source=Source.FACT, text="列名一律不改", ruled=True)),
    ],
)  # fmt: skip
def test_a_remark_tells_how_it_was_said(prompt: str, remark: Remark) -> None:
    """Asked for, laid down, or merely told."""
    assert remark == one(prompt)


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("remember the port is 8443 today", True),
        ("remember that dinner is great today folks", False),
        ("remember it", False),
        ("remember gate, harbour, pier", True),
        ("remember gate, harbour", False),
        ("remember gate v2", True),
        ("remember v2", False),
        ("can you remember the port is 8443?", False),
        ("the gate is on the 2nd pier today", False),
        ("yesterday the gate was on pier 2", False),
        ("yesterday we decided to drop pier 2", True),
        ("no, the import crashes on row 7", False),
        ("the import crashes on row 7", False),
        ("no, the gate on pier 2 is dead", False),
        ("the gate on pier 2 is dead", True),
        ("pier 2 with gate, harbour, beacon, lamp", True),
        ("pier 2 with gate, harbour", False),
        ("pier 2 is gate harbour", True),
        ("the gate is open all along", False),
        ("the harbour needs a gate2", False),
        ("restart gate2, it is in pier.py", False),
    ],
)
def test_a_statement_names_something_and_holds_for_long(prompt: str, kept: bool) -> None:
    """What is asked to be kept needs to name nothing; a decision may be of yesterday."""
    assert kept is (one(prompt) is not None)


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("the farm has spare boards of vendors beside gates", True),
        ("the farm has boards", False),
        ("the farm has spare boards beside gates", False),
        ("why has the farm spare boards of vendors beside gates?", False),
        ("today the farm has spare boards of vendors beside gates", False),
        ("build images for spare boards of vendors beside gates", False),
        ("keep images lean: the farm stores copies of vendors beside gates", True),
        ("the farm crashed with spare boards of vendors beside gates", False),
        ("nice that the farm has spare boards of vendors beside gates", False),
        ("nice that the farm has spare boards of vendors beside gate v8", True),
        ("the farm has spare boards of vendors beside sk_live_9x2LqWmTzR81vbn0aa", False),
    ],
)
def test_what_stands_beside_something_firm_is_kept(sentence: str, kept: bool) -> None:
    """Where it tells why or how; alone it would be nothing."""
    decided = "we decided to drop armv7"
    remark = one(f"{decided}. {sentence}")
    assert remark is not None and Source.DECISION == remark.source
    assert kept is (remark.text != decided)
    assert remark.text in {decided, f"{decided}. {sentence}"}


def test_beside_a_mere_fact_nothing_is_kept() -> None:
    """Beside a rule it is."""
    sentence = "the farm has spare boards of vendors beside gates"
    fact, rule = one(f"CI runs on arm64. {sentence}"), one(f"CI must run on arm64. {sentence}")
    assert fact and "CI runs on arm64" == fact.text
    assert rule and f"CI must run on arm64. {sentence}" == rule.text


def test_what_is_changed_anew_was_corrected() -> None:
    """Few words do then, though they name nothing; a request is none even so."""
    remark = Remark(source=Source.CORRECTION, text="drivers belong beside boards")
    assert remark == one("drivers belong beside boards", anew=True)
    assert None is one("drivers belong beside boards")
    assert None is one("put drivers beside boards", anew=True)
    assert None is one("move it?", anew=True)


@pytest.mark.parametrize(
    ("prompt", "did", "anew", "text"),
    [
        ("no, builds always run on arm", "", False, "builds always run on arm"),
        ("no, we always use arm boards", "ci.yml", False,
         "we always use arm boards (said of ci.yml)"),
        ("no, CI runs on arm64", "ci.yml", False, "CI runs on arm64"),
        ("no, CI runs on arm64", "ci.yml", True, "CI runs on arm64 (said of ci.yml)"),
        ("no, CI runs on arm64", "", True, "CI runs on arm64"),
        ("no, CI.yml runs on arm64", "ci.yml", True, "CI.yml runs on arm64"),
        ("no, ci.yml runs on arm64", "CI.yml", True, "ci.yml runs on arm64"),
        ("remember: builds run on arm", "ci.yml", True, "builds run on arm"),
        ("不对，构建一律跑在板子上", "ci.yml", False, "构建一律跑在板子上 (said of ci.yml)"),
        ("不对，CI 跑在 arm64 上", "ci.yml", False, "CI 跑在 arm64 上"),
    ],
)  # fmt: skip
def test_a_correction_is_told_with_what_it_was_said_of(
    prompt: str, did: str, anew: bool, text: str
) -> None:
    """Where that is sure, or it names nothing by itself; unless it says so already."""
    remark = one(prompt, did=did, anew=anew)
    assert remark and text == remark.text


@pytest.mark.parametrize(
    ("prompt", "remark"),
    [
        ("CI runs on arm64. x86 must go into no build",
         Remark(source=Source.FACT, text="CI runs on arm64. x86 must go into no build",
                ruled=True)),
        ("x86 must go into no build. CI runs on arm64",
         Remark(source=Source.FACT, text="x86 must go into no build. CI runs on arm64",
                ruled=True)),
        ("CI runs on arm64. we decided to drop x86",
         Remark(source=Source.DECISION, text="CI runs on arm64. we decided to drop x86",
                asked=True)),
        ("we decided to drop x86. remember: CI runs on arm64",
         Remark(source=Source.REMEMBER, text="we decided to drop x86. CI runs on arm64",
                asked=True, first=True)),
        ("remember: CI runs on arm64. x86 is for the farm",
         Remark(source=Source.REMEMBER, text="CI runs on arm64. x86 is for the farm", asked=True,
                first=True)),
        ("列名一律不改。表名也一律不改",
         Remark(source=Source.FACT, text="列名一律不改。表名也一律不改", ruled=True)),
        ("CI 跑在 arm64。表名也一律不改",
         Remark(source=Source.FACT, text="CI 跑在 arm64. 表名也一律不改", ruled=True)),
    ],
)  # fmt: skip
def test_several_sentences_are_one_remark_of_the_strongest_kind(
    prompt: str, remark: Remark
) -> None:
    """Asked for if one of them was; an act of its own if the first was."""
    assert remark == one(prompt)


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ("remember: CI runs on arm64. x86 boards are gone\nbuilds of v7 are slow at night",
         ["CI runs on arm64. x86 boards are gone", "builds of v7 are slow at night"]),
        ("CI runs on arm64\nremember: x86 boards are gone",
         ["CI runs on arm64. x86 boards are gone"]),
        ("记住：CI 跑在 arm64 上\n夜里的构建是 v7 的", ["CI 跑在 arm64 上", "夜里的构建是 v7 的"]),
    ],
)  # fmt: skip
def test_only_the_line_that_begins_with_it_is_asked_for(prompt: str, texts: list[str]) -> None:
    """What stands below may be a paste: it is a remark of its own."""
    found = remarks(prompt)
    assert texts == [remark.text for remark in found]
    assert [found[0].first] + [False] * (len(texts) - 1) == [remark.first for remark in found]
    assert found[0].asked and not any(remark.asked for remark in found[1:])


@pytest.mark.parametrize(("more", "how_many"), [(0, 1), (1, 2)])
def test_a_remark_is_no_longer_than_a_note_may_be(more: int, how_many: int) -> None:
    """What does not fit is another."""
    first, second = "CI runs on arm64 " + "y" * 100, "x86 must go into no build "
    second += "x" * (LONGEST - len(first) - len(second) + more)
    found = remarks(f"{first}. {second}")
    assert how_many == len(found)
    assert [False] * how_many == [remark.first for remark in found]


PRICE = "The price comes from plans.yaml, read in pricing.ts."


@pytest.mark.parametrize(
    ("prompt", "said", "agreed"),
    [
        ("yes, plans.yaml", PRICE, PRICE[:-1]),
        ("对，plans.yaml", "价格是从 plans.yaml 来的。", "价格是从 plans.yaml 来的"),
        ("plans.yaml, yes", PRICE, ""),
        ("yes", PRICE, ""),
        ("yes, rooms.yaml", PRICE, ""),
        ("yes, price", PRICE, PRICE[:-1]),
        ("yes, the", PRICE, ""),
        ("yes, PLANS.YAML", PRICE, PRICE[:-1]),
        ("yes, is it plans.yaml?", PRICE, ""),
        ("yes, plans.yaml. what else?", PRICE, PRICE[:-1]),
        ("yes, plans.yaml", "I have put it into plans.yaml, it is read there.", ""),
        ("yes, plans.yaml", f"I looked. {PRICE}", PRICE[:-1]),
        ("yes, plans.yaml", "Look into plans.yaml and pricing.ts.", ""),
        ("yes, plans.yaml", f"The room is red. {PRICE} It is so in plans.yaml.", PRICE[:-1]),
        ("yes, gates", "The gates are open on all the piers.", ""),
        ("yes, gates", "The gates are open on pier 2.", "The gates are open on pier 2"),
        ("yes, cat", "The cat is on pier 2.", ""),
        ("yes, io2", "The io2 is on pier 2.", "The io2 is on pier 2"),
        ("yes", "So the price comes from plans.yaml. Is that right?",
         "So the price comes from plans.yaml"),
        ("yes", "CI signs the build on arm64, right?", "CI signs the build on arm64"),
        ("是的", "那么价格取自 plans.yaml，对吗？", "那么价格取自 plans.yaml"),
        ("yes", "Look. CI is slow. It runs on arm64. Is that right?", "It runs on arm64"),
        ("yes", "The gates are open, right?", ""),
        ("no", "So the price comes from plans.yaml. Is that right?", ""),
        ("yes", "x2 " + "y" * 380 + ". " + "z" * 60 + ", right?", ""),
    ],
)  # fmt: skip
def test_what_the_agent_said_is_agreed_to(prompt: str, said: str, agreed: str) -> None:
    """A statement that the person names; a bare yes where the agent asked whether it is so."""
    wanted = Remark(source=Source.FACT, text=agreed, agreed=True) if agreed else None
    assert wanted == one(prompt, said=said)


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("yes, plans.yaml is ours", f"{PRICE[:-1]}. plans.yaml is ours"),
        ("yes, we decided plans.yaml", "we decided plans.yaml"),
        ("yes, plans.yaml is " + "x" * (LONGEST - len(PRICE) - 17 + 5), None),
    ],
)
def test_ones_own_words_come_after_what_they_agree_to(prompt: str, text: str | None) -> None:
    """But a decision stands alone, and so does what would be too long."""
    remark = one(prompt, said=PRICE)
    assert remark
    assert text == remark.text if text else PRICE[:-1] not in remark.text
    assert remark.agreed is (PRICE[:-1] in remark.text)


def test_what_is_agreed_to_is_no_act_of_its_own() -> None:
    """And what follows it in the prompt stays."""
    said = "价格是从 plans.yaml 来的。"
    remark = one("对，plans.yaml 是我们的", said=said)
    assert remark and "价格是从 plans.yaml 来的。plans.yaml 是我们的" == remark.text
    remark = one("对，plans.yaml 是我们的", said="价格取自 plans.yaml。")
    assert remark and "价格取自 plans.yaml. plans.yaml 是我们的" == remark.text
    long = "x86 must go into no build " + "x" * 370
    found = remarks(f"yes, plans.yaml is ours and read at every start. {long}", Around(said=PRICE))
    assert [f"{PRICE[:-1]}. plans.yaml is ours and read at every start", long] == [
        remark.text for remark in found
    ]
