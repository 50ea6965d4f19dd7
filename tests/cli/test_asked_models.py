"""A model that the user turned on: `skills distil --engine model`, the worker's job, `doctor`."""

import json
import os
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.flows.governance.ask_model import spent_today
from learnt.flows.sessions.answer import answer, observation_of
from learnt.settings import load
from learnt.surfaces.jobs import harvest_ended, tend_skills
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
REPLY = {
    "type": "result", "result": json.dumps(SKILL), "total_cost_usd": 0.001,
    "usage": {"input_tokens": 900, "output_tokens": 80},
}  # fmt: skip
PRICED = '[models]\nuse = "claude"\nusd_per_million = [1, 5]\n'


def turned_on(home: Home, config: str = PRICED, reply: str = json.dumps(REPLY)) -> Path:
    """A home whose settings name a model, and that model's program; the file of its calls."""
    (home.path / "config.toml").write_text(config, encoding="utf-8")
    calls, program = home.folder / "calls", home.folder / "bin" / "claude"
    (home.folder / "reply").write_text(reply, encoding="utf-8")
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\ncat >> {calls}; echo >> {calls}; cat {home.folder}/reply\n", encoding="utf-8"
    )
    program.chmod(0o755)
    os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    return calls


def ended(home: Home, name: str = "s1", turn: Turn = FAILING) -> None:
    """A session that failed twice or did this turn, and its transcript."""
    path = home.folder / f"{name}.jsonl"
    lines = session_lines([turn], name, folder=str(home.project))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with opened(load({}, str(home.path))) as outside:
        for frame in session_frames([turn], name, folder=str(home.project), transcript=str(path)):
            observation, prompt = observation_of(outside.clock, outside.random, frame)
            answer(outside, observation, prompt, lambda: False)


def test_a_session_is_distilled_by_the_model_and_why_shows_what_was_asked(home: Home) -> None:
    """The proposal waits for a person; what was sent and answered is shown, and what it cost."""
    calls = turned_on(home)
    ended(home)
    made = home.here("skills", "distil", "--session", "s1", "--engine", "model", "--json")
    assert 0 == made.exit_code, made
    (fate,) = made.json["sessions"][0]["fates"]

    assert "new" == fate["what"]
    assert "lock is held" in calls.read_text("utf-8")
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


def test_one_session_that_fails_costs_no_other_its_report(home: Home) -> None:
    """Both are told, the failure with its reason; the exit code is the error's."""
    turned_on(home)
    program = home.folder / "bin" / "claude"
    once = f"[ -e {home.folder}/asked ] && exit 1; touch {home.folder}/asked"
    program.write_text(f"#!/bin/sh\n{once}; cat {home.folder}/reply\n", encoding="utf-8")
    ended(home, "s1")
    ended(home, "s2")
    made = home.here("skills", "distil", "--engine", "model", "--json")
    told = {each["failed"]: each for each in made.json["sessions"]}
    assert ("new", True) == (told[False]["fates"][0]["what"], "no reply" in told[True]["finding"])
    again = home.here("skills", "distil", "--engine", "model")
    assert made.exit_code == again.exit_code == 5 and "no reply" in again.errors


def test_a_malformed_reply_is_said_to_be_one_and_is_on_record(home: Home) -> None:
    """The answer says what came back, and where the record of it is."""
    turned_on(home, reply=json.dumps({**REPLY, "result": "I would rather not."}))
    ended(home)
    made = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (0, True) == (made.exit_code, "malformed (no skill in it)" in made.output)
    why = home.here(*made.output.split("`learnt ")[1].split("`")[0].split())
    assert "I would rather not." in why.output and "answered: no skill in it" in why.output


def test_no_model_is_asked_that_is_not_turned_on(home: Home) -> None:
    """Off by default: the call is refused; without a price it is refused as well."""
    ended(home)
    said_off = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (2, True) == (said_off.exit_code, "[models] use" in said_off.errors)
    calls = turned_on(home, '[models]\nuse = "claude"\n')
    unpriced = home.here("skills", "distil", "--session", "s1", "--engine", "model")
    assert (2, True) == (unpriced.exit_code, "usd_per_million" in unpriced.errors)
    assert not calls.exists()


KEYED = '[models]\nuse = "openai:small"\nkey_from = "ABSENT_KEY"\nusd_per_million = [1, 5]\n'


@pytest.mark.parametrize("config", [PRICED, KEYED, '[models]\nuse = "claude"\n', ""])
def test_the_workers_job_asks_once_a_session_where_a_model_is_set(
    home: Home, config: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """After the rules, which need none; wrong settings are told in the log."""
    calls = turned_on(home, config)
    ended(home)
    settings = load({"LEARNT_INSIDE": "worker"}, str(home.path))
    with opened(settings) as outside:
        for _ in range(2):
            tend_skills(outside, settings, str(home.project), harvest_ended(outside))
    with opened(settings) as outside, outside.ledger.reading() as reader:
        told = [e for e in reader.events(kind=Kind.HARVESTED) if "distilled:" in e.subject]
    assert (2 if config == PRICED else 1) == len(told)
    assert (1 if config == PRICED else 0) == (
        calls.read_text("utf-8").count("<evidence>") if calls.exists() else 0
    )
    assert ("usd_per_million" in capfd.readouterr().err) is (config not in {PRICED, KEYED, ""})


def test_doctor_tells_the_budget_and_asks_only_when_it_is_told_to(home: Home) -> None:
    """Which model, what today cost; a program that does not answer is a warning, not a problem."""

    def line(*words: str) -> str:
        said = home.here("doctor", *words, "--json").json["probes"]
        return "".join(f"{one['level']}: {one['said']}" for one in said if one["name"] == "model")

    assert "" == line()
    calls = turned_on(home)
    assert "ok: claude not asked now" in line() and "today 0 tokens" in line()
    assert not calls.exists()
    answers = "ok: claude answers; today 980 tokens and $0.0013 of 100,000 tokens"
    assert answers in line("--ask-model")
    (home.folder / "reply").write_text("Please run /login", encoding="utf-8")
    assert "warning: claude gave no reply (exit 0): Please run /login" in line("--ask-model")
    (home.path / "config.toml").write_text('[models]\nuse = "openai:x"\n', encoding="utf-8")
    assert "warning: " in line() and "usd_per_million" in line()


@pytest.mark.slow
def test_ten_thousand_hook_events_ask_no_model(home: Home) -> None:
    """Whatever is reported, nobody is asked: a model is for the job after a session."""
    calls = turned_on(home)
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
    assert not calls.exists()
