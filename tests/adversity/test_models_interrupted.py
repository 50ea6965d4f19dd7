"""A model's call that is killed, made twice at once, or made within another."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.governance.model_calls import Budget, Completion, Cost, Question
from learnt.errors import Refused
from learnt.exchanges.text_model.agent_programs import AgentModel
from learnt.flows.governance.ask_model import ask, spent_today
from learnt.settings import INSIDE_VARIABLE, WITHIN_MODEL, Settings, load
from tests.support.homes import wait_until
from tests.support.in_memory_model import ScriptedModel

QUESTION = Question("", "x" * 100, most_tokens=100)
BUDGET = Budget(tokens_a_day=10_000, micro_usd_a_day=0)


class Hanging:
    """Tells that it was asked, and never answers."""

    name = "hanging"

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def complete(self, question: Question) -> Completion:
        self._mark.touch()
        time.sleep(60)
        raise AssertionError


def test_a_kill_in_the_middle_of_a_call_keeps_the_budget(tmp_path: Path) -> None:
    """The reservation stays on record, the lock is free, and the next call is made."""
    settings = Settings(home=tmp_path / "home")
    mark = tmp_path / "asked"
    child = os.fork()
    if not child:
        with opened(settings) as outside:
            ask(outside, Hanging(mark), BUDGET, QUESTION, "distil")
        os._exit(0)
    wait_until(mark.exists, "the call is made")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    with opened(settings) as outside:
        assert Cost(200, 0) == spent_today(outside).cost
        assert "ok" == ask(outside, ScriptedModel(["ok"]), BUDGET, QUESTION, "distil")[0].text
        assert [] == list(outside.ledger.verify())


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends it on Linux alone")
def test_an_agents_program_ends_with_who_asked_it(tmp_path: Path) -> None:
    """Learnt is killed in the middle of a call: the program does not go on."""
    program, told = tmp_path / "codex", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ > {told}.new; mv {told}.new {told}; exec sleep 60\n")
    program.chmod(0o755)
    child = os.fork()
    if not child:
        os.environ["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
        AgentModel("codex", 60).complete(QUESTION)
        os._exit(0)
    wait_until(told.exists, "the program runs")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    running = Path(f"/proc/{told.read_text().strip()}/cmdline")
    wait_until(lambda: not (running.exists() and running.read_bytes()), "it has ended")


def test_who_a_model_started_asks_none(tmp_path: Path) -> None:
    """The mark in the environment is inherited: a call within a call is refused unsent."""
    settings = load({INSIDE_VARIABLE: WITHIN_MODEL}, str(tmp_path / "home"))
    model = ScriptedModel(["no"])
    with opened(settings) as outside, pytest.raises(Refused, match="may ask none"):
        ask(outside, model, BUDGET, QUESTION, "distil")
    assert [] == model.asked
    with opened(load({INSIDE_VARIABLE: "worker"}, str(tmp_path / "home"))) as outside:
        assert "no" == ask(outside, model, BUDGET, QUESTION, "distil")[0].text
