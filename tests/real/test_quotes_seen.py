"""The real Claude Code: its agent picks what the person typed, and the call's id proves it."""

from pathlib import Path
from typing import Final

import pytest

from tests.real.test_mcp_claude_code import ALLOWED, WAIT
from tests.support.beside_client import Learnt
from tests.support.model_server import call, say

README: Final = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SHARED = "credit notes share the number range with invoices"
PROMPT = f"The invoice pdf needs a footer. {SHARED}. So print it on both."


@pytest.mark.slow
def test_the_agent_saves_a_quote(learnt: Learnt) -> None:
    """Proved in a session at a terminal; of a headless one it waits."""
    learnt.init()
    project = learnt.client.project("alpha")
    script = [
        WAIT,
        call("ToolSearch", query="select:mcp__learnt__remember"),
        call("mcp__learnt__remember", quote=SHARED, kind="schema"),
        say("Saved it."),
    ]
    run = learnt.client.run_interactive(project, [(PROMPT, "Saved it.")], script, arguments=ALLOWED)
    assert "it counts as VERIFY until the user confirms it" in run.requests[-1].newest_text
    headless = learnt.client.run(project, PROMPT, script, arguments=ALLOWED)
    assert "Already saved" in headless.requests[3].newest_text
    (known,) = learnt.json("knowledge", "query", SHARED, "--project", str(project))["entries"]
    assert (f"{SHARED}.", "VERIFY", "validated") == (known["text"], known["trust"], known["stage"])


@pytest.mark.slow
def test_a_headless_wish_is_a_candidate_that_says_how_to_confirm(learnt: Learnt) -> None:
    """The README's own sentence, under `claude -p`: the client's stream has the line.

    The agent is told it as well: where `claude -p` prints the answer alone, it shows no line.
    """
    learnt.init()
    project = learnt.client.project("alpha")
    wish = next(line for line in README.splitlines() if line.startswith("> remember: "))[2:]
    run = learnt.client.run(project, wish, [say("Fine.")])
    told = run.asking(wish).newest_text
    assert "because this session is not interactive" in told
    assert "Tell the user how to confirm it: learnt review" in told
    (shown,) = (each for each in run.messages if "says: Learnt" in str(each.get("content")))
    assert "To confirm it: learnt review" in shown["content"]
    (known,) = learnt.json("recall", wish, "--project", str(project))["entries"]
    assert wish == f"remember: {known['text']}"
    assert ("candidate", "UNPROVEN") == (known["stage"], known["trust"])
