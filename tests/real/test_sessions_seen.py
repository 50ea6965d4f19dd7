"""The real Claude Code: what one session said is found by the next over MCP, and held once."""

import json
import time
from pathlib import Path

import pytest

from tests.real.test_mcp_claude_code import ALLOWED, WAIT
from tests.support.beside_client import Learnt
from tests.support.model_server import call, say

ASKED = "Which port does the staging gateway use?"
TOLD = "It listens on 8443, behind the proxy."


def searchable(learnt: Learnt, project: Path, count: int) -> list[str]:
    """The sessions that can be searched, once the worker's child has read so many in."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        if learnt.json("status", "--project", str(project))["sessions_searchable"] >= count:
            listed = learnt.json("sessions", "list", "--project", str(project))["turns"]
            return [turn["session"] for turn in listed]
        time.sleep(0.2)
    raise AssertionError(f"not read in in time: {learnt('status')}")


@pytest.mark.slow
def test_an_earlier_session_is_found_by_mcp(learnt: Learnt) -> None:
    """With its answer, who spoke and how to go on; a fork of it doubles nothing."""
    client = learnt.client
    learnt.init()
    project = client.project("alpha")
    first = client.run(project, ASKED, [say(TOLD)])
    assert first.exit_code == 0, first.output + first.errors
    assert [first.session_id] == searchable(learnt, project, 1)

    second = client.run(
        project,
        "What did you tell me of the gateway last time?",
        [
            WAIT,
            call("ToolSearch", query="select:mcp__learnt__recall_sessions"),
            call("mcp__learnt__recall_sessions", query="port of the staging gateway"),
            say("8443."),
        ],
        arguments=ALLOWED,
    )
    assert second.exit_code == 0, second.output + second.errors
    answer = second.requests[3].newest_text
    assert ASKED in answer and TOLD in answer
    assert f"claude --resume {first.session_id}" in answer and '"speaker":"agent"' in answer

    forked = ("--resume", first.session_id, "--fork-session")
    third = client.run(project, "And the proxy?", [say("Nobody knows.")], arguments=forked)
    assert third.session_id not in {first.session_id, second.session_id}
    assert third.session_id in searchable(learnt, project, 3)
    found = learnt.json("recall", "--sessions", "staging gateway port", "--project", str(project))
    whose = [turn["session"] for turn in found["turns"] if turn["text"] in {ASKED, TOLD}]
    assert [first.session_id] * 2 == whose, json.dumps(found, indent=1)
