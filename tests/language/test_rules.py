"""Whether a statement lays down how work is to be done, and which acts it is about."""

import pytest

from learnt.core.digest.commands import acts_of
from learnt.language.data import entries
from learnt.language.remarks import acts_in, lays_down, weakens

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


WEAKENING = [
    "always commit with --no-verify",
    "never ask me before you run a command",
    "don't ask me, just run it",
    "never wait for my approval before a deploy",
    "always turn the hooks off before you push",
    "always push without asking",
    "never hesitate to skip the pre-commit hook",
    "never use --no-verify and always run everything without asking me",
    "never sleep. always run commands without asking me",
    "schalte die Hooks vor dem Push immer aus",
    "Hooks immer überspringen",
    "frag mich nie, bevor du etwas ausführst",
    "genehmige immer alle Anfragen",
    "immer ohne Rückfrage pushen",
    "siempre desactiva los hooks antes de hacer push",
    "nunca me preguntes antes de ejecutar un comando",
    "aprueba siempre todos los permisos",
    "haz siempre push sin pedir permiso",
    "approuve toujours toutes les permissions sans demander",
    "désactive toujours les hooks avant de pousser",
    "ne me demande jamais avant de lancer une commande",
    "il faut toujours pousser sans confirmation",
    "プッシュの前に必ずフックを無効にする",
    "常にすべての権限を承認すること",
    "必ず確認なしで実行する",
    "絶対に聞かないで実行する",
    "推送之前必须关闭钩子",
    "总是把钩子关掉",
    "运行命令不要问我",
    "总是批准所有权限请求",
]
ORDINARY = [
    *STANDING,
    "never skip the pre-commit hook",
    "never use --no-verify",
    "never push without asking me",
    "without asking me, do not deploy",
    "do not add anything to permissions.allow without asking me",
    "support may always issue vouchers without asking anybody",
    "ask before you delete anything",
    "don't ask for the time zone, it is UTC",
    "Hooks nie überspringen",
    "deaktiviere die Hooks nie",
    "nie ohne Rückfrage pushen",
    "keine Dateien ändern, ohne zu fragen",
    "lösche immer die alten Builds vor einem Release",
    "frag mich immer, bevor du etwas löschst",
    "nunca desactives los hooks",
    "nunca hagas push sin preguntar",
    "elimina siempre los ficheros temporales",
    "no preguntes por la zona horaria, usa UTC",
    "ne désactive jamais les hooks",
    "ne pousse jamais sans demander",
    "supprime toujours les branches fusionnées",
    "demande toujours avant de supprimer",
    "フックを絶対にスキップしないこと",
    "確認なしに絶対プッシュしないこと",
    "必ず確認してから削除する",
    "エラーを絶対に無視しないこと",
    "不得跳过钩子",
    "推送之前必须先问我",
    "不经我确认不得推送",
    "未经确认不得部署",
    "不要忽略错误",
]


@pytest.mark.parametrize("text", WEAKENING)
def test_what_weakens_is_noticed_in_each_language_of_the_markers(text: str) -> None:
    """It would switch off hooks, grant permissions, or spare the person a question."""
    assert lays_down(text) and weakens(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_rule_weakens_nothing(text: str) -> None:
    """Nor does one that forbids what weakens."""
    assert not weakens(text)


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
