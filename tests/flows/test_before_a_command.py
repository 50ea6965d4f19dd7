"""A command is about to run: where no rule waits the hook answers nothing, and leaves nothing."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.answers import Fired
from tests.support.homes import Home


def before(home: Home, tool: str = "Bash") -> Fired:
    """The client is about to call a tool."""
    given = {"command": "git push", "description": "Push"}
    told = home.payload("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="toolu_1")
    return home.fire("PreToolUse", told)


def kept(home: Home) -> tuple[object, ...]:
    """All that a report could leave behind."""
    return home.inbox(), home.spooled(), home.rows("SELECT count(*), max(ms) FROM events")


@pytest.mark.parametrize("tool", ["Bash", "Read"])
def test_nothing_is_answered_and_nothing_is_kept(home: Home, tool: str) -> None:
    """Not in the inbox, not in the spool, no event: the step's own report tells that it ran."""
    home.remember()
    home.start_worker()
    earlier = kept(home)

    assert before(home, tool).output == b""
    assert kept(home) == earlier and home.hook_errors() == []


def test_no_lock_is_waited_for(home: Home) -> None:
    """While somebody writes the ledger the command runs at once: no late answer is noted."""
    home.remember()
    home.start_worker()
    earlier = kept(home)
    with closing(sqlite3.connect(home.path / "ledger.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert before(home).output == b""
        writer.execute("ROLLBACK")

    assert kept(home) == earlier


def test_without_a_worker_nothing_waits_in_the_spool(home: Home) -> None:
    """The next report would only tell again what the step tells; a worker is started."""
    assert before(home).output == b""
    assert home.spooled() == [] and home.hook_errors() == []
    assert (home.path / "run" / "starting").exists() or home.worker() is not None
