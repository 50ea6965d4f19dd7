"""What is asked for is found, whatever it is asked in."""

from learnt.core.events import Actor
from learnt.flows.recall.ask import Hit, ask
from tests.flows.stage import HERE, PROBLEM, Stage


def asked(stage: Stage, question: str) -> list[Hit]:
    """What a person finds."""
    return ask(stage.outside, question, folder=HERE, actor=Actor.HUMAN, most=5, record=False)


def test_each_of_two_questions_is_answered() -> None:
    """Neither answer is pushed out by entries that share a word with both."""
    stage = Stage()
    stage.remember("The staging database listens on port 5433", "Open the tunnel of the jump host first")
    stage.remember("Nightly workers are restarted by systemd", "Look at the timer of the unit file")
    for number in range(6):
        stage.remember(f"The staging database of team {number} is slow at night", "Move its backup to noon")
    found = asked(stage, "On which port does staging listen? Who restarts the nightly workers?")
    best = {hit.note.problem for hit in found[:2]}
    assert {
        "The staging database listens on port 5433",
        "Nightly workers are restarted by systemd",
    } == best


def test_a_paste_does_not_hide_what_is_asked() -> None:
    """The person's words weigh more than the log that follows them."""
    stage = Stage()
    stage.remember("Kafka consumers rebalance for ever", "Raise max.poll.interval.ms")
    stage.remember("Gradle daemon heap dumps under memory pressure", "Give it two gigabytes")
    log = "```\ngradle daemon heap dump memory pressure gigabytes\n```"
    found = asked(stage, f"why do our kafka consumers rebalance all day?\n{log}")
    assert "Kafka consumers rebalance for ever" == found[0].note.problem


def test_a_chinese_question_finds_its_note() -> None:
    """By what it is about, not by the particles that all messages share."""
    stage = Stage()
    stage.remember("测试环境的数据库端口是5433", "先开隧道")
    for name in ("小王", "小李", "小张"):
        stage.remember(f"{name}的想法是我们在周一开会", "通知大家")
    assert (
        "测试环境的数据库端口是5433"
        == asked(stage, "你知道我们的数据库的端口是什么吗？")[0].note.problem
    )


SHARING = (
    "webhook",
    "🦑 webhook 🎉",
    "שגיאה בחתימה של ה-webhook",
    "stripe 签名 подпись webhook ลายเซ็น",
    '" OR 1 NEAR("webhook", 5) AND NOT *',
    "webhook:signature ^stripe -production {a b}: (",
    "\ud800 webhook",
    "\x00webhook\x00",
    "webhook stripe? " * 70_000,
)
OTHER = (
    "",
    "x",
    "锁",
    "👩\u200d👩\u200d👧 🎉",
    "\u202ekoohbew\u202c",
    "signature" * 120_000,
    "?" * 1_000_000,
    '"' * 1_000_001,
    "```" * 300_001,
)


def test_an_odd_question_finds_what_shares_a_word_with_it() -> None:
    """Huge, of mixed scripts and directions, with what means something to a search engine."""
    stage = Stage()
    stage.remember()
    for question in SHARING:
        assert [PROBLEM] == [hit.note.problem for hit in asked(stage, question)], question[:40]


def test_an_odd_question_that_shares_nothing_finds_nothing() -> None:
    """Empty, of one character, of no words, or one word without an end."""
    stage = Stage()
    stage.remember()
    for question in OTHER:
        assert [] == asked(stage, question), question[:40]
