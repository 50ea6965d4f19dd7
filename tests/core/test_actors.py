"""Who acts, by what the process can see."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from learnt.core.events import Actor, Origin
from learnt.core.governance.actors import (
    AGENT_MARKERS,
    at_terminal,
    doubt,
    in_hook,
    origin_of_prompt,
)
from learnt.core.marked import LONG_PASTE
from learnt.core.sessions.observations import Observation

DATA = Path(__file__).parents[1] / "data" / "claude_code"
RECORDED: Mapping[str, Mapping[str, str]] = json.loads((DATA / "environment.json").read_text())


@pytest.mark.parametrize(("how", "expected"), [("interactive", "human"), ("headless", "agent")])
def test_the_recorded_client_tells_who_types(how: str, expected: str) -> None:
    """In a hook the agent's own flags decide: a person, or a program that drives it."""
    assert expected == in_hook(RECORDED[how])
    assert expected == Observation(id="1", ms=1, event="Stop", environment=RECORDED[how]).actor


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Actor.AGENT),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, Actor.HUMAN),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}, Actor.AGENT),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": ""}, Actor.AGENT),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}, Actor.HUMAN),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_CODE_SESSION_ATTENDED": "1"}, Actor.AGENT),
        ({"CLAUDE_CODE_SESSION_ATTENDED": "1"}, Actor.AGENT),
    ],
)
def test_a_hook_needs_both_flags(environment: dict[str, str], expected: Actor) -> None:
    """An interactive entry point, and nothing that says nobody attends."""
    assert expected is in_hook(environment)


def test_a_terminal_alone_is_a_person() -> None:
    """Without an agent's marker whoever sits at a terminal is a human; a pipe is an agent."""
    assert Actor.HUMAN is at_terminal({"TERM": "xterm"}, {"input": True, "output": True})
    assert Actor.AGENT is at_terminal({"TERM": "xterm"}, {"input": True, "output": False})
    assert "its input and output are no terminals" == doubt({}, {"input": False, "output": False})


@pytest.mark.parametrize("marker", AGENT_MARKERS)
def test_an_agents_marker_outweighs_the_terminal(marker: str) -> None:
    """Agents run commands on pseudo-terminals too; the marker is named."""
    assert f"an agent set {marker}" == doubt({marker: "1"}, {"input": False})
    assert Actor.AGENT is at_terminal({marker: "1"}, {"input": True})
    assert Actor.HUMAN is at_terminal({marker: ""}, {"input": True})


@pytest.mark.parametrize("actor", Actor)
def test_only_a_persons_own_words_are_theirs(actor: Actor) -> None:
    """A headless prompt may hold anybody's text."""
    expected = Origin.USER if actor is Actor.HUMAN else Origin.MIXED

    assert expected is origin_of_prompt(actor, "why?")


def test_a_long_paste_is_nobodys_own_words() -> None:
    """What is longer than anybody types was copied from somewhere."""
    assert 4_000 == LONG_PASTE
    assert Origin.USER is origin_of_prompt(Actor.HUMAN, "x" * 4_000)
    assert Origin.MIXED is origin_of_prompt(Actor.HUMAN, "x" * 4_001)
