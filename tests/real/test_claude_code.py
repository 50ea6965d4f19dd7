"""The whole way: the real Claude Code, its hooks, the worker, and what the model gets to read."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.beside_client import APPROACH, Learnt
from tests.support.cases import first
from tests.support.claude_code import ClaudeCode, Run
from tests.support.model_server import say

FIRST_PROMPT = "The gradle build fails with unsupported class file major version 65, why is that?"
SECOND_PROMPT = "Again gradle fails the build: unsupported class file major version 65. What now?"

# As a person might leave it: own order and spacing, own hooks, no newline at the end.
OWN_SETTINGS = """{ "model": "sonnet",
    "hooks": {"Stop":  [ {"hooks": [{"type": "command", "command": "true # fin\\u00e9"}]} ]},
  "env": {} }"""


def ask(client: ClaudeCode, project: Path, prompt: str, *arguments: str) -> Run:
    run = client.run(project, prompt, [say("Let me see.")], arguments=arguments)
    assert run.exit_code == 0, run.output + run.errors
    return run


def injections(run: Run, prompt: str) -> int:
    """How often the solution stands in what the model got with this prompt."""
    return run.asking(prompt).newest_text.count(APPROACH)


@pytest.mark.slow  # the others show it too
def test_the_client_talks_to_the_scripted_model(client: ClaudeCode) -> None:
    """Without Learnt a prompt and its reply go through, headless and at a terminal."""
    project = client.project("alpha")

    headless = ask(client, project, FIRST_PROMPT)
    typed = client.run_interactive(
        project, [(FIRST_PROMPT, "claude: Let me see.")], [say("Let me see.")]
    )

    for run in (headless, typed):
        assert run.exit_code == 0
        assert run.asking(FIRST_PROMPT) is run.requests[0]


def test_a_remembered_solution_is_shown_once_a_session(learnt: Learnt) -> None:
    """It comes with the prompt that it answers, again only when another session asks."""
    project = learnt.client.project("alpha")
    learnt.init()
    learnt.remember(project)

    first = ask(learnt.client, project, FIRST_PROMPT)
    second = ask(learnt.client, project, SECOND_PROMPT, "--resume", first.session_id)
    next_session = ask(learnt.client, project, SECOND_PROMPT)

    assert injections(first, FIRST_PROMPT) == 1
    assert injections(second, SECOND_PROMPT) == 0
    assert injections(next_session, SECOND_PROMPT) == 1
    for request in (*first.requests, *second.requests):
        assert request.visible_text.count(APPROACH) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("options", "seen"), [((), 0), (("--everywhere",), 1)])
def test_another_project_sees_only_what_is_kept_everywhere(
    learnt: Learnt, options: tuple[str, ...], seen: int
) -> None:
    """A solution stays in its project unless it was kept for all of them."""
    home, other = learnt.client.project("alpha"), learnt.client.project("beta")
    learnt.init()
    learnt.remember(home, *options)

    assert injections(ask(learnt.client, other, FIRST_PROMPT), FIRST_PROMPT) == seen


def _without_hook_file(learnt: Learnt) -> None:
    (learnt.home / "bin" / "learnt_hook.py").unlink()


def _without_home(learnt: Learnt) -> None:
    shutil.rmtree(learnt.home)


def _without_interpreter(learnt: Learnt) -> None:
    """Name, in every hook, an interpreter that doesn't exist."""
    settings = json.loads(learnt.client.settings.read_text(encoding="utf-8"))
    for entry in (entry for entries in settings["hooks"].values() for entry in entries):
        for hook in entry["hooks"]:
            interpreter, rest = hook["command"].split(" ", 1)
            assert Path(interpreter).exists()
            hook["command"] = f"{interpreter}-that-was-removed {rest}"
    learnt.client.settings.write_text(json.dumps(settings), encoding="utf-8")


@pytest.mark.parametrize(
    "damage", first(1, [_without_interpreter, _without_hook_file, _without_home])
)
def test_a_prompt_goes_through_without_learnt(
    learnt: Learnt, damage: Callable[[Learnt], None]
) -> None:
    """Whatever part of Learnt is gone, the model gets the prompt and no hook complains.

    But for one line to the user when a session starts, which a home that is gone cannot print.
    """
    project = learnt.client.project("alpha")
    learnt.init()
    learnt.remember(project)
    learnt.stop()
    damage(learnt)

    run = ask(learnt.client, project, FIRST_PROMPT, "--include-hook-events")

    assert run.asking(FIRST_PROMPT) is run.requests[0]
    assert injections(run, FIRST_PROMPT) == 0
    hooks = [said for said in run.messages if said.get("subtype") == "hook_response"]
    assert {"SessionStart", "UserPromptSubmit"} <= {said["hook_event"] for said in hooks}
    assert {said["exit_code"] for said in hooks} == {0}
    told = {said["hook_event"]: said["output"] for said in hooks if said["output"]}
    assert set(told) == (set() if damage is _without_home else {"SessionStart"})
    assert all("do not run any more" in output for output in told.values())


# Without the client all three are tried by tests/adversity/test_settings_file.py.
@pytest.mark.slow
@pytest.mark.parametrize("before", [None, "{}\n", OWN_SETTINGS], ids=["none", "empty", "own"])
def test_uninstall_leaves_the_settings_as_they_were(learnt: Learnt, before: str | None) -> None:
    """After init, a session and uninstall, the settings file is what it was, byte for byte."""
    project, settings = learnt.client.project("alpha"), learnt.client.settings
    if before is not None:
        settings.write_text(before, encoding="utf-8")

    learnt.init()
    assert "learnt_hook" in settings.read_text(encoding="utf-8")
    ask(learnt.client, project, FIRST_PROMPT)
    learnt("uninstall")

    after = settings.read_text(encoding="utf-8") if settings.exists() else None
    assert after == before


@pytest.mark.parametrize(("attended", "actor"), first(1, [(True, "human"), (False, "agent")]))
def test_who_asked_is_told_by_how_the_client_runs(
    learnt: Learnt, attended: bool, actor: str
) -> None:
    """A session at a terminal counts as a person's, a headless one as an agent's."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    entry = learnt.remember(project)

    if attended:
        run = client.run_interactive(
            project, [(FIRST_PROMPT, "claude: Let me see.")], [say("Let me see.")]
        )
    else:
        run = ask(client, project, FIRST_PROMPT)

    assert injections(run, FIRST_PROMPT) == 1
    status = learnt.json("status", "--project", str(project))
    assert (status["sessions"], status["sessions_attended"]) == (1, int(attended))
    assert (status["recalls"], status["reuses"]) == (1, 1)
    reused = [event for event in learnt.json("why", entry)["events"] if event["kind"] == "reused"]
    assert [event["actor"] for event in reused] == [actor]
