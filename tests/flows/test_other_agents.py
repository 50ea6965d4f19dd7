"""Hooks of other agents, as they are registered: one memory, outcomes, and nothing lost."""

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from learnt.core.events import Kind
from learnt.formats.agents import hook_settings
from learnt.formats.agents.dialects import DIALECTS, PROMPT, STEP, Dialect
from learnt.stores import hook_files
from tests.support.answers import Fired
from tests.support.homes import APPROACH, PROBLEM, Home, until_told

DATA = Path(__file__).parents[1] / "data" / "agents"
OTHERS = DIALECTS[1:]
EVENTS = {"start": "SessionStart", "prompt": PROMPT, "stop": "Stop", "end": "SessionEnd"}
every = pytest.mark.parametrize("agent", OTHERS, ids=[agent.id for agent in OTHERS])


class Session:
    """A session of an agent in the home's project, by what its client sent."""

    def __init__(self, home: Home, agent: Dialect) -> None:
        self.home, self.agent = home, agent
        self.transcript = home.folder / f"rollout-{agent.id}.jsonl"
        text = (DATA / f"{agent.id}.json").read_text("utf-8")
        self.payloads: dict[str, dict[str, Any]] = json.loads(
            text.replace('"/project', f'"{home.project}')
        )

    def fire(self, what: str, **more: object) -> Fired:
        """Fire the registered command of what happened."""
        event = EVENTS.get(what, STEP)
        payload = {**self.payloads[what], "transcript_path": str(self.transcript), **more}
        line = hook_settings.command(
            hook_files.interpreter(), str(self.home.path), self.agent.argument(event)
        )
        return self.home.fire(event, payload, command=line)

    def prompt(self, text: str) -> Fired:
        """A prompt of its own name each time."""
        number = len(self.home.inbox()) + len(self.home.spooled())
        names = ("turn_id", "timestamp", "prompt_id", "generation_id")
        return self.fire("prompt", prompt=text, **{name: f"p{number}" for name in names})


@every
def test_a_note_of_one_agent_is_found_under_another(home: Home, agent: Dialect) -> None:
    """The folder decides the project, whoever asks; the agent's own event is named."""
    home.remember()
    home.start_worker()
    session = Session(home, agent)
    question = "The gradle build fails with unsupported class file major version 65, why?"
    if not agent.accepts_context(PROMPT):  # nothing is printed, and nothing counts as given
        assert [session.prompt(question).output for _ in range(3)] == [b""] * 3
        home.take_in()
        assert home.inbox(PROMPT) and home.events(Kind.RECALLED) == []
        return
    fired = until_told(lambda: session.prompt(question))

    output = json.loads(fired[-1].output)["hookSpecificOutput"]
    assert APPROACH in output["additionalContext"]
    assert output["hookEventName"] == agent.named(PROMPT)
    assert len({(one["agent"], one["session"]) for one in home.inbox(PROMPT)}) == 1


def started(session: Session, **more: object) -> str:
    """What a session's start puts before the model."""
    told = json.loads(session.fire("start", **more).output or b"{}")
    in_groups = told.get("hookSpecificOutput", {}).get("additionalContext", "")
    return str(told.get("additional_context", in_groups))


@every
def test_a_start_puts_the_contents_before_the_model(home: Home, agent: Dialect) -> None:
    """In the agent's own form; the line names the note, which is not given whole."""
    home.remember()
    home.start_worker()
    contents = [started(Session(home, agent), source="startup", **other) for other in others(3)]

    assert any(PROBLEM[:20] in each for each in contents), contents
    assert home.events(Kind.RECALLED)


def others(count: int) -> list[dict[str, object]]:
    """The names of other sessions: a busy machine is asked again."""
    return [{"session_id": f"s{n}", "conversation_id": f"s{n}"} for n in range(count)]


def test_after_a_clear_gemini_cli_carries_them_with_the_next_prompt(home: Home) -> None:
    """It drops what its hook answers to the clear itself; the prompt after the next has none."""
    home.remember()
    home.start_worker()
    gemini = next(agent for agent in OTHERS if agent.id == "gemini-cli")
    session = Session(home, gemini)
    for _ in range(3):
        assert session.fire("start", source="clear").output == b""
        asked = [session.prompt(text).injected for text in ("Good morning", "And now?")]
        if asked[0]:
            break

    assert [PROBLEM[:20] in each for each in asked] == [True, False]


def test_a_start_that_no_worker_answered_is_made_good_by_the_first_prompt(home: Home) -> None:
    """It waited in the spool: the next report that a worker answers carries the contents, once."""
    home.remember()
    command = home.path / "bin" / "worker.json"
    words = command.read_bytes()
    for number in range(3):
        command.unlink()
        home.fire("SessionStart", home.payload("SessionStart", f"s{number}", source="startup"))
        command.write_bytes(words)
        home.start_worker()
        asked = [home.prompt(said, f"s{number}").injected for said in ("Good day", "And now?")]
        home.here("worker", "stop")
        if asked[0]:
            break

    assert [PROBLEM[:20] in each for each in asked] == [True, False]


def test_where_no_text_is_taken_none_is_counted_as_shown(home: Home) -> None:
    """Cursor's hook before a compaction, and what Codex once called after one, answer nothing."""
    home.remember()
    home.start_worker()
    ids: dict[str, dict[str, object]] = {
        "cursor": {"hook_event_name": "preCompact"},
        "codex": {"source": None},
    }
    for agent in (agent for agent in OTHERS if agent.id in ids):
        assert Session(home, agent).fire("start", **ids[agent.id]).output == b""

    assert home.inbox("SessionStart") and home.events(Kind.RECALLED) == []


@every
@pytest.mark.parametrize("worker", [True, False], ids=["worker", "spool"])
def test_a_session_is_told_whole(home: Home, agent: Dialect, worker: bool) -> None:
    """By the worker or by way of the spool: its episode, its failed command, its skill, its end."""
    session = Session(home, agent)
    if (DATA / f"{agent.id}.jsonl").exists():
        shutil.copy(DATA / f"{agent.id}.jsonl", session.transcript)
    if worker:
        home.start_worker()
    else:  # no worker can be started
        (home.path / "bin" / "worker.json").unlink()
    ended = [name for name in ("end",) if name in session.payloads]
    for what in ("start", "prompt", "skill", "failed", "file", "stop", *ended):
        session.fire(what)
    home.take_in()

    seen = {one["event"]: one for one in home.inbox() if one["event"] != "Late"}
    assert {one["agent"] for one in home.inbox()} == {agent.id}
    assert len({one["session"] for one in seen.values()}) == 1
    episodes = {one["episode"] for one in home.inbox() if one["event"] in {PROMPT, STEP, "Stop"}}
    assert len(episodes) == 1 and episodes != {""}
    steps = [one["detail"]["calls"][0] for one in home.inbox(STEP)]
    assert [call.get("skill") for call in steps if call.get("skill")] == ["tidy"]
    assert [call["evidence"].get("code") for call in steps if call["failed"]] == [3]
    if ended:
        (closed,) = home.events(Kind.EPISODE_CLOSED)
        assert (closed["tools"], closed["failed"]) == (3, 1)
        assert [use["by"] for use in closed["skills"]] == ["agent"]
        assert closed["trouble"] == "command"


@every
def test_no_person_is_believed_to_sit_there(home: Home, agent: Dialect) -> None:
    """Claude Code's variables, which its commands pass on, say nothing of others' prompts.

    What they mark waits as a candidate.
    """
    home.start_worker()
    Session(home, agent).prompt("Remember: the staging gateway listens on port 8443")
    home.take_in()

    assert [one["environment"] for one in home.inbox(PROMPT)] == [{}]
    (entry,) = home.here("recall", "--json").json["entries"]
    assert ("candidate", "UNPROVEN") == (entry["stage"], entry["trust"])


def test_a_failure_in_codex_brings_its_cure(home: Home) -> None:
    """The exit code is read from the rollout, which is written before the hook is called."""
    home.remember("The build ends with: make: *** No rule to make target 'build'.  Stop.", APPROACH)
    home.start_worker()
    session = Session(home, next(agent for agent in OTHERS if agent.id == "codex"))
    shutil.copy(DATA / "codex.jsonl", session.transcript)
    session.prompt("Please look at this")
    number = itertools.count(1)

    def failed() -> Fired:
        name = session.payloads["failed"]["tool_use_id"]
        other = f"call_{next(number):012d}"
        text = (DATA / "codex.jsonl").read_text("utf-8").replace(name, other)
        session.transcript.write_text(text, "utf-8")
        return session.fire("failed", tool_use_id=other)

    fired = until_told(failed)

    assert json.loads(fired[-1].output)["hookSpecificOutput"]["hookEventName"] == "PostToolUse"


def test_without_its_rollout_a_command_of_codex_has_no_outcome(home: Home) -> None:
    """A rollout that is not there, is cut or tells of other calls: nothing is made up."""
    home.start_worker()
    session = Session(home, next(agent for agent in OTHERS if agent.id == "codex"))
    for number, text in enumerate(("", '{"type":"response_item","payload":{"type"', "\x00\n")):
        session.transcript.write_text(text, "utf-8")
        session.fire("failed", tool_use_id=f"call_{number}")
    session.transcript.unlink()
    session.fire("failed", tool_use_id="call_9")
    home.take_in()

    calls = [one["detail"]["calls"][0] for one in home.inbox(STEP)]
    assert len(calls) == 4 and not any(call["failed"] for call in calls)
