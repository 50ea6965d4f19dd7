"""The real Claude Code goes through the loop: from a note to a skill whose effect is measured."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.real.test_mcp_claude_code import ALLOWED, WAIT
from tests.real.test_skill_loop_seen import proposed
from tests.support.beside_client import Learnt
from tests.support.claude_code import Run
from tests.support.homes import wait_until
from tests.support.model_server import Turn, call, say
from tests.support.replayed import HookRecorder, RecordedSession

OLD, NEW = "python3 publish.py --live", "python3 publish.py --channel live"
NOTE = f"to publish the tariff tables, first run `python3 stage.py`, then run `{OLD}`"
PROMPTS = (
    "How do I publish the tariff tables?",
    "Please publish the tariff tables of May",
    "Publish the tariff tables of June, please",
)
BODY = "# Publish the tariff tables\n\n1. Run `python3 stage.py`.\n2. Run `{publish}`.\n"
ABOUT = "Publishes the tariff tables. Use when the user asks to publish them."
WORKS = 'print("published")\n'
CHANGED = (
    f'import sys\nif "--live" in sys.argv:\n    sys.exit("Error: --live was removed")\n{WORKS}'
)


def bash(command: str, match: str | None = None) -> Turn:
    """The agent runs a command as soon as it knows what matches."""
    return Turn(blocks=call("Bash", command=command, description="Do it").blocks, match=match)


class Loop:
    """One project, one person, one client, and what became of the note."""

    def __init__(self, learnt: Learnt) -> None:
        learnt.init()
        self.learnt, self.project = learnt, learnt.client.project("alpha")
        self.recorder = HookRecorder(learnt.client)
        self.uses = 0
        (self.project / "stage.py").write_text('print("staged")\n', "utf-8")
        (self.project / "publish.py").write_text(WORKS, "utf-8")

    @property
    def file(self) -> Path:
        """The skill's file, once there is one."""
        (file,) = (self.project / ".agents" / "skills").glob("*/SKILL.md")
        return file

    @property
    def skill(self) -> str:
        """The skill's name."""
        return self.file.parent.name

    def json(self, *words: str) -> dict[str, Any]:
        """What a command answers in the project."""
        return self.learnt.json(*words, "--project", str(self.project))

    def said(self, *words: str) -> str:
        """What a command prints in the project."""
        return self.learnt(*words, "--project", str(self.project))

    def typed(self, *words: str, answers: tuple[str, ...] = ("y",)) -> str:
        """A command of the person's, who answers what it asks."""
        return self.learnt.typed(*words, "--project", str(self.project), answers=answers)

    def run(self, prompt: str, *script: Turn) -> Run:
        """One session without a terminal, which ends well."""
        run = self.learnt.client.run(
            self.project, prompt, [*script, say("Done.")], arguments=ALLOWED
        )
        assert run.exit_code == 0, run.output + run.errors
        return run

    def used(self) -> tuple[bool, RecordedSession]:
        """A session whose agent launches the skill, and does what the text that it read says.

        Whether that was the new text, and the session as it was recorded.
        """
        script = [
            call("Skill", skill=self.skill),
            say("Done.", match="(?m)^published|was removed"),
            bash(f"python3 stage.py && {NEW}", match=f"Run `{NEW}`"),
            bash(f"python3 stage.py && {OLD}", match=f"Run `{OLD}`"),
        ]
        run = self.run(PROMPTS[2], *script)
        shown = json.dumps(run.requests[-1].body)
        texts = [text for text in (NEW, OLD) if f"Run `{text}`" in shown]
        assert len(texts) == 1, texts
        self.is_counted()
        return texts == [NEW], self.recorder.session(run.session_id)

    def again(self, session: RecordedSession) -> None:
        """The hooks of a recorded session tell of it as of another one."""
        session.again(self.uses)
        self.is_counted()

    def is_counted(self) -> None:
        """Wait until the worker has counted one more use of the skill."""
        self.uses += 1

        def executions() -> list[int]:
            told = self.learnt.json("health", "status")["skills"]
            return [one["executions"] for one in told if one["skill"] == self.skill]

        wait_until(lambda: executions() == [self.uses], f"use {self.uses}")

    @property
    def queued(self) -> dict[str, Any]:
        """What the queue says of the skill."""
        return dict(self.learnt.json("health", "queue")["skills"].get(self.skill, {}))


def note_is_kept(loop: Loop) -> None:
    """The person types it at the client's own prompt."""
    said = [(f"Remember: {NOTE}", "claude: Kept.")]
    loop.learnt.client.run_interactive(loop.project, said, [say("Kept.")])
    wait_until(lambda: loop.json("recall", NOTE)["entries"], "the note", seconds=60)
    (entry,) = loop.json("recall", NOTE)["entries"]
    assert ("procedure", "TRUST") == (entry["kind"], entry["trust"])


def note_is_recalled(loop: Loop) -> None:
    """In three sessions it stands beside the prompt; a busy machine is asked again."""
    recalled: list[bool] = []
    while sum(recalled) < len(PROMPTS) and len(recalled) < 9:
        prompt = PROMPTS[sum(recalled)]
        run = loop.run(prompt)
        recalled.append(NOTE in run.asking(prompt).newest_text)
    assert sum(recalled) == len(PROMPTS), recalled


def draft_is_announced(loop: Loop) -> None:
    """The next start says so on the person's screen; their agent writes the draft again."""
    name = proposed(loop.learnt, "new-skill")
    (shown,) = loop.json("evolve", "show", name)["proposals"]
    draft = call(
        "mcp__learnt__propose_skill", name=shown["target"].split("/")[1], description=ABOUT,
        body=BODY.format(publish=OLD), rewrites=name,
    )  # fmt: skip
    search = call("ToolSearch", query="select:mcp__learnt__propose_skill")
    run = loop.learnt.client.run_interactive(
        loop.project,
        [(f"/learnt-draft {name}", "claude: It waits.")],
        [WAIT, search, draft, say("It waits.")],
        arguments=ALLOWED,
    )
    assert "1 draft is ready: learnt review" in run.output
    assert "It waits for the person" in run.requests[-1].newest_text


def draft_is_accepted(loop: Loop) -> None:
    """By the person, in `learnt review`, where nothing else waits."""
    assert "1 draft(s) wait for you: `learnt review`" in loop.said("status")
    loop.typed("review", answers=("a", "s"))
    assert BODY.format(publish=OLD) in loop.file.read_text("utf-8")


def skill_fails(loop: Loop) -> None:
    """Its command worked and was then changed; its uses are flagged, and the person sees it."""
    new, worked = loop.used()
    assert not new
    for _ in range(4):
        loop.again(worked)
    assert loop.queued == {}
    (loop.project / "publish.py").write_text(CHANGED, "utf-8")
    _, failed = loop.used()
    failures = 1
    while loop.queued.get("flagged_count", 0) < 3 and failures < 9:
        loop.again(failed)
        failures += 1
    assert failures <= 6, loop.queued
    assert f"{loop.skill} keeps failing" in loop.said("status")


def text_is_improved(loop: Loop) -> None:
    """The person turns down what rules wrote, and lets Learnt ask: the next start does.

    The subagent gets the brief, proposes the whole text, and the person accepts it for a trial.
    """
    by_rules = proposed(loop.learnt, "new-version")
    loop.learnt.typed("evolve", "reject", by_rules)
    loop.typed("health", "improve", loop.skill, "--automatic", answers=())
    search = call("ToolSearch", query="select:mcp__learnt__improvement_brief,"
                  "mcp__learnt__propose_skill")  # fmt: skip
    revised = call(
        "mcp__learnt__propose_skill", name=loop.skill, description=ABOUT,
        body=BODY.format(publish=NEW), revises=True,
    )  # fmt: skip
    brief = call("mcp__learnt__improvement_brief", skill=loop.skill)
    task = f"Improve the skill {loop.skill}"
    subagent = call(
        "Agent", description="Improve", prompt=task, subagent_type="skill-improver",
        run_in_background=False,
    )  # fmt: skip
    wait = Turn(blocks=WAIT.blocks, match=task)
    run = loop.run("Good morning", subagent, wait, search, brief, revised, say("It waits."))
    asks = f"skills that keep failing: {loop.skill}. Run the subagent skill-improver"
    assert asks in run.requests[0].visible_text
    told = next(r.newest_text for r in run.requests if "success_rate" in r.newest_text)
    assert OLD in told and "Error: --live" in told and "turned down" in told
    (waits,) = [p for p in loop.json("evolve", "list")["proposals"] if p["status"] == "pending"]
    loop.typed("evolve", "accept", waits["id"], "--trial")


def texts_are_tried(loop: Loop) -> dict[bool, RecordedSession]:
    """A coin draws, and the transcript tells which text was read: a session of each, recorded."""
    seen: list[tuple[bool, RecordedSession]] = []
    while len({new for new, _ in seen}) < 2 and len(seen) < 9:
        seen.append(loop.used())
        counted = loop.json("skills", "trial", loop.skill)  # draws, if the worker has not yet
        assert (len(seen), {}) == (counted["uses"], counted["uncounted"]), counted
    assert {False, True} == {new for new, _ in seen}
    return dict(seen)


def better_text_is_promoted(loop: Loop, recorded: dict[bool, RecordedSession]) -> None:
    """By further uses, each of the text that lies there: the client then reads the better one."""
    for _ in range(40):
        (found,) = loop.learnt.json("health", "evaluate", loop.skill)["skills"]
        if found["status"] != "evaluating":
            break
        loop.again(recorded[NEW in loop.file.read_text("utf-8")])
        with suppress(AssertionError):  # the worker may have ended it first
            loop.json("skills", "trial", loop.skill)
    assert "promoted" == found["status"], found
    assert loop.used()[0]


def effect_is_measured(loop: Loop) -> None:
    """By the uses of the trial, with an interval; the report names it."""
    (skill,) = loop.learnt.json("health", "effect")["skills"]
    effect = skill["effect"]
    assert (loop.skill, "promoted", "better") == (
        skill["skill"],
        skill["verdict"],
        effect["ruling"],
    )
    assert 0 < effect["low"] < effect["estimate"] <= effect["high"] and effect["units"] >= 8
    assert "(skill, promoted)" in loop.learnt("health", "effect")


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_loop_goes_through_its_stages(learnt: Learnt) -> None:
    """Kept, recalled, drafted, accepted, used, flagged, improved, tried, promoted, measured.

    One home, the real client, its hooks and the worker. Each stage has sessions of the client.
    Further uses replay, with other ids, what the client's own hooks reported in such a session:
    4 good uses and 5 failing ones, and those of the trial after each text was seen.
    """
    loop = Loop(learnt)
    note_is_kept(loop)
    note_is_recalled(loop)
    draft_is_announced(loop)
    draft_is_accepted(loop)
    skill_fails(loop)
    text_is_improved(loop)
    better_text_is_promoted(loop, texts_are_tried(loop))
    effect_is_measured(loop)
    learnt("rebuild", "--verify")
