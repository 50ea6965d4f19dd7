"""What Claude Code says of one call: its failure, or the file that it touched."""

import json
from typing import Any

import pytest

from learnt.core.sessions.turns import ToldCall
from learnt.formats.agents.dialects import reported_call
from learnt.formats.observations import parse, pointers

FAILURE: dict[str, Any] = {
    "session_id": "s1", "prompt_id": "p1", "hook_event_name": "PostToolUseFailure",
    "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "toolu_1",
    "error": "Exit code 3\noops", "is_interrupt": False, "duration_ms": 35,
}  # fmt: skip
EDIT = {"file_path": "/p/a.py", "old_string": "one", "new_string": "two"}


def told(event: str, **payload: Any) -> ToldCall | None:
    """What a report of these members tells."""
    return reported_call(event, parse(json.dumps(payload).encode()))  # type: ignore[arg-type]  # what JSON holds


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({}, "Exit code 3\noops"),
        ({"is_interrupt": True}, ""),
        ({"error": ""}, ""),
        ({"error": None}, ""),
        ({"error": {"a": 1}}, ""),
        ({"error": "x" * 1_000_000}, "x" * 1_000_000),
        ({"error": "half \ud800"}, "half ?"),
    ],
)
def test_a_failed_call_tells_its_error(more: dict[str, Any], error: str) -> None:
    """What a person interrupted tells nothing, nor does what is no text."""
    assert ToldCall(error=error) == told("PostToolUseFailure", **{**FAILURE, **more})


def test_a_call_that_touched_a_file_tells_which() -> None:
    """Of an edit also the texts; of other tools, and of other reports, there is nothing to tell."""
    assert ToldCall(path="/p/a.py", changed="one\ntwo") == told(
        "PostToolUse", tool_name="Edit", tool_input=EDIT
    )
    assert ToldCall(path="/p/a.py") == told(
        "PostToolUse", tool_name="Write", tool_input={"file_path": "/p/a.py", "content": "x"}
    )
    assert ToldCall() == told("PostToolUse", tool_name="Read", tool_input=["?"])
    assert told("PostToolUse", tool_name="Skill", tool_input={"skill": "a"}) is None
    assert told("PostToolBatch", **FAILURE) is None
    assert told("PostToolUse") is None
    assert ToldCall() == told("PostToolUseFailure")


def test_of_a_failed_call_no_text_is_kept() -> None:
    """An error is a name where a turn failed, and a result's text where a call did."""
    assert "error" not in str(pointers("PostToolUseFailure", FAILURE)["detail"])
    assert "error" not in str(pointers("Late", FAILURE)["detail"])
    ended: dict[str, object] = {"session_id": "s1", "error": "rate_limit"}
    assert {"error": "rate_limit"} == pointers("StopFailure", ended)["detail"]
