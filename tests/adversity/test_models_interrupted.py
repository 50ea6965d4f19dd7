"""A model's call that is killed."""

import os
import signal
import time
from pathlib import Path

from learnt.bootstrap import opened
from learnt.core.governance.model_calls import Budget, Completion, Cost, Question
from learnt.flows.governance.ask_model import ask, spent_today
from learnt.settings import Settings
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
