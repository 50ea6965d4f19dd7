"""What agents' programs print when they are asked one question without a terminal."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from learnt.core.governance.model_calls import MICRO, Completion
from learnt.core.records import JsonObject, JsonValue, member, text_of
from learnt.formats.observations import lenient

# What colours a terminal, moves its cursor or sets its title.
_STEERING: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-_])"
)


class NoReply(ValueError):
    """What was printed holds no reply; the message says what it holds."""


def plain(printed: str) -> str:
    """What was printed, without what steers a terminal.

    >>> plain("\\x1b[1;31mred\\x1b[0m \\x1b]0;title\\x07text")
    'red text'
    """
    return _STEERING.sub("", printed)


def of_claude(printed: str) -> Completion:
    """The reply of `claude -p --output-format json`. Raises NoReply."""
    said = _last(printed, "result")
    usage = _object(said.get("usage"))
    cost = said.get("total_cost_usd")
    if said.get("is_error"):
        raise NoReply(text_of(said.get("result")) or "an error")
    return Completion(
        text_of(said.get("result")),
        said.get("stop_reason") == "max_tokens",
        sum(_number(count) for name, count in usage.items() if name.endswith("input_tokens")),
        _number(usage.get("output_tokens")),
        round(cost * MICRO) if isinstance(cost, int | float) and 0 <= cost < MICRO else None,
    )


def of_codex(printed: str) -> Completion:
    """The reply of `codex exec --json`. Raises NoReply."""
    text: str | None = None
    usage: JsonObject = {}
    trouble = ""
    for line in printed.splitlines():
        event = _object(lenient(line))
        item = _object(event.get("item"))
        if item.get("type") == "agent_message":
            text = text_of(item.get("text"))
        usage = _object(event.get("usage")) or usage
        if text_of(event.get("type")) in {"error", "turn.failed"}:
            error = event.get("error")
            trouble = text_of(event.get("message") or member(error, "message"))
    if text is None:
        raise NoReply(trouble or printed.strip() or "nothing")
    counted = (_number(usage.get(name)) for name in ("input_tokens", "output_tokens"))
    return Completion(text, False, *counted)


def of_gemini(printed: str) -> Completion:
    """The reply of `gemini -p -o json`. Raises NoReply."""
    said = _last(printed, "response")
    asked = _object(_object(said.get("stats")).get("models")).values()
    counts = [_object(_object(each).get("tokens")) for each in asked]
    sent = sum(_number(each.get("prompt")) for each in counts)
    total = sum(_number(each.get("total")) for each in counts)
    return Completion(text_of(said.get("response")), False, sent, max(0, total - sent))


READERS: Final[Mapping[str, Callable[[str], Completion]]] = {
    "claude": of_claude, "codex": of_codex, "gemini": of_gemini
}  # fmt: skip


def _last(printed: str, needed: str) -> JsonObject:
    """The JSON object that was printed, whatever warnings stand before it."""
    starts = [match.start() for match in re.finditer(r"^\{", printed, re.MULTILINE)]
    for start in reversed(starts[-50:]):
        found = _object(lenient(printed[start:].strip()))
        if needed in found:
            return found
        if found.get("error"):
            raise NoReply(text_of(member(found["error"], "message")) or "an error")
    raise NoReply(printed.strip() or "nothing")


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _number(value: JsonValue) -> int:
    return value if type(value) is int and value > 0 else 0
