"""Codex: hooks in Claude Code's form, and a rollout that tells how its commands came out."""

from collections.abc import Iterator
from typing import Final

from learnt.core.records import JsonObject, JsonValue, member, text_of, whole
from learnt.formats.agents import reports
from learnt.formats.agents.dialects import ACT, STARTS, STEP, Dialect, Sees, same
from learnt.formats.agents.records import result, said, text_in, use
from learnt.formats.observations import lenient

CODEX: Final = Dialect(
    name="codex",
    id=reports.CODEX,
    title="Codex",
    tried="0.171.0",
    folder=".codex",
    in_project=".codex",
    variable="CODEX_HOME",
    settings="hooks.json",
    events={**same(STARTS, "UserPromptSubmit", ACT, "Stop", "SessionEnd"), STEP: ("PostToolUse",)},
    switches=(("features.codex_hooks", False), ("features.hooks", False)),
    timeout=3,  # more it cuts, and says so at each start
    servers="config.toml",
    servers_key="mcp_servers",
    tool="{}",
    call_id="callId",
    resume="codex resume",
    deaf=frozenset({""}),  # its PostCompact, which was registered once, takes no text
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
        found: Iterator[JsonObject] = iter(())
        if kind == "turn_context":
            self._folder = text_of(member(told, "cwd")) or self._folder
        elif kind == "token_usage_record":
            usage = {"id": member(told, "response_id"), "usage": member(told, "usage")}
            found = iter([said(line, "assistant", **usage)])
        elif kind == "event_msg":
            found = _event(line, told, sort)
        elif kind == "response_item":
            found = self._item(line, told, sort)
        yield from ({**each, "promptId": self._turn, "cwd": self._folder} for each in found)

    def _item(self, line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
        name = member(told, "call_id")
        if sort == "message" and member(told, "role") == "assistant":
            yield said(line, "assistant", text_in(member(told, "content")))
        elif sort in _CALLS:
            given = member(told, "arguments") or member(told, "input") or member(told, "action")
            if isinstance(given, str) and sort == "function_call":
                read = lenient(given)
                given = given if read is None else read
            tool = text_of(member(told, "name")) or "local_shell"
            yield said(line, "assistant", use(CODEX.id, name, tool, given, self._folder))
        elif sort in _RESULTS:
            output = member(told, "output")
            inner = lenient(output) if isinstance(output, str) and output[:1] == "{" else None
            if isinstance(inner, dict) and "output" in inner:  # as older versions wrote it
                code = whole(member(inner.get("metadata"), "exit_code"))
                output = {"output": inner["output"], "exit": code}
            yield said(line, "user", result(name, reports.result(output)))


def _event(line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
    item = member(told, "item")
    done = text_of(member(item, "type")) if sort == "item_completed" else ""
    if sort == "turn_aborted" and member(told, "reason") == "interrupted":
        yield said(line, "user", "[Request interrupted by user]")
    elif sort == "user_message" or done == "UserMessage":
        typed = member(told, "message") if sort == "user_message" else member(item, "content")
        yield said(line, "user", text_in(typed))
    elif done == "CommandExecution":
        output, code = text_of(member(item, "aggregated_output")), member(item, "exit_code")
        ended = reports.result({"output": output, "exit": code})
        yield said(line, "user", result(member(item, "id"), ended))
