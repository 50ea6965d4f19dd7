"""Prompts of the MCP server: what a person may have their agent do."""

import re
from collections.abc import Iterator

import pytest
from mcp import MCPError

from learnt.surfaces.mcp_tools import TOOLS
from tests.support.homes import throwaway
from tests.support.mcp_client import Served, served_here


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with throwaway(tmp_path_factory.mktemp("home")) as home, served_here(home) as one:
        yield one


def test_an_agent_is_asked_to_keep_what_a_session_taught(server: Served) -> None:
    """With tools that are there, and the deciding left to the person."""
    text = server.prompt("harvest")
    named = set(re.findall(r"`(\w+)`", text)) - {"revises"}
    assert {"propose", "propose_skill", "recall", "remember"} == named <= set(TOOLS)
    assert "`learnt review` in a terminal of their own" in text


@pytest.mark.parametrize("name", ["other", "why", "o" * 1_000_000], ids=lambda name: name[:9])
def test_another_prompt_is_refused(server: Served, name: str) -> None:
    """With which there are; what was asked for is not repeated at length."""
    with pytest.raises(MCPError, match=r"There is no prompt .*: harvest") as raised:
        server.prompt(name)
    assert 200 > len(str(raised.value))
