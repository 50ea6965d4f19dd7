"""The real Claude Code and a skill that declines: queued, improved, tried, promoted or waiting."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.real.test_what_happened import PASSING
from tests.support.beside_client import LEARNT, Learnt
from tests.support.model_server import call, say
from tests.support.skill_sessions import FAILED, PASSED, reported
from tests.support.terminal import run_on_terminal

CAUTION = "`python3 -m unittest discover -s tests` fails"
TEXT = "---\nname: {name}\ndescription: Checks the project.\n---\n\n# Checks\n\n{body}\n"


class Project:
    """A project with skills, in which the client works and a person decides."""

    def __init__(self, learnt: Learnt) -> None:
        self.learnt, self.folder = learnt, learnt.client.project("alpha")
        (self.folder / "tests").mkdir()
        (self.folder / "tests" / "test_it.py").write_text(PASSING, "utf-8")

    def skill(self, name: str) -> Path:
        """The file of a skill, which is written if it is not there."""
        path = self.folder / ".claude" / "skills" / name / "SKILL.md"
        if not path.exists():
            path.parent.mkdir(parents=True)
            path.write_text(TEXT.format(name=name, body="Run the checks."), "utf-8")
        return path

    def typed(self, *words: str, answers: Sequence[str] = ("y",)) -> str:
        """A command of a person's, who says yes where it asks."""
        argv = [str(LEARNT), "--home", str(self.learnt.home), *words]
        code, said = run_on_terminal(argv, self.learnt.client.environment, self.folder, answers)
        assert code == 0, said
        return said

    def breaks(self) -> None:
        """A session in which the client uses `audit`, changes a file, and leaves tests failing."""
        shell = {"description": "Try"}
        script = [
            call("Skill", skill="audit"),
            call("Bash", command="sed -i 's/(True)/(False)/' tests/test_it.py", **shell),
            call("Bash", command="python3 -m unittest discover -s tests", **shell),
            say("Done."),
        ]
        run = self.learnt.client.run(self.folder, "Please audit the module now", script)
        assert run.exit_code == 0, run.output + run.errors

    def seen(self, name: str) -> str:
        """What the model reads in a session in which the client launches a skill: the file's text.

        It is the one that lay ready: the client reads it before any hook.
        """
        ready = CAUTION in self.skill(name).read_text("utf-8")
        script = [call("Skill", skill=name), say("Done.")]
        run = self.learnt.client.run(self.folder, f"Please {name} the module now", script)
        shown = json.dumps(run.requests[-1].body)
        assert (CAUTION in shown) == ready
        return shown

    def fired(self, name: str, number: int, wins: str) -> None:
        """Hooks of a session that succeeds if the skill's file had these words before it began."""

        def result() -> str:
            return PASSED if wins in self.skill(name).read_text("utf-8") else FAILED

        reported(self.learnt.home, self.folder, f"s{number}", result, name)

    def ruled(self, name: str, first: int, wins: str) -> str:
        """How its trial ends, by hooks of further sessions."""
        for number in range(first, first + 60):
            self.fired(name, number, wins)
            with suppress(AssertionError):  # the worker may have ended it first
                self.trial(name)
            (found,) = self.learnt.json("health", "evaluate", name)["skills"]
            if found["status"] != "evaluating":
                break
        ends = {"promoted": "better", "pending_rollback_review": "worse"}
        return ends.get(found["status"], str(found["status"]))

    def trial(self, name: str) -> dict[str, Any]:
        """How its trial goes; what is to be swapped is by then."""
        return self.learnt.json("skills", "trial", name, "--project", str(self.folder))


def proposed(learnt: Learnt, kind: str) -> str:
    """The proposal of that kind that the worker makes once a session ended."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        for proposal in learnt.json("evolve", "list")["proposals"]:
            if proposal["status"] == "pending" and proposal["kind"] == kind:
                return str(proposal["id"])
        time.sleep(0.2)
    raise AssertionError(f"nothing was proposed in time: {learnt('health', 'queue')}")


@pytest.mark.slow
def test_one_skill_is_promoted_and_another_waits(learnt: Learnt) -> None:
    """The client breaks things in three sessions, and sees the texts that a coin draws.

    Its transcript shows which one it read. What was before, and the other uses of each trial, are
    hooks that are fired without a client: a trial takes about twenty sessions.
    """
    learnt.init()
    project = Project(learnt)
    audit, greet = project.skill("audit"), project.skill("greet")
    for number in range(10):
        project.fired("audit", number, "checks" if number < 8 else "nothing")
        project.fired("greet", 100 + number, "checks")
    assert learnt.json("health", "queue")["skills"] == {}
    for _ in range(3):
        project.breaks()
    name = proposed(learnt, "new-version")
    queued = learnt.json("health", "queue")["skills"]["audit"]
    assert queued["flagged_count"] >= 3, queued

    project.typed("evolve", "accept", name, "--trial", "--project", str(project.folder))
    seen: list[bool] = []
    while len({*seen}) < 2 and len(seen) < 9:
        seen.append(CAUTION in project.seen("audit"))
        project.trial("audit")  # draws the next use's text, if the worker has not yet
    assert {False, True} == {*seen}, (seen, learnt("evolve", "show", name))
    counted = project.trial("audit")
    assert (len(seen), {}) == (counted["uses"], counted["uncounted"])
    assert project.ruled("audit", 200, CAUTION) == "better"
    assert CAUTION in project.seen("audit")
    assert learnt.json("health", "queue")["skills"]["audit"]["status"] == "promoted"

    (learnt.home.parent / "new.md").write_text(TEXT.format(name="greet", body="Skip it."), "utf-8")
    revised = learnt.json(
        "skills", "revise", "greet", "--text", str(learnt.home.parent / "new.md"),
        "--project", str(project.folder),
    )  # fmt: skip
    project.typed(
        "evolve", "accept", revised["proposal"], "--trial", "--project", str(project.folder)
    )
    assert project.ruled("greet", 300, "Run the checks.") == "worse"
    assert "Skip it." in project.seen("greet")
    own = f"{LEARNT} --home {learnt.home} health evaluate greet --roll-back"
    asked = learnt.client.run(
        project.folder, "Roll it back", [call("Bash", command=own, description="Do"), say("No.")]
    )
    assert "Only a person" in asked.requests[-1].newest_text
    (waits,) = learnt.json("health", "evaluate", "greet")["skills"]
    assert waits["status"] == "pending_rollback_review" and "+Skip it." in waits["diff"]
    project.typed("health", "evaluate", "greet", "--roll-back", answers=())
    assert "Run the checks." in greet.read_text("utf-8") and CAUTION in audit.read_text("utf-8")
    learnt("rebuild", "--verify")
