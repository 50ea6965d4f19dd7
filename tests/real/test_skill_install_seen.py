"""The real Claude Code and a skill that Learnt installed."""

import json
import re
from pathlib import Path

import pytest

from tests.support.beside_client import LEARNT, Learnt
from tests.support.model_server import call, say
from tests.support.terminal import run_on_terminal

TEXT = (
    "---\nname: Tide_Tables\nversion: 2.0\ndescription: Reads tide tables of harbours.\n---\n"
    "# Tides\n\nAsk the almanac of Heligoland first.\n"
)


@pytest.mark.slow
def test_the_client_lists_an_installed_skill_until_it_is_removed(
    learnt: Learnt, tmp_path: Path
) -> None:
    """A person installs it; the agent cannot; the client offers it and loads its text."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    source = tmp_path / "elsewhere" / "tides"
    source.mkdir(parents=True)
    (source / "SKILL.md").write_text(TEXT, "utf-8")
    words = [str(LEARNT), "--home", str(learnt.home), "skills"]

    own = f"{LEARNT} --home {learnt.home} skills install {source}"
    asked = client.run(project, "Install it", [call("Bash", command=own), say("I read it.")])
    (seal,) = set(re.findall(r"--seal (\w+)", asked.requests[-1].newest_text))
    read = call("Bash", command=f"{own} --no-threat --seal {seal}")
    answered = client.run(project, "Answer it", [read, say("It waits.")])
    assert "waits for a person" in answered.requests[-1].newest_text
    assert "tide-tables" not in json.dumps(asked.requests[0].body)

    code, output = run_on_terminal(
        [*words, "install", str(source)], client.environment, project, ["y"]
    )
    assert code == 0, output
    listed = client.run(project, "Which skills are there?", [say("That one.")])
    assert "tide-tables: Reads tide tables of harbours." in json.dumps(listed.requests[0].body)
    typed = client.run_interactive(
        project, [("/tide-tables", "claude: I will.")], [say("I will."), say("I will.")]
    )
    assert "almanac of Heligoland" in typed.requests[-1].visible_text

    code, output = run_on_terminal([*words, "remove", "tide-tables"], client.environment, project)
    assert code == 0, output
    gone = client.run(project, "Which skills are there?", [say("None.")])
    assert "tide-tables" not in json.dumps(gone.requests[0].body)


@pytest.mark.slow
def test_an_installed_skill_keeps_its_guard(learnt: Learnt, tmp_path: Path) -> None:
    """The client offers it to no model, and loads it once a person types its name."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    source = tmp_path / "elsewhere" / "tides"
    source.mkdir(parents=True)
    guarded = TEXT.replace("version: 2.0\n", "disable-model-invocation: true\nargument-hint: [x]\n")
    (source / "SKILL.md").write_text(guarded, "utf-8")
    words = [str(LEARNT), "--home", str(learnt.home), "skills", "install", str(source)]
    code, output = run_on_terminal(words, client.environment, project, ["y"])
    assert code == 0, output

    listed = client.run(project, "Which skills are there?", [say("None.")])
    assert "tide tables of harbours" not in json.dumps(listed.requests[0].body)
    typed = client.run_interactive(
        project, [("/tide-tables", "claude: I will.")], [say("I will."), say("I will.")]
    )
    assert "almanac of Heligoland" in typed.requests[-1].visible_text
