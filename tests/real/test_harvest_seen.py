"""The real Claude Code: what one session cured is known in the next, until its source changes."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.beside_client import Learnt
from tests.support.claude_code import ClaudeCode, Run
from tests.support.model_server import Turn, call, say, text

FAILING = "def minutes(a, b):\n    return b - a\n"
CURED = "def minutes(a, b):\n    return (b - a) % 1440\n"
CHECK = (
    "from timer import minutes\n"
    "assert minutes(1420, 20) == 40, 'ValueError: the night shift has -1400 minutes'\n"
    "print('1 passed')\n"
)
RUN = call("Bash", command="python3 check_timer.py", description="Check")
PROMPT = "Why does check_timer.py say ValueError: the night shift has -1400 minutes?"


def session(client: ClaudeCode, project: Path, prompt: str, *script: Turn) -> Run:
    """A headless session that goes well."""
    run = client.run(project, prompt, [*script, say("There.")])
    assert run.exit_code == 0, run.output + run.errors
    return run


def known(learnt: Learnt, project: Path, stage: str) -> dict[str, Any]:
    """The only entry of a stage, once the worker's child has harvested the session."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        found = learnt.json("recall", "--project", str(project))
        # The agent's own sentence is kept apart, and no hook shows it.
        hits = [hit for hit in found["entries"] if hit["stage"] == stage]
        told = [hit for hit in hits if "Past midnight" not in json.dumps(hit)]
        if hits:
            assert len(told) == 1
            return dict(told[0])
        time.sleep(0.2)
    raise AssertionError(f"no {stage} entry in time: {learnt('status')}")


def cured(learnt: Learnt) -> Path:
    """A project in which a session met a failure, explained it and cured it."""
    client = learnt.client
    project = client.project("alpha")
    (project / "timer.py").write_text(FAILING)
    (project / "check_timer.py").write_text(CHECK)
    learnt.init()
    file = str(project / "timer.py")
    cure = call("Edit", file_path=file, old_string="b - a", new_string="(b - a) % 1440")
    explained = Turn(blocks=(text("Past midnight the difference turns negative."), *cure.blocks))
    session(client, project, "run the check", RUN, call("Read", file_path=file), explained, RUN)
    return project


@pytest.mark.slow
def test_a_cured_failure_is_known_until_its_source_changes(learnt: Learnt) -> None:
    """Unproven in the next session, trusted once it worked there too, doubted when it drifted."""
    client, project = learnt.client, cured(learnt)
    assert CURED == (project / "timer.py").read_text()
    candidate = known(learnt, project, "candidate")

    second = session(client, project, PROMPT, RUN)
    told = second.asking(PROMPT).newest_text
    assert f"{candidate['handle']} UNPROVEN" in told and "Problem: check_timer.py: " in told
    assert "Past midnight" not in told and "timer.py" in told
    assert known(learnt, project, "validated")["id"] == candidate["id"]

    third = session(client, project, PROMPT)
    assert f"{candidate['handle']} TRUST" in third.asking(PROMPT).newest_text

    (project / "timer.py").write_text(CURED.replace("1440", "1441"))
    fourth = session(client, project, PROMPT)
    doubted = fourth.asking(PROMPT).newest_text
    assert f"{candidate['handle']} VERIFY" in doubted
    assert "timer.py" in doubted and "changed since" in doubted
