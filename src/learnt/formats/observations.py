"""What an agent's hook payload says, as pointers: ids, names, sizes, ok or failed; no contents.

Standard library only and no import of the package: a byte-for-byte copy of this file lies beside
the hook, which spools what the worker would have made of the same payload.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:
    from typing import Any

MOST_CALLS = 256
LONGEST_NAME = 256
LONGEST_PATH = 4_096

_FAILED = re.compile(
    r"\s*(?:Exit code [1-9]|<tool_use_error>|Error[ :]|File does not exist|\[Request interrupted)"
)
_SALVAGED = ("session_id", "prompt_id", "agent_id", "cwd", "transcript_path", "source", "reason")
_DETAILS = (
    "source", "reason", "command_name", "command_source", "expansion_type", "agent_type",
    "stop_hook_active", "permission_mode", "error", "tool_use_id",
)  # fmt: skip
_BEFORE = "PreToolUse"
_OF_A_CALL = "tool_name"  # where it stands, the error is a result's text, and no name of one


def parse(body: bytes) -> dict[str, object]:
    """The payload of a hook's standard input, whatever it is: what can't be read is salvaged.

    >>> parse(b'{"session_id": "s", "prompt": "cut o')
    {'unreadable': True, 'session_id': 's'}
    """
    text = body.decode("utf-8", "replace")
    value = lenient(text)
    if isinstance(value, dict):
        return value
    salvaged: dict[str, object] = {"unreadable": True}
    for name in _SALVAGED:
        match = re.search(rf'"{name}"\s*:\s*"((?:[^"\\]|\\.){{1,{LONGEST_PATH}}})"', text[:65_536])
        if match:
            salvaged[name] = _unescaped(match[1])
    return salvaged


def _unescaped(inner: str) -> str:
    """What the inside of a JSON string stands for; itself where it is no JSON."""
    value = lenient(f'"{inner}"')
    return value if isinstance(value, str) else inner


def storable(text: str) -> Any:
    """A JSON text's value without lone surrogates. Raises ValueError or RecursionError for none.

    >>> storable('{"a": "\\\\ud800"}')
    {'a': '?'}
    """
    value = json.loads(text)
    if "\\u" not in text:
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def lenient(text: str) -> Any:
    """A JSON text's `storable` value; None where the text is no JSON."""
    try:
        return storable(text)
    except (ValueError, RecursionError):
        return None


def name_of(payload: dict[str, object], key: str, longest: int = LONGEST_NAME) -> str:
    """A string member of the payload, cut to a sane length; empty where it is none.

    >>> name_of({"a": "x" * 9}, "a", 3), name_of({"a": 1}, "a")
    ('xxx', '')
    """
    value = payload.get(key)
    return value[:longest] if isinstance(value, str) else ""


def failed(shown: str) -> bool:
    """Whether a result says that its call failed.

    >>> failed("Exit code 2"), failed("fine")
    (True, False)
    """
    return _FAILED.match(shown) is not None


def _size(value: object) -> int:
    if value is None:
        return 0
    return len(value) if isinstance(value, str) else len(json.dumps(value, default=str))


# What reading a strange result may raise.
_ANY_TROUBLE = ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError
Evidence = Callable[[str, object, object], dict[str, object]]


def _call(call: object, evidence: Evidence | None) -> dict[str, object]:
    if not isinstance(call, dict):
        return {}
    response = call.get("tool_response")
    shown = response if isinstance(response, str) else ""
    tool_input = call.get("tool_input")
    pointer: dict[str, object] = {
        "tool": name_of(call, "tool_name"),
        "id": name_of(call, "tool_use_id"),
        "failed": failed(shown),
        "input": _size(tool_input),
        "output": _size(response),
    }
    if evidence is not None:
        try:
            pointer["evidence"] = evidence(name_of(call, "tool_name"), tool_input, response)
        except _ANY_TROUBLE:
            pointer["evidence"] = {}  # no result may cost the report that there was a call
    if skill := _skill(call):
        pointer["skill"] = skill
    return pointer


def _skill(call: dict[str, object]) -> str:
    """The skill that a call launches: where it is no tool of its own, the report says so."""
    given = call.get("tool_input")
    named = call.get("tool_name") == "Skill" and isinstance(given, dict)
    return name_of(call, "skill") or (name_of(given, "skill") if named else "")  # type: ignore[arg-type]  # it is a dict


def pointers(
    event: str, payload: dict[str, object], evidence: Evidence | None = None
) -> dict[str, object]:
    """The pointers of a payload; `evidence` says of a call's name, input and result how it went.

    >>> pointers("SessionStart", {"session_id": "s", "source": "startup"})["detail"]
    {'source': 'startup'}
    """
    detail: dict[str, object] = {}
    for key in _DETAILS:
        value = payload.get(key)
        if key == "error" and _OF_A_CALL in payload:
            continue
        if isinstance(value, bool):
            detail[key] = value
        elif isinstance(value, str):
            detail[key] = value[:LONGEST_NAME]
    if payload.get("hook_event_name") == _BEFORE and "tool_use_id" in detail:
        detail["tool_use_id"] = (
            f"before {detail['tool_use_id']}"  # what follows it has its own name
        )
    if skill := _skill(payload):
        detail["skill"] = skill
    calls = payload.get("tool_calls")
    if isinstance(calls, list):
        detail["calls"] = [_call(call, evidence) for call in calls[:MOST_CALLS]]
        if len(calls) > MOST_CALLS:
            detail["more"] = len(calls) - MOST_CALLS
    if payload.get("unreadable"):
        detail["unreadable"] = True
    return {
        "event": event,
        "session": name_of(payload, "session_id"),
        "subagent": name_of(payload, "agent_id"),
        "episode": name_of(payload, "prompt_id"),
        "cwd": name_of(payload, "cwd", LONGEST_PATH),
        "transcript": name_of(payload, "transcript_path", LONGEST_PATH)
        or name_of(payload, "agent_transcript_path", LONGEST_PATH),
        "detail": detail,
    }
