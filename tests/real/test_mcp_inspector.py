"""The MCP Inspector's command line against our server: a client that shares no code with it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from learnt.surfaces.mcp_server import PROMPTS, TEMPLATES
from learnt.surfaces.mcp_tools import TOOLS
from tests.support.homes import LEARNT, Home, skip

INSPECTOR = Path(__file__).parents[2] / ".tools" / "node_modules" / ".bin" / "mcp-inspector"
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"


@pytest.fixture(autouse=True)
def there() -> None:
    if not INSPECTOR.exists():
        skip("the MCP Inspector is not here: `make client` fetches it")


def inspected(home: Home, *words: str) -> tuple[int, dict[str, Any]]:
    """What the Inspector says of one request, and its exit code."""
    own = [str(LEARNT), "--home", str(home.path), "mcp", "--project", str(home.project)]
    return answered(home, *own, "--method", *words)


def answered(home: Home, *words: str) -> tuple[int, dict[str, Any]]:
    """What the Inspector says of a server, and its exit code."""
    done = subprocess.run(
        [str(INSPECTOR), "--cli", *words, "--connect-timeout", "60000"],
        env={"PATH": os.environ["PATH"], "HOME": str(home.folder / "user")},
        cwd=home.project, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def called(home: Home, tool: str, **given: str) -> tuple[int, dict[str, Any]]:
    """The same of a call."""
    told = [word for name, value in given.items() for word in ("--tool-arg", f"{name}={value}")]
    return inspected(home, "tools/call", "--tool-name", tool, *told)


@pytest.mark.slow
def test_the_inspector_lists_the_tools(home: Home) -> None:
    """All of them, each with a schema for what it takes and for what it gives."""
    code, said = inspected(home, "tools/list")
    assert 0 == code
    assert {tool["name"] for tool in said["tools"]} == {*TOOLS}
    assert all(tool["inputSchema"] and tool["outputSchema"] for tool in said["tools"])


@pytest.mark.slow
def test_the_inspector_calls_them(home: Home) -> None:
    """What it proposes is there for the next process that it starts."""
    code, said = called(home, "propose", text=ROOM, kind="schema", entities='["t_room"]')
    assert (0, "admit") == (code, said["structuredContent"]["verdict"])
    code, found = called(home, "recall", query="t_room rooms", limit="3")
    (entry,) = found["structuredContent"]["entries"]
    assert (0, said["structuredContent"]["id"][-5:]) == (code, entry["handle"])
    assert ROOM == entry["text"]


@pytest.mark.slow
def test_the_inspector_reads_what_else_there_is(home: Home) -> None:
    """Templates, and the prompt."""
    _, said = inspected(home, "resources/templates/list")
    assert [uri for _, uri, _, _ in TEMPLATES] == [
        each["uriTemplate"] for each in said["resourceTemplates"]
    ]
    _, said = inspected(home, "prompts/list")
    assert [*PROMPTS] == [prompt["name"] for prompt in said["prompts"]]
    asked = ("--prompt-name", "harvest")
    assert "propose_skill" in str(inspected(home, "prompts/get", *asked)[1]["messages"])
