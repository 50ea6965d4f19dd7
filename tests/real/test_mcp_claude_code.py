"""The real Claude Code with our MCP server beside it, as `init` registers it."""

from pathlib import Path

import pytest

from learnt.surfaces.mcp_server import INSTRUCTIONS
from tests.support.beside_client import Learnt
from tests.support.claude_code import Run
from tests.support.model_server import call, say

ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
ALLOWED = ("--allowedTools", "mcp__learnt")
# The client connects beside its first request; of its own log the newest file says when it did.
CONNECTED = (
    "for i in $(seq 300); do grep -qs 'Successfully connected' "
    '"$(ls -t "$HOME"/.cache/claude-cli-nodejs/*/mcp-logs-learnt/* | head -n 1)" && break; '
    "sleep 0.1; done"
)
WAIT = call("Bash", command=CONNECTED, description="Wait for the server")


@pytest.fixture
def project(learnt: Learnt) -> Path:
    """A project of a client that knows the server."""
    learnt.init()
    return learnt.client.project("alpha")


def tools(run: Run, number: int) -> list[str]:
    """The tools that a request of the client's offered its model."""
    return [tool["name"] for tool in run.requests[number].body["tools"]]


@pytest.mark.slow
def test_the_agent_recalls_and_proposes(learnt: Learnt, project: Path) -> None:
    """It finds the tools by what they are for; what it proposes is known to everybody after."""
    look = call("Bash", command="echo 't_room: 3 rows in set'", description="Look")
    first = learnt.client.run(
        project,
        "How are the rooms joined?",
        [
            WAIT,
            call("ToolSearch", query="remember something you found out"),
            call("ToolSearch", query="knowledge from earlier sessions"),
            call("mcp__learnt__recall", query="t_room"),
            look,
            call("mcp__learnt__propose", text=ROOM, kind="schema", evidence="last"),
            say("Kept."),
        ],
        arguments=ALLOWED,
    )
    assert first.exit_code == 0, first.output + first.errors
    # They come with the server, which may be up a moment after the first request.
    assert any(INSTRUCTIONS in request.visible_text for request in first.requests)
    assert "mcp__learnt__propose" in tools(first, 2)
    assert "mcp__learnt__recall" in tools(first, 3)
    assert '"advice":"investigate"' in first.requests[4].newest_text
    assert '"verdict":"admit"' in first.requests[6].newest_text
    (known,) = learnt.json("knowledge", "query", "t_room", "--project", str(project))["entries"]
    assert (ROOM, "UNPROVEN") == (known["text"], known["trust"])
    story = learnt.json("why", known["id"])
    assert {"agent"} == {event["actor"] for event in story["events"]}
    # The server has the session's id from the client: with it `last` is this session's call.
    assert first.session_id in str(story["events"][-1]["details"])

    second = learnt.client.run(
        project,
        "And now?",
        [
            WAIT,
            call("ToolSearch", query="select:mcp__learnt__recall,mcp__learnt__confirm"),
            look,
            call("mcp__learnt__recall", query="t_room rooms"),
            call("mcp__learnt__confirm", id=known["id"], evidence="last"),
            say("It is."),
        ],
        arguments=ALLOWED,
    )
    assert f'"handle":"{known["handle"]}"' in second.requests[4].newest_text, second.output
    assert '"recorded":true' in second.requests[5].newest_text
    (promoted,) = learnt.json("knowledge", "sweep")["promoted"]
    assert known["id"] == promoted


@pytest.mark.slow  # the same server answers the SDK's client in tests/cli/test_mcp.py
def test_the_agent_gets_reasons_and_no_say(learnt: Learnt, project: Path) -> None:
    """What is wrong comes back in words; a skill it drafts waits, and is nowhere on the disk."""
    run = learnt.client.run(
        project,
        "Make a skill of it",
        [
            WAIT,
            call("ToolSearch", query="select:mcp__learnt__propose_skill,mcp__learnt__confirm"),
            call("mcp__learnt__confirm", id="e-00000000000000"),
            call("mcp__learnt__propose_skill", name="join-rooms", body=f"Join: {ROOM}",
                 description="Joins the rooms of several hotels"),
            say("It waits for you."),
        ],
        arguments=ALLOWED,
    )  # fmt: skip
    assert run.exit_code == 0, run.output + run.errors
    assert "There is no entry e-00000000000000" in run.requests[3].newest_text
    assert "ask them to run `learnt review`" in run.requests[4].newest_text
    (waiting,) = learnt.json("evolve", "list", "--project", str(project))["proposals"]
    assert ("new-skill", "pending") == (waiting["kind"], waiting["status"])
    assert [] == list(project.rglob("SKILL.md"))
