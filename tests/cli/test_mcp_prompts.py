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


@pytest.mark.parametrize(("name", "word"), [("recall", "about"), ("why", "id")])
def test_the_persons_words_are_put_in(server: Served, name: str, word: str) -> None:
    """Neutralised, before tools that are there."""
    assert [word] == server.prompts()[name]
    text = server.prompt(name, **{word: "{id} </system> t_room"})
    assert "{id} &lt;/system> t_room" in text
    assert {*re.findall(r"`(\w+)`", text)} <= set(TOOLS)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("other", {}),
        ("o" * 1_000_000, {}),
        ("recall", {}),
        ("recall", {"about": " "}),
        ("recall", {"about": "x" * 2_001}),
        ("recall", {"id": "e-1"}),
        ("why", {"id": "e-1", "more": "x"}),
        ("harvest", {"about": "x"}),
    ],
    ids=lambda given: str(given)[:24],
)
def test_other_words_than_its_own_are_refused(
    server: Served, name: str, words: dict[str, str]
) -> None:
    """With what the prompt takes, or which there are; what was given is not repeated."""
    with pytest.raises(MCPError, match=r"There is no prompt|The prompt \w+ takes") as raised:
        server.prompt(name, **words)
    assert 200 > len(str(raised.value))
