"""A model that the user turned on: `skills distil --engine model`, the worker's job, `doctor`."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from threading import Thread

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.errors import LearntError, LedgerBusy, UsageError
from learnt.flows.governance.ask_model import spent_today
from learnt.flows.sessions.answer import answer, observation_of
from learnt.ports import Outside
from learnt.settings import load
from learnt.surfaces.answers.home import Probe
from learnt.surfaces.jobs import harvest_ended, tend_skills
from learnt.surfaces.probes import model_probes, within
from tests.support.chat_server import Answer, ChatServer
from tests.support.homes import Home
from tests.support.sessions_told import Turn, ran, said
from tests.support.transcripts import session_frames, session_lines

FAILING = said(
    "roll the shop out",
    ran("helm upgrade shop charts/shop", "Error: UPGRADE FAILED: lock is held", failed=True),
    ran("kubectl get pods", "error: no configuration has been provided", failed=True),
    ran("helm rollback shop 41 --wait", "Rollback was a success"),
)
SKILL = {
    "title": "Free the lock of helm",
    "description": "When helm says that its lock is held.",
    "when": "helm upgrade fails: lock is held",
    "steps": ["Run `helm rollback shop 41 --wait`", "Upgrade again"],
}
REPLY = Answer(json.dumps(SKILL), tokens=(900, 80))
PRICED = '[models]\nuse = "openai:small"\nurl = "{url}/v1"\nusd_per_million = [1, 5]\n'
UNPRICED = '[models]\nuse = "openai:small"\nurl = "https://models.example/v1"\n'


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A server that answers with the skill, as often as it is asked."""
    with ChatServer([REPLY] * 5) as answering:
        yield answering


def turned_on(home: Home, server: ChatServer, config: str = PRICED) -> None:
    """A home whose settings name a model."""
    (home.path / "config.toml").write_text(config.format(url=server.url), encoding="utf-8")


def ended(home: Home, name: str = "s1", turn: Turn = FAILING) -> None:
    """A session that failed twice or did this turn, and its transcript."""
    path = home.folder / f"{name}.jsonl"
    lines = session_lines([turn], name, folder=str(home.project))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with opened(load({}, str(home.path))) as outside:
        for frame in session_frames([turn], name, folder=str(home.project), transcript=str(path)):
            observation, prompt = observation_of(outside.clock, outside.random, frame)
            answer(outside, observation, prompt, lambda: False)


def test_a_session_is_distilled_by_the_model_and_why_shows_what_was_asked(
    home: Home, server: ChatServer
) -> None:
    """The proposal waits for a person; what was sent and answered is shown, and what it cost."""
    turned_on(home, server)
    ended(home)
    made = home.here("skills", "distil", "--session", "s1", "--engine", "model", "--json")
    assert 0 == made.exit_code, made
    (fate,) = made.json["sessions"][0]["fates"]

    assert "new" == fate["what"]
    assert "lock is held" in str(server.asked)
    why = home.here("why", fate["proposal"])
    assert "Free the lock of helm" in why.output and "<evidence>" in why.output
    assert "a model was asked to distil" in why.output
    with opened(load({}, str(home.path))) as outside:
        assert 1_300 == spent_today(outside).cost.micro_usd
    home.verify()


def test_madmax_distils_however_little_there_is(home: Home) -> None:
    """Of all sessions that have ended, without their names; by itself one failure is too little."""
    turn = said("roll out", FAILING["steps"][0], FAILING["steps"][2],
                ran("helm upgrade shop charts/shop", "upgraded"))  # fmt: skip
    ended(home, "s1", turn)
    little = home.here("skills", "distil", "--mode", "rl")
    assert "It shows too little" in little.output
    ended(home, "s2", turn)
    assert ": a new skill " in home.here("skills", "distil", "--mode", "madmax").output


def test_one_session_that_fails_costs_no_other_its_report(home: Home, server: ChatServer) -> None:
    """Both are told, the failure with its reason; the exit code is the error's."""
    turned_on(home, server)
    server.script = [REPLY]
    ended(home, "s1")
    ended(home, "s2")
    made = home.here("skills", "distil", "--engine", "model", "--json")
    told = {each["failed"]: each for each in made.json["sessions"]}
    assert ("new", True) == (told[False]["fates"][0]["what"], "no reply" in told[True]["finding"])
    again = home.here("skills", "distil", "--engine", "model")
    assert made.exit_code == again.exit_code == 5 and "no reply" in again.errors


def test_a_malformed_reply_is_said_to_be_one_and_is_on_record(
    home: Home, server: ChatServer
) -> None:
    """The answer says what came back, and where the record of it is."""
    turned_on(home, server)
    server.script = [Answer("I would rather not.")] * 2
    ended(home)
    made = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (0, True) == (made.exit_code, "malformed (no skill in it)" in made.output)
    why = home.here(*made.output.split("`learnt ")[1].split("`")[0].split())
    assert "I would rather not." in why.output and "answered: no skill in it" in why.output


def test_no_model_is_asked_that_is_not_turned_on(home: Home, server: ChatServer) -> None:
    """Off by default: the call is refused; without a price it is refused as well."""
    ended(home)
    said_off = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (2, True) == (said_off.exit_code, "[models] use" in said_off.errors)
    turned_on(home, server, UNPRICED)
    unpriced = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (2, True) == (unpriced.exit_code, "usd_per_million" in unpriced.errors)
    assert [] == server.asked


KEYED = '[models]\nuse = "openai:small"\nkey_from = "ABSENT_KEY"\nusd_per_million = [1, 5]\n'


@pytest.mark.parametrize("config", [PRICED, KEYED, UNPRICED, ""])
def test_the_workers_job_asks_once_a_session_where_a_model_is_set(
    home: Home, server: ChatServer, config: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """After the rules, which need none; wrong settings are told in the log."""
    turned_on(home, server, config)
    ended(home)
    settings = load({"LEARNT_INSIDE": "worker"}, str(home.path))
    with opened(settings) as outside:
        for _ in range(2):
            tend_skills(outside, settings, str(home.project), harvest_ended(outside))
    with opened(settings) as outside, outside.ledger.reading() as reader:
        told = [e for e in reader.events(kind=Kind.HARVESTED) if "distilled:" in e.subject]
    assert (2 if config == PRICED else 1) == len(told)
    assert (1 if config == PRICED else 0) == str(server.asked).count("<evidence>")
    assert ("usd_per_million" in capfd.readouterr().err) is (config not in {PRICED, KEYED, ""})


def test_doctor_tells_the_budget_and_asks_only_when_it_is_told_to(
    home: Home, server: ChatServer
) -> None:
    """Which model, what today cost; one that does not answer is a warning, not a problem."""

    def line(*words: str) -> str:
        said = home.here("doctor", *words, "--json").json["probes"]
        return "".join(f"{one['level']}: {one['said']}" for one in said if one["name"] == "model")

    assert "" == line()
    turned_on(home, server)
    assert "ok: openai:small not asked now" in line() and "today 0 tokens" in line()
    assert [] == server.asked
    server.script = [Answer("ok", tokens=(30, 5))]
    answers = "ok: openai:small answers; today 35 tokens and $0.0001 of 100,000 tokens"
    assert answers in line("--ask-model")
    assert "warning: openai:small gave no reply: " in line("--ask-model")
    turned_on(home, server, UNPRICED)
    assert "warning: " in line() and "usd_per_million" in line()


def test_a_busy_ledger_is_waited_for_where_a_model_is_asked(home: Home, server: ChatServer) -> None:
    """The call is paid for, so it is on record; and the settings are not said to be wrong."""
    turned_on(home, server)
    settings = load({}, str(home.path))
    with opened(settings):
        pass
    server.script = [Answer("ok", pause=0.5)]

    def writes_meanwhile() -> None:
        while not server.asked:
            time.sleep(0.01)
        with closing(sqlite3.connect(home.path / "ledger.db", isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            time.sleep(2)

    other = Thread(target=writes_meanwhile)
    other.start()
    (probe,) = model_probes(settings, ask=True)
    other.join()
    assert ("ok", True) == (probe.level, "answers; today 15 tokens" in probe.said)


@pytest.mark.parametrize(("error", "todo"), [(LedgerBusy, ""), (UsageError, "Mend it.")])
def test_what_is_only_busy_needs_no_mending(
    home: Home, error: type[LearntError], todo: str
) -> None:
    """A probe that met a busy ledger says so, without the advice for wrong settings."""

    def look(_outside: Outside) -> Iterator[Probe]:
        raise error("It is so.")
        yield

    (found,) = within(load({}, str(home.path)), "model", look, todo="Mend it.")
    assert ("It is so.", todo) == (found.said, found.todo)


@pytest.mark.slow
def test_ten_thousand_hook_events_ask_no_model(home: Home, server: ChatServer) -> None:
    """Whatever is reported, nobody is asked: a model is for the job after a session."""
    turned_on(home, server)
    settings = load({}, str(home.path))
    with opened(settings) as outside:
        for number in range(10_000 // 7):
            frames = session_frames(
                [FAILING], f"s{number}", folder=str(home.project), transcript=""
            )
            for frame in frames:
                observation, prompt = observation_of(outside.clock, outside.random, frame)
                answer(outside, observation, prompt, lambda: False)
        with outside.ledger.reading() as reader:
            assert not [e for e in reader.events(kind=Kind.HARVESTED) if "model:" in e.subject]
    assert [] == server.asked
