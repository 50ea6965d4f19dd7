"""Codex: hooks in Claude Code's form, and a rollout that tells how its commands came out."""

import json
from collections.abc import Iterator
from typing import Final

from learnt.core.json_values import JsonObject, JsonValue, member, text_of, whole
from learnt.formats.agents import reports
from learnt.formats.agents.dialects import STARTS, STEP, Dialect, Sees, same

CODEX: Final = Dialect(
    name="codex",
    id=reports.CODEX,
    title="Codex",
    tried="0.171.0",
    folder=".codex",
    in_project=".codex",
    variable="CODEX_HOME",
    settings="hooks.json",
    events={
        **same("UserPromptSubmit", "Stop", "SessionEnd"),
        STARTS: (STARTS, "PostCompact"),
        STEP: ("PostToolUse",),
    },
    timeout=3,  # more it cuts, and says so at each start
    resume="codex resume",
    sees=Sees(
        failure="yes: the exit code is read from the session's rollout",
        file="part: a file that it edits; it reads files by shell commands",
        outcomes="yes: from the session's rollout",
        skills="yes: by the command that reads SKILL.md",
    ),
    todo="Codex runs a hook only once you trust it: start `codex`, type /hooks, and trust those "
    "that name learnt_hook. Until then it skips them without a word.",
)
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


class Rollout:
    """The records of a rollout, one after the other, in the form of Claude Code's transcript."""

    def __init__(self) -> None:
        self._turn = self._folder = ""

    def records(self, line: JsonObject) -> Iterator[JsonObject]:
        """What a line of it says; nothing where that is of no use."""
        told = line.get("payload")
        kind, sort = text_of(line.get("type")), text_of(member(told, "type"))
        self._turn = text_of(member(told, "turn_id")) or self._turn
        if kind == "turn_context":
            self._folder = text_of(member(told, "cwd")) or self._folder
        elif kind == "token_usage_record":
            message = {"id": member(told, "response_id"), "usage": member(told, "usage")}
            yield self._said(line, "assistant", [], message)
        elif kind == "event_msg":
            yield from self._event(line, told, sort)
        elif kind == "response_item":
            yield from self._item(line, told, sort)

    def _event(self, line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
        item = member(told, "item")
        done = text_of(member(item, "type")) if sort == "item_completed" else ""
        if sort == "turn_aborted" and member(told, "reason") == "interrupted":
            yield self._said(line, "user", [_plain("[Request interrupted by user]")])
        elif sort == "user_message" or done == "UserMessage":
            said = member(told, "message") if sort == "user_message" else member(item, "content")
            yield self._said(line, "user", [_plain(_text(said))])
        elif done == "CommandExecution":
            output, code = text_of(member(item, "aggregated_output")), member(item, "exit_code")
            told_of = reports.result({"output": output, "exit": code})
            yield self._said(line, "user", [_result(member(item, "id"), told_of)])

    def _item(self, line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
        name = member(told, "call_id")
        if sort == "message" and member(told, "role") == "assistant":
            yield self._said(line, "assistant", [_plain(_text(member(told, "content")))])
        elif sort in _CALLS:
            given = member(told, "arguments") or member(told, "input") or member(told, "action")
            if isinstance(given, str) and sort == "function_call":
                given = _json(given)
            tool = text_of(member(told, "name")) or "local_shell"
            call = reports.told_call_of(CODEX.id, tool, given, self._folder)
            use: JsonObject = {
                "type": "tool_use", "id": name,
                "name": call["tool_name"], "input": call["tool_input"],  # type: ignore[dict-item]  # what JSON held
            }  # fmt: skip
            yield self._said(line, "assistant", [use])
        elif sort in _RESULTS:
            output = member(told, "output")
            inner = _json(output) if isinstance(output, str) and output[:1] == "{" else None
            if (code := whole(member(member(inner, "metadata"), "exit_code"))) or inner:
                output = {"output": member(inner, "output"), "exit": code}
            yield self._said(line, "user", [_result(name, reports.result(output))])

    def _said(
        self, line: JsonObject, who: str, parts: list[JsonValue], more: JsonObject | None = None
    ) -> JsonObject:
        message = {"content": parts, **(more or {})}
        return {
            "type": who, "message": message, "timestamp": line.get("timestamp"),
            "promptId": self._turn, "cwd": self._folder,
        }  # fmt: skip


def _plain(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _result(name: JsonValue, told: object) -> JsonObject:
    text = told if isinstance(told, str) else ""
    failed = text.startswith(("Exit code ", "Error: "))
    return {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": failed}


def _text(content: JsonValue) -> str:
    rows = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(filter(None, (text_of(member(row, "text")) for row in rows)))


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
