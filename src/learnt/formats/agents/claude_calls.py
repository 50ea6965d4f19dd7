"""What Claude Code says of one tool call when it has failed, or has read or changed a file."""

from typing import Final

from learnt.core.json_values import member, text_of
from learnt.core.sessions.told_calls import ToldCall
from learnt.formats.observations import lenient

FAILED: Final = "PostToolUseFailure"
_DONE: Final = "PostToolUse"
TOUCHING: Final = ("Read", "Edit", "Write")  # the tools whose calls are told of for their files


def told_call(event: str, body: bytes) -> ToldCall | None:
    """The call that a report tells of; None for any other report.

    One that a person interrupted tells nothing.

    >>> told_call("PostToolUseFailure", b'{"error": "Exit code 1", "is_interrupt": true}')
    ToldCall(error='', path='', changed='')
    >>> told_call("PostToolUse", b'{"tool_name": "Read", "tool_input": {"file_path": "/a"}}').path
    '/a'
    """
    if event not in {FAILED, _DONE}:
        return None
    payload = lenient(body.decode("utf-8", "replace"))
    if event == FAILED:
        stopped = member(payload, "is_interrupt") is True
        return ToldCall(error="" if stopped else text_of(member(payload, "error")))
    if member(payload, "tool_name") not in TOUCHING:
        return None
    given = member(payload, "tool_input")
    changed = (text_of(member(given, name)) for name in ("old_string", "new_string"))
    path = text_of(member(given, "file_path"))
    return ToldCall(path=path, changed="\n".join(filter(None, changed)))
