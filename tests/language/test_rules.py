"""Whether a statement lays down how work is to be done, and which acts it is about."""

import pytest

from learnt.core.recall.acts import acts_of
from learnt.language.data import entries
from learnt.language.remarks import acts_in, lays_down

STANDING = [
    "always run make lint before you push",
    "never commit the lock file",
    "use uv, not pip",
    "we squash before we merge",
    "don't touch the generated files",
    "docs must be updated with the code",
    "deploys go only through ./ship.sh",
    "before you release, update the changelog",
    "every new migration needs a downgrade",
    "提交之前先跑测试",
    "不要直接推送到 main",
    "vor dem Zusammenführen immer die Tests ausführen",
    "siempre ejecuta make lint",
    "toujours lancer les tests",
    "必ずテストを実行する",
]
FACTS = [
    "staging is on port 8443",
    "the gateway listens on port 9000",
    "t_room.room_no repeats across hotels",
    "the nightly job takes two hours",
    "Ann owns the billing service",
    "预发网关监听 8443 端口",
    "die Warteschlange heißt jobs",
]


@pytest.mark.parametrize("text", STANDING)
def test_a_rule_lays_down_how_work_is_done(text: str) -> None:
    """In each language that has its words."""
    assert lays_down(text)


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_lays_down_nothing(text: str) -> None:
    """It says how things are."""
    assert not lays_down(text)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("run the tests before you push", {"push", "test"}),
        ("never commit the lock file", {"commit", "install"}),
        ("roll it out with ./ship.sh", {"deploy"}),
        ("a new dependency needs a ticket", {"install"}),
        ("every migration has a downgrade", {"migrate"}),
        ("bump the version before a release", {"release"}),
        ("format the code", {"format"}),
        ("ask before you delete anything", {"delete"}),
        ("answer in German", set()),
        ("提交之前先跑测试", {"commit", "test"}),
        ("vor dem Pushen testen", {"push", "test"}),
        ("", set()),
    ],
)
def test_the_acts_of_a_text(text: str, acts: set[str]) -> None:
    """Those that its words name, whatever it says of them."""
    assert acts == acts_in(text)


def test_every_act_of_words_is_one_of_commands() -> None:
    """A rule about an act that no command is would never be given."""
    named = {name.removeprefix("act ") for name in entries("rules") if name.startswith("act ")}
    commands = [
        "git commit", "git push", "make deploy", "npm install x", "pytest", "alembic upgrade head",
        "npm publish", "make format", "rm x",
    ]  # fmt: skip
    assert named == frozenset().union(*map(acts_of, commands))
