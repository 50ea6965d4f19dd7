"""The real Claude Code: what one session failed at and cured becomes a skill of the next."""

import json
from pathlib import Path

import pytest

from tests.real.test_skill_loop_seen import proposed
from tests.support.beside_client import LEARNT, Learnt
from tests.support.model_server import Turn, call, say
from tests.support.terminal import run_on_terminal

PUBLISH = """import pathlib, sys
if not pathlib.Path("stand.lock").exists():
    sys.exit("Error: the berth is not reserved" if "--night" not in sys.argv
             else "Error: the night shift has no berth")
print("published")
"""
RESERVE = 'import pathlib\npathlib.Path("stand.lock").write_text("x")\nprint("reserved")\n'
PROMPT = "Publish the tide tables"


def shell(command: str) -> Turn:
    """The agent runs a command."""
    return call("Bash", command=command, description="Do it")


def decided(learnt: Learnt, project: Path, *words: str) -> str:
    """What a person at a terminal is shown, who says yes."""
    argv = [str(LEARNT), "--home", str(learnt.home), "evolve", *words]
    code, said = run_on_terminal(argv, learnt.client.environment, project, ["y"])
    assert code == 0, said
    return said


@pytest.mark.slow
def test_a_cured_failure_is_distilled_accepted_and_used(learnt: Learnt) -> None:
    """By rules alone: proposed, shown, accepted, listed, launched, and its use counted."""
    client = learnt.client
    project = client.project("alpha")
    for name, text in (("publish", PUBLISH), ("reserve", RESERVE)):
        (project / f"{name}_berth.py").write_text(text, "utf-8")
    learnt.init()
    script = [
        shell("python3 publish_berth.py"),
        shell("python3 publish_berth.py --night"),
        shell("python3 reserve_berth.py"),
        shell("python3 publish_berth.py"),
        say("Published."),
    ]
    run = client.run(project, PROMPT, script)
    assert run.exit_code == 0, run.output + run.errors
    name = proposed(learnt, "new-skill")
    shown = json.dumps(learnt.json("evolve", "show", name))
    assert "reserve_berth.py" in shown and "the berth is not reserved" in shown, shown
    decided(learnt, project, "accept", name)

    (file,) = (project / ".agents" / "skills").glob("*/SKILL.md")
    skill = file.parent.name
    script = [call("Skill", skill=skill), shell("python3 publish_berth.py"), say("Published.")]
    used = client.run(project, "Publish the tide tables again", script)
    assert skill in json.dumps(used.requests[0].body)
    assert "reserve_berth.py" in json.dumps(used.requests[1].body)
    client.run(project, "Thank you", [say("Gladly.")])
    (counted,) = learnt.json("health", "status", skill)["skills"]
    assert counted["executions"] == 1, counted
    learnt("rebuild", "--verify")
