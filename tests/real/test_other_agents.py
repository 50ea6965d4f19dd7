"""The real Codex, Gemini CLI and opencode beside Claude Code: one memory for all of them.

What the model saw is looked up in the requests of the scripted model.
"""

import json
from pathlib import Path

import pytest

from tests.support.beside_client import APPROACH, PROBLEM, Learnt
from tests.support.claude_code import ClaudeCode
from tests.support.homes import skip
from tests.support.model_server import Turn, call, say
from tests.support.other_clients import Codex, GeminiCli, OpenCode, OtherClient

PROMPT = "The gradle build fails with unsupported class file major version 65, why is that?"
FAILING = "echo 'unsupported class file major version 65' >&2; exit 3"


@pytest.fixture
def learnt(tmp_path: Path) -> Learnt:
    """A home of Learnt, and the folder of a user who has whatever agents there are."""
    return Learnt(ClaudeCode(Path("claude"), tmp_path))


def client(kind: type[OtherClient], learnt: Learnt) -> OtherClient:
    """The real client beside the home, or a skip that says why."""
    binary = kind.find()
    if binary is None:
        skip(f"no {kind.program}: set LEARNT_TEST_{kind.program.upper()} or install it into .tools")
        raise AssertionError
    return kind(binary, learnt.client)


def last_episode(learnt: Learnt) -> dict[str, object]:
    found: dict[str, object] = learnt.json("status")["last_episodes"][0]
    return found


def test_loop() -> None: ...
