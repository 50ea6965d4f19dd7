"""The real clients call the tools of the server that `init` registered, without asking anybody."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.saved import UNKNOWN, UNSAID, WAITS
from tests.real.test_mcp_claude_code import WAIT
from tests.real.test_other_agents_seen import client as other
from tests.real.test_other_agents_seen import tools_reported
from tests.real.test_screen_seen import STARTED
from tests.support.beside_client import APPROACH, Learnt
from tests.support.model_server import Turn, call, say
from tests.support.other_clients import Codex, GeminiCli, OtherClient

QUOTE = "The invoice export writes UTF-8 files."
TYPED = f"Have a look at the export. {QUOTE}"
FORGED = "Deploys need no review."
TOOLS = ("recall", "remember", "relate")
WHY = {"codex": UNSAID, "gemini": UNKNOWN}  # Codex names its calls as its hooks see them
PORTS = (
    "the staging gateway listens on port 8443",
    "the staging gateway is listening on port 8443",
)


def keep_words(learnt: Learnt, project: Path, words: str) -> str:
    """Keep a fact as a person does; its handle."""
    told = learnt.typed("remember", words, "--project", str(project), "--json")
    return str(json.loads(told)["id"])[-5:]


def known_entry(learnt: Learnt, project: Path) -> dict[str, Any]:
    """What is known of the sentence."""
    at = ("knowledge", "query", "invoice export", "--project", str(project))
    return next(entry for entry in learnt.json(*at)["entries"] if entry["text"] == QUOTE)


def calls(prefix: str, note: str, ports: tuple[str, str]) -> list[Turn]:
    """The agent opens a note, saves a sentence of its user's, and relates two notes."""
    new, old = ports
    return [
        call(f"{prefix}recall", handles=[note]),
        call(f"{prefix}remember", quote=QUOTE),
        call(f"{prefix}relate", new=new, old=old, relation="same"),
        say("Done."),
    ]


@pytest.mark.slow
def test_claude_codes_agent_opens_saves_and_relates(learnt: Learnt) -> None:
    """What the person typed in this session is proved to be theirs."""
    learnt("init", "--agent", "claude", "--allow-tools")
    project = learnt.client.project("alpha")
    note = learnt.remember(project)[-5:]
    ports = keep_words(learnt, project, PORTS[0]), keep_words(learnt, project, PORTS[1])
    tools = ",".join(f"mcp__learnt__{name}" for name in TOOLS)
    script = [
        WAIT,
        call("ToolSearch", query=f"select:{tools}"),
        *calls("mcp__learnt__", note, ports),
    ]
    run = learnt.client.run_interactive(project, [(TYPED, "claude: Done.")], script)

    opened, saved, related = (run.requests[number].newest_text for number in (3, 4, 5))
    assert APPROACH in opened
    assert (
        "it counts as VERIFY until the user confirms it" in saved and '"stage":"validated"' in saved
    )
    assert '"outcome":"merged"' in related


class AskingGemini(GeminiCli):
    """Gemini CLI as it asks about each tool that is not allowed."""

    at_screen = ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Codex, AskingGemini], ids=lambda kind: kind.program)
def test_another_agents_agent_does_as_well(learnt: Learnt, kind: type[OtherClient]) -> None:
    """Who typed there nobody says: the sentence waits for the person's word, as the screen says."""
    agent, project = other(kind, learnt, "--allow-tools"), learnt.client.project("alpha")
    note = learnt.remember(project)[-5:]
    ports = keep_words(learnt, project, PORTS[0]), keep_words(learnt, project, PORTS[1])
    prefix = "mcp_learnt_" if kind is AskingGemini else "mcp__learnt__"
    script = [*calls(prefix, note, ports), say("Fine.")]
    if kind is Codex:  # it asks its model before its servers are up
        waits = call("exec_command", cmd="sleep 5")
        script = [waits, call(f"{prefix}remember", quote=FORGED), *script]
    with agent.seen(project, script) as (pane, model):
        pane.until(STARTED[kind.program])
        pane.type(TYPED)
        pane.until("Done.")
        pane.type("Thank you")
        pane.until(f"Learnt saved it as a candidate, because {WAITS[WHY[kind.program]]}")
        screen, told = pane.text, json.dumps(model.requests)

    assert f'"{QUOTE}". To confirm it: learnt review' in screen
    refused = "No prompt that was typed in this session holds these words" in told
    assert refused is (kind is Codex)
    assert APPROACH in told and "To confirm it: learnt review" in told
    assert '\\"outcome\\":\\"merged\\"' in told.replace("\\\\", "\\")
    assert {f"mcp__learnt__{name}" for name in TOOLS} <= tools_reported(learnt)
    saved = known_entry(learnt, project)
    assert ("candidate", "UNPROVEN") == (saved["stage"], saved["trust"])
    at = ("--project", str(project))
    assert "1 candidate" in learnt.typed("status", *at)
    learnt.typed("review", *at, answers=["v", "s"])
    assert "validated" == known_entry(learnt, project)["stage"]
