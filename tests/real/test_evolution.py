"""The real Claude Code and what is proposed: an agent may look, a person decides."""

import json

import pytest

from tests.support.beside_client import LEARNT, Learnt
from tests.support.model_server import call, say
from tests.support.terminal import run_on_terminal

PROMPTS = (
    "The gradle build fails with unsupported class file major version 65, why is that?",
    "Again gradle fails the build: unsupported class file major version 65. What now?",
    "Our gradle build says unsupported class file major version 65 since today.",
)
SLUG = "the-gradle-build-fails-with-unsupported-class-file-major"


@pytest.mark.slow
def test_what_was_recalled_in_three_sessions_becomes_a_skill_by_a_persons_word(
    learnt: Learnt,
) -> None:
    """Proposed once; the agent's own accept is refused; a person's makes the client list it."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    learnt.remember(project)
    for prompt in PROMPTS:
        assert client.run(project, prompt, [say("Let me see.")]).exit_code == 0

    learnt.json("evolve", "analyze", "--project", str(project))  # the worker may have come first
    (name,) = (each["id"] for each in learnt.json("evolve", "list")["proposals"])
    assert learnt.json("evolve", "analyze", "--project", str(project))["new"] == []

    own = f"{LEARNT} --home {learnt.home} evolve accept {name} --yes"
    run = client.run(
        project, "Please accept that proposal", [call("Bash", command=own), say("It refused.")]
    )
    assert run.exit_code == 0, run.output + run.errors
    assert "Only a person may decide" in run.requests[-1].newest_text
    file = project / ".agents" / "skills" / SLUG / "SKILL.md"
    assert not file.exists()

    told = [str(LEARNT), "--home", str(learnt.home), "evolve", "accept", name]
    code, output = run_on_terminal(told, client.environment, project, ["y"])
    assert code == 0, output
    assert file.exists()

    listed = client.run(project, "Which skills are there for gradle?", [say("That one.")])
    assert SLUG in json.dumps(listed.requests[0].body)
    typed = client.run_interactive(
        project, [(f"/{SLUG}", "claude: I will.")], [say("I will."), say("I will.")]
    )
    assert "zulu toolchain" in typed.requests[-1].visible_text


@pytest.mark.slow
def test_the_slash_commands_are_there(learnt: Learnt) -> None:
    """`/memory-evolve` reaches the model with what it is to run, by the client's own expansion."""
    project = learnt.client.project("alpha")
    learnt.init()
    typed = learnt.client.run_interactive(
        project, [("/memory-evolve stats", "claude: Shown.")], [say("Shown."), say("Shown.")]
    )
    visible = typed.requests[-1].visible_text
    assert "evolve stats" in visible
    assert "The user's words: stats" in visible
    assert "self-evolving-memory" in json.dumps(typed.requests[-1].body)
