"""The real Claude Code and what really happened: executions and outcomes of its sessions."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.beside_client import Learnt
from tests.support.model_server import Turn, call, say

PASSING = """import unittest


class T(unittest.TestCase):
    def test(self):
        self.assertTrue(True)
"""


def with_skill(project: Path, name: str) -> None:
    folder = project / ".claude" / "skills" / name
    folder.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: Checks the project.\n---\n\nRun the checks.\n"
    (folder / "SKILL.md").write_text(text, "utf-8")


def play(learnt: Learnt, project: Path, prompt: str, *script: Turn, after: str = "") -> str:
    arguments = ("--resume", after) if after else ()
    run = learnt.client.run(project, prompt, [*script, say("Done.")], arguments=arguments)
    assert run.exit_code == 0, run.output + run.errors
    return run.session_id


def health(learnt: Learnt) -> dict[str, dict[str, Any]]:
    return {one["skill"]: one for one in learnt.json("health", "status")["skills"]}


def last(learnt: Learnt) -> dict[str, Any]:
    found: dict[str, Any] = learnt.json("status")["last_episodes"][0]
    return found


def told(one: dict[str, Any]) -> tuple[object, ...]:
    return one["trouble"], one["cause"], one["grade"]


@pytest.mark.slow
def test_each_session_ends_as_it_did(learnt: Learnt) -> None:
    """A failing command, a mended one, a correction after it, an unknown skill, a subagent."""
    project = learnt.client.project("alpha")
    learnt.init()
    with_skill(project, "audit")
    with_skill(project, "greet")
    run = {"description": "Run the tests"}

    play(learnt, project, "Audit it please", call("Skill", skill="audit"),
         call("Bash", command="pytest -q missing-folder || exit 4", **run))  # fmt: skip
    assert told(last(learnt))[0] in {"test", "command"}
    failed = health(learnt)["audit"]["last"]
    assert (failed["grade"], failed["cause"]) == (0, "skill")

    (project / "tests").mkdir()
    (project / "tests" / "test_it.py").write_text(PASSING, "utf-8")
    session = play(
        learnt, project, "Mend it please", call("Skill", skill="audit"),
        call("Bash", command="ls nothing-here; false", **run),
        call("Bash", command="python3 -m unittest discover -s tests", **run),
    )  # fmt: skip
    assert told(last(learnt)) == ("none", "none", 1.0)
    assert health(learnt)["audit"]["executions"] == 2

    play(learnt, project, "No, that's wrong, it still fails", after=session)
    audit = health(learnt)["audit"]
    assert told(audit["last"])[0] == "correction"
    # What follows a launch are the skill's own steps, files that are not there included.
    assert (audit["executions"], audit["graded"], audit["success_rate"]) == (2, 2, 0.0)

    play(learnt, project, "Use the other one", call("Skill", skill="no-such-skill"))
    unknown = health(learnt)["no-such-skill"]
    assert (unknown["executions"], unknown["graded"], unknown["unknown"]) == (1, 0, 1)
    assert told(unknown["last"]) == ("command", "input", None)

    play(learnt, project, "/greet the world")
    greeted = health(learnt)["greet"]
    assert (greeted["executions"], greeted["last"]["by"]) == (1, "user")
    learnt("rebuild", "--verify")


@pytest.mark.slow
def test_a_subagents_work_is_its_own(learnt: Learnt) -> None:
    """Its failing command decides nothing for its caller, and is reported with it."""
    project = learnt.client.project("alpha")
    learnt.init()
    with_skill(project, "deep")
    play(
        learnt, project, "Have it looked at",
        call("Agent", description="Look", prompt="Look at it", subagent_type="general-purpose",
             run_in_background=False),
        Turn(blocks=(*call("Skill", skill="deep").blocks,
                     *call("Bash", command="./no-such-script", description="Try").blocks),
             match="Look at it"),
        say("I looked.", match="no-such-script|not found|No such file"),
    )  # fmt: skip
    found = last(learnt)
    assert found["trouble"] == "none", found
    assert found["tools"] >= 3
    deep = health(learnt)["deep"]
    assert (deep["executions"], deep["last"]["by"]) == (1, "subagent")
    assert told(deep["last"]) == ("command", "environment", 0.0)


@pytest.mark.slow
def test_a_fork_says_what_its_parent_did_wrong(learnt: Learnt) -> None:
    """Tied to it at its first Stop, whose transcript names it."""
    project = learnt.client.project("alpha")
    learnt.init()
    with_skill(project, "audit")
    parent = play(learnt, project, "Audit it please", call("Skill", skill="audit"))
    assert told(health(learnt)["audit"]["last"]) == ("none", "none", None)
    run = learnt.client.run(project, "No, that's wrong", [say("Done.")],
                            arguments=("--resume", parent, "--fork-session"))  # fmt: skip
    assert run.session_id != parent
    assert told(health(learnt)["audit"]["last"])[0] == "correction"
