"""The real client and the project beside it, or a skip that says why."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.beside_client import Learnt
from tests.support.claude_code import ClaudeCode, find_client


@pytest.fixture
def client(tmp_path: Path) -> ClaudeCode:
    binary = find_client()
    if binary is None or not binary.exists():
        reason = "no Claude Code: set LEARNT_TEST_CLAUDE or install it into .tools"
        print(reason)  # noqa: T201  # a skip is easily overlooked
        pytest.skip(reason)
    return ClaudeCode(binary, tmp_path)


@pytest.fixture
def learnt(client: ClaudeCode) -> Iterator[Learnt]:
    learnt = Learnt(client)
    yield learnt
    learnt.stop()
