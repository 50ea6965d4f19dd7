"""What an agent says of one tool call when it has failed, or has read or changed a file."""

from collections.abc import Mapping
from typing import Final

from learnt.core.records import JsonValue, member, text_of
from learnt.core.sessions.turns import ToldCall
from learnt.formats.agents.dialects import STEP
from learnt.formats.observations import failed

FAILED: Final = "PostToolUseFailure"
_DONE: Final = "PostToolUse"
TOUCHING: Final = ("Read", "Edit", "Write")  # the tools whose calls are told of for their files


def told_call(event: str, payload: Mapping[str, JsonValue]) -> ToldCall | None:
    """The call that a report tells of; None for any other report.

    One that a person interrupted tells nothing. A step of several calls tells of none: each of
    them was told of by itself.

    >>> told_call("PostToolUseFailure", {"error": "Exit code 1", "is_interrupt": True})
    ToldCall(error='', path='', changed='')
    >>> told_call("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/a"}}).path
    '/a'
    """
    alone = event == STEP and "tool_name" in payload  # by an agent that reports each call once
    if not alone and event not in {FAILED, _DONE}:
        return None
    if event == FAILED:
        stopped = payload.get("is_interrupt") is True
        return ToldCall(error="" if stopped else text_of(payload.get("error")))
    response = payload.get("tool_response")
    if alone and isinstance(response, str) and failed(response):
        return ToldCall(error=response)
    if payload.get("tool_name") not in TOUCHING:
        return None
    given = payload.get("tool_input")
    changed = (text_of(member(given, name)) for name in ("old_string", "new_string"))
    path = text_of(member(given, "file_path"))
    return ToldCall(path=path, changed="\n".join(filter(None, changed)))
