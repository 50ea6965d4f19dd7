"""Prompts of the MCP server: what a person may have their agent do."""

import re

import pytest
from mcp import MCPError

from learnt.surfaces.mcp_tools import TOOLS
from tests.support.homes import Home
from tests.support.mcp_client import served


def test_an_agent_is_asked_to_keep_what_a_session_taught(home: Home) -> None:
    """With tools that are there, and the deciding left to the person."""
    with served(home) as server:
        text = server.prompt("harvest")
        named = set(re.findall(r"`(\w+)`", text)) - {"revises"}
        assert {"propose", "propose_skill", "recall"} == named <= set(TOOLS)
        assert "`learnt review` in a terminal of their own" in text
        with pytest.raises(MCPError, match="There is no prompt other"):
            server.prompt("other")
