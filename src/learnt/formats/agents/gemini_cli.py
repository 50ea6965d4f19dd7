"""Gemini CLI: hooks in Claude Code's form under names of its own, and a chat file of patches."""

from collections.abc import Iterator
from typing import Final

from learnt.core.records import JsonObject, JsonValue, member, text_of, whole
from learnt.formats.agents import reports
from learnt.formats.agents.dialects import PROMPT, STEP, Dialect, Sees, same
from learnt.formats.agents.records import result, said, text_in, use

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
    reads=frozenset({"odd bytes", "odd members", "comments"}),
    switches=(("hooksConfig.enabled", False),),
    marks={"name": "Learnt"},  # which it shows behind a line, in place of the command
    timeout=5_000,
    servers="settings.json",
    policy="policies/learnt.toml",
    tool="mcp_learnt_{}",
    resume="gemini --resume",
    sees=Sees(
        start="part: after `/clear` beside the next prompt; it tells of no compaction, so nothing "
        "is shown again after one",
        act="no: its hook before a call can stop or change the call, and put nothing beside it",
    ),
    deaf=frozenset({"clear"}),
)


class Chat:
    """The records of a chat file, one after the other, in the form of Claude Code's transcript.

    A message is rewritten whenever it has grown: what was told of it is not told twice.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def records(self, line: JsonObject) -> Iterator[JsonObject]:
        """What a line of it says; nothing where that is of no use."""
        kind, name = line.get("type"), text_of(line.get("id"))
        if kind == "user":
            text = reports.without_context(text_in(line.get("content"))).strip()
            if text and self._is_new(name):
                yield said(line, "user", text)
        elif kind == "gemini":
            yield from self._replied(line, name)

    def _replied(self, line: JsonObject, name: str) -> Iterator[JsonObject]:
        text = text_in(line.get("content"))
        if self._is_new(f"{name} {text}"):
            tokens = {"input_tokens": whole(member(line.get("tokens"), "total"))}
            yield said(line, "assistant", *filter(None, [text]), id=name, usage=tokens)
        calls = line.get("toolCalls")
        for call in calls if isinstance(calls, list) else []:
            called, status = text_of(member(call, "id")), member(call, "status")
            if self._is_new(f"called {called}"):
                given = member(call, "name"), member(call, "args")
                yield said(line, "assistant", use(reports.GEMINI, called, *given, ""))
            ended = status in {"success", "error", "cancelled"}
            if ended and self._is_new(f"done {called}"):
                yield said(line, "user", result(called, _ended(call)))

    def _is_new(self, what: str) -> bool:
        new = what not in self._told
        self._told.add(what)
        return new


def _ended(call: JsonValue) -> object:
    """How a call ended: what it answered, without what hooks put behind it."""
    rows = member(call, "result")
    row = rows[0] if isinstance(rows, list) and rows else None
    answer = member(member(row, "functionResponse"), "response")
    output = reports.without_context(text_of(member(answer, "output"))).strip()
    failed = member(call, "status") != "success"
    return reports.result(
        output, (text_of(member(answer, "error")) or "failed") if failed else None
    )
