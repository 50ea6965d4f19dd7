"""Gemini CLI: hooks in Claude Code's form under names of its own, and a chat file of patches."""

from collections.abc import Iterator
from typing import Final

from learnt.core.json_values import JsonObject, JsonValue, member, text_of, whole
from learnt.formats.agents import reports
from learnt.formats.agents.dialects import PROMPT, STEP, Dialect, Sees, same

GEMINI_CLI: Final = Dialect(
    name="gemini",
    id=reports.GEMINI,
    title="Gemini CLI",
    tried="0.61.0",
    folder=".gemini",
    in_project=".gemini",
    variable="",
    settings="settings.json",
    # PreCompress comes before every request: it tells of no compaction.
    events={
        **same("SessionStart", "SessionEnd"),
        PROMPT: ("BeforeAgent",),
        STEP: ("AfterTool",),
        "Stop": ("AfterAgent",),
    },
    timeout=5_000,
    resume="gemini --resume",
    sees=Sees(),
)


class Chat:
    """The records of a chat file, one after the other, in the form of Claude Code's transcript.

    A message is written again whenever it has grown: what was told of it is not told twice.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def records(self, line: JsonObject) -> Iterator[JsonObject]:
        """What a line of it says; nothing where that is of no use."""
        kind, name = line.get("type"), text_of(line.get("id"))
        if kind == "user":
            text = reports.without_context(_text(line.get("content"))).strip()
            if text and self._is_new(name):
                yield _said(line, "user", [{"type": "text", "text": text}])
        elif kind == "gemini":
            yield from self._replied(line, name)

    def _replied(self, line: JsonObject, name: str) -> Iterator[JsonObject]:
        text = _text(line.get("content"))
        tokens = whole(member(line.get("tokens"), "total"))
        if self._is_new(f"{name} {text}"):
            message: JsonObject = {"id": name, "usage": {"input_tokens": tokens}}
            parts: list[JsonValue] = [{"type": "text", "text": text}] if text else []
            yield _said(line, "assistant", parts, message)
        calls = line.get("toolCalls")
        for call in calls if isinstance(calls, list) else []:
            call_name, status = text_of(member(call, "id")), member(call, "status")
            if self._is_new(f"called {call_name}"):
                yield _said(line, "assistant", [_use(call, call_name)])
            if status in {"success", "error", "cancelled"} and self._is_new(f"done {call_name}"):
                yield _said(line, "user", [_result(call, call_name)])

    def _is_new(self, what: str) -> bool:
        new = what not in self._told
        self._told.add(what)
        return new


def _use(call: JsonValue, name: str) -> JsonObject:
    tool = reports.told_call_of(reports.GEMINI, member(call, "name"), member(call, "args"), None)
    return {
        "type": "tool_use", "id": name,
        "name": tool["tool_name"], "input": tool["tool_input"],  # type: ignore[dict-item]  # what JSON held
    }  # fmt: skip


def _result(call: JsonValue, name: str) -> JsonObject:
    rows = member(call, "result")
    answers = [
        member(member(row, "functionResponse"), "response")
        for row in (rows if isinstance(rows, list) else [])
    ]
    answer = answers[0] if answers else None
    output = reports.without_context(text_of(member(answer, "output"))).strip()
    failed = member(call, "status") != "success"
    error = (text_of(member(answer, "error")) or "failed") if failed else None
    told = reports.result(output, error)
    text = told if isinstance(told, str) else ""
    failed = failed or text.startswith("Exit code ")
    return {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": failed}


def _text(content: JsonValue) -> str:
    rows = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(filter(None, (text_of(member(row, "text")) for row in rows)))


def _said(
    line: JsonObject, who: str, parts: list[JsonValue], more: JsonObject | None = None
) -> JsonObject:
    message = {"content": parts, **(more or {})}
    return {"type": who, "message": message, "timestamp": line.get("timestamp")}
