"""An agent's transcript, for what its hooks do not carry: interrupts, tokens, durations.

The form is Claude Code's; lines in the form of Codex or Gemini CLI are known by it, and told in
that of Claude Code first. A tolerant reader: a line that is cut off, binary or of an unknown kind
is passed over. What the client or Learnt put there (context, bodies of skills, output of local
commands) is no prompt.
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from learnt.core.records import JsonObject, JsonValue, member, text_of, whole
from learnt.core.sessions.turns import Made, SaidLine, Turn
from learnt.formats.agents import reports
from learnt.formats.agents.dialects import CLAUDE_CODE, CODEX, GEMINI_CLI
from learnt.formats.observations import lenient

_SPOKEN = re.compile(
    r'"type" ?: ?"'
    r'(?:user|assistant|gemini|event_msg|response_item|turn_context|token_usage_record)"'
)
_REQUESTED = re.compile(rb'"requestSessionId" ?: ?"([0-9A-Za-z-]{1,64})"')
INTERRUPTED: Final = "[Request interrupted by user"
_TOKENS: Final = (
    "input_tokens cache_creation_input_tokens cache_read_input_tokens output_tokens"
).split()
# How a prompt begins that the client made, where it has no mark that says so.
_MADE = re.compile(
    r"\s*(?:<(?:local-command|command|bash)-\w|<(?:system-reminder|task-notification|learnt|"
    r"cross-session-message|teammate-message|scheduled-task)\b|\[SYSTEM NOTIFICATION|"
    r"Caveat: [Tt]he messages below|This session is being continued|Stop hook feedback:)"
)
_MARKS: Final = "isMeta isCompactSummary isVisibleInTranscriptOnly hookText textNotTyped".split()
_OF_NOBODY: Final = frozenset(
    "scheduled task_notification auto_continuation peer host_synthetic system".split()
)
_TYPED = re.compile(r"<command-name>(/[^<]+)</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]*)</command-args>")


def records(lines: Iterable[str | bytes]) -> Iterator[tuple[int, JsonObject]]:
    """The records of a transcript that can be read, each with the number of its line, from 0."""
    rollout, chat = _Rollout(), _Chat()
    for number, line in enumerate(lines):
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        if not _SPOKEN.search(text):
            continue  # the client's own snapshots are most of its bytes
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        if "payload" in value:
            told: Iterable[JsonObject] = rollout.records(value)
        elif "message" not in value and "id" in value:
            told = chat.records(value)
        else:
            told = (value,)
        yield from ((number, record) for record in told)


def _main_thread(lines: Iterable[str | bytes]) -> Iterator[tuple[int, JsonObject]]:
    return (
        (line, record) for line, record in records(lines) if record.get("isSidechain") is not True
    )


def readable(lines: Iterable[str | bytes]) -> bool:
    """Whether there is any record of a conversation in it.

    >>> readable([b'{"type":"assistant"}']), readable([b'{"type":"human"}'])
    (True, False)
    """
    return next(records(lines), None) is not None


def turns(lines: Iterable[str | bytes]) -> list[Turn]:
    """The turns of the main thread, in order; what stands before the first prompt is no turn's."""
    begun: list[Turn] = []
    open_calls: dict[str, Made] = {}
    counted: set[str] = set()
    for number, record in _main_thread(lines):
        if record.get("type") == "user":
            _user(begun, open_calls, record, number)
        elif record.get("type") == "assistant" and begun:
            _assistant(begun[-1], open_calls, counted, record)
            begun[-1].last = number
    return begun


def laid_before(lines: Iterable[str | bytes]) -> list[str]:
    """The texts that the client put before its agent in the main thread, such as skills."""
    return [
        text_of(member(row, "text"))
        for _, record in _main_thread(lines)
        if record.get("type") == "user" and record.get("isMeta") is True
        for row in _parts(record)
    ]


def spoken(lines: Iterable[str | bytes], prompt: str = "") -> Iterator[SaidLine]:
    """What was said in the main thread, without tools' results, thoughts and what nobody typed.

    `prompt` is the id of the last prompt before these lines.
    """
    for number, record in _main_thread(lines):
        by_agent = record.get("type") == "assistant"
        if by_agent and member(record.get("message"), "model") == "<synthetic>":
            continue  # the client's own word
        rows = (row for row in _parts(record) if member(row, "type") == "text")
        texts = [text_of(member(row, "text")) for row in rows]
        if not by_agent:
            name = text_of(record.get("promptId"))
            told = (text for text in texts if not text.startswith(INTERRUPTED))
            texts = list(filter(None, (_typed_text(record, text) for text in told)))[:1]
            if not texts or (name and name == prompt):
                continue  # the same prompt's further parts, as in `turns`
            prompt = name
        if text := "\n".join(texts).strip():
            yield SaidLine(text, by_agent, _at(record), prompt, number)


def results(lines: Iterable[str | bytes]) -> dict[str, Made]:
    """The calls of these lines that have a result, by their ids, though no prompt is in sight."""
    open_calls: dict[str, Made] = {}
    done: dict[str, Made] = {}
    turn = Turn(prompt="")
    for _, record in records(lines):
        if record.get("type") == "assistant":
            _assistant(turn, open_calls, set(), record)
        for part in _parts(record):
            name = text_of(member(part, "tool_use_id"))
            if name in open_calls:
                call = done[name] = open_calls.pop(name)
                call.response = text_in(member(part, "content"))
    return done


def typed(prompt: str) -> bool:
    """Whether a prompt is one that somebody typed, by its words alone.

    >>> typed("why?"), typed("<task-notification>\\n<task-id>1</task-id>")
    (True, False)
    """
    return _MADE.match(prompt) is None


def _typed_by_marks(record: JsonObject) -> bool | None:
    """Whether somebody typed a user's record, by the client's own marks; None where it has none."""
    if any(record.get(mark) is True for mark in _MARKS):
        return False
    source, turn = record.get("promptSource"), record.get("turnOrigin")
    kind = member(record.get("origin"), "kind")
    if source is None and turn is None and kind is None:
        return None
    return source != "system" and turn not in _OF_NOBODY and kind in {None, "human"}


def resuming(session: str, path: str) -> str:
    """The command that goes on with a session, by the agent to which its transcript belongs.

    >>> resuming("7f1c3a52", "/u/.claude/projects/p/7f1c3a52.jsonl")
    'claude --resume 7f1c3a52'
    >>> resuming("a;b", "/u/.codex/sessions/2026/11/27/rollout-2026-11-27.jsonl")
    "codex resume 'a;b'"
    """
    *_, folder, name = ("", *path.split("/"))
    agent = CODEX if name.startswith("rollout-") else CLAUDE_CODE
    agent = GEMINI_CLI if folder == "chats" and name.startswith("session-") else agent
    return f"{agent.resume} {shlex.quote(session)}"


def forked_from(tail: bytes, session: str) -> str:
    """The session that a fork began from: its copied replies name it; empty where none does.

    >>> forked_from(b'{"type":"assistant","requestSessionId":"s1"}', "s2")
    's1'
    """
    names = (name.decode("ascii") for name in _REQUESTED.findall(tail))
    return next((name for name in names if name != session), "")


def interrupted(lines: Iterable[str | bytes], prompt: str) -> bool:
    """Whether its user stopped the turn of a prompt, though its beginning may be out of sight."""
    stopped, current = False, ""
    for _, record in _main_thread(lines):
        if record.get("type") != "user":
            continue
        texts = [text_of(member(part, "text")) for part in _parts(record)]
        name = text_of(record.get("promptId"))
        if any(text.startswith(INTERRUPTED) for text in texts):
            stopped = stopped or (name or current) in {"", prompt}
        elif any(_typed_text(record, text) for text in texts):
            current = name or current
    return stopped


def _at(record: JsonObject) -> int:
    try:
        return round(datetime.fromisoformat(text_of(record.get("timestamp"))).timestamp() * 1_000)
    except (ValueError, OverflowError):
        return 0


def _parts(record: JsonObject) -> list[JsonValue]:
    content = member(record.get("message"), "content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list) else []


def _user(begun: list[Turn], open_calls: dict[str, Made], record: JsonObject, number: int) -> None:
    at, turn = _at(record), begun[-1] if begun else None
    for part in _parts(record):
        if turn is not None and member(part, "type") == "tool_result":
            call = open_calls.pop(text_of(member(part, "tool_use_id")), None)
            if call is not None:
                call.response = text_in(member(part, "content"))
                call.failed = member(part, "is_error") is True
            turn.ended_ms, turn.last = max(turn.ended_ms, at), number
        text = text_of(member(part, "text")) if member(part, "type") == "text" else ""
        if turn is not None and text.startswith(INTERRUPTED):
            turn.interrupted = True
            continue
        if not (prompt := _typed_text(record, text)):
            continue
        name = text_of(record.get("promptId"))
        index = whole(member(record.get("turnPosition"), "turnIndex"))
        if turn is not None and name and (turn.id, turn.index) == (name, index or turn.index):
            continue  # the same prompt's further parts: a skill's body, a queued word
        turn = Turn(prompt=prompt, id=name, at_ms=at, ended_ms=at, index=index, line=number)
        turn.last = number
        turn.folder = text_of(record.get("cwd"))
        turn.session = text_of(record.get("sessionId"))
        begun.append(turn)


def _typed_text(record: JsonObject, text: str) -> str:
    """What was typed, of what stands in a user's record; empty where nobody typed it."""
    marked = _typed_by_marks(record)
    if marked is False:
        return ""
    if command := _TYPED.search(text):
        arguments = _ARGUMENTS.search(text)
        return f"{command[1]} {arguments[1] if arguments else ''}".strip()
    return text if text.strip() and (marked or typed(text)) else ""


def _assistant(
    turn: Turn, open_calls: dict[str, Made], counted: set[str], record: JsonObject
) -> None:
    turn.ended_ms = max(turn.ended_ms, _at(record))
    message = record.get("message")
    name = text_of(member(message, "id"))
    if name not in counted:  # one message may stand in several records
        counted.add(name)
        usage = member(message, "usage")
        turn.tokens += sum(whole(member(usage, key)) for key in _TOKENS)
    for part in _parts(record):
        if member(part, "type") == "tool_use":
            call = Made(
                tool=text_of(member(part, "name")),
                id=text_of(member(part, "id")),
                input=member(part, "input"),
            )
            turn.calls.append(call)
            open_calls[call.id] = call


def text_in(content: JsonValue) -> str:
    """The text of a content: a string, or rows that have one each.

    >>> text_in([{"text": "a"}, {"image": "x"}, {"text": "b"}])
    'a\\nb'
    """
    rows = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(filter(None, (text_of(member(row, "text")) for row in rows)))


def _message(line: JsonObject, who: str, *parts: JsonValue, **message: JsonValue) -> JsonObject:
    """A record at a line's time; a part that is a string is a text."""
    rows = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    stamp = line.get("timestamp")
    return {"type": who, "message": {"content": rows, **message}, "timestamp": stamp}


def _call(
    agent: str, name: JsonValue, tool: JsonValue, given: JsonValue, folder: str
) -> JsonObject:
    """A call, by Claude Code's names of the tool and its input."""
    call = reports.common_call(agent, tool, given, folder or None)
    named: JsonObject = {"name": call["tool_name"], "input": call["tool_input"]}  # type: ignore[dict-item]  # what JSON held
    return {"type": "tool_use", "id": name, **named}


def _result(name: JsonValue, told: object) -> JsonObject:
    """The result of a call, as `reports.result` tells it."""
    text = told if isinstance(told, str) else ""
    failed = text.startswith(("Exit code ", "Error: "))
    return {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": failed}


_CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


class _Rollout:
    """The records of a rollout of Codex, one after the other, in Claude Code's form."""

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
            found = iter([_message(line, "assistant", **usage)])
        elif kind == "event_msg":
            found = _of_event(line, told, sort)
        elif kind == "response_item":
            found = self._item(line, told, sort)
        yield from ({**each, "promptId": self._turn, "cwd": self._folder} for each in found)

    def _item(self, line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
        name = member(told, "call_id")
        if sort == "message" and member(told, "role") == "assistant":
            yield _message(line, "assistant", text_in(member(told, "content")))
        elif sort in _CALLS:
            given = member(told, "arguments") or member(told, "input") or member(told, "action")
            if isinstance(given, str) and sort == "function_call":
                read = lenient(given)
                given = given if read is None else read
            tool = text_of(member(told, "name")) or "local_shell"
            yield _message(line, "assistant", _call(CODEX.id, name, tool, given, self._folder))
        elif sort in _RESULTS:
            output = member(told, "output")
            inner = lenient(output) if isinstance(output, str) and output[:1] == "{" else None
            if isinstance(inner, dict) and "output" in inner:  # as older versions wrote it
                code = whole(member(inner.get("metadata"), "exit_code"))
                output = {"output": inner["output"], "exit": code}
            yield _message(line, "user", _result(name, reports.result(output)))


def _of_event(line: JsonObject, told: JsonValue, sort: str) -> Iterator[JsonObject]:
    item = member(told, "item")
    done = text_of(member(item, "type")) if sort == "item_completed" else ""
    if sort == "turn_aborted" and member(told, "reason") == "interrupted":
        yield _message(line, "user", "[Request interrupted by user]")
    elif sort == "user_message" or done == "UserMessage":
        typed = member(told, "message") if sort == "user_message" else member(item, "content")
        yield _message(line, "user", text_in(typed))
    elif done == "CommandExecution":
        output, code = text_of(member(item, "aggregated_output")), member(item, "exit_code")
        ended = reports.result({"output": output, "exit": code})
        yield _message(line, "user", _result(member(item, "id"), ended))


class _Chat:
    """The records of a chat file of Gemini CLI, one after the other, in Claude Code's form.

    A message is rewritten whenever it has grown: what was counted of it is not counted twice.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def records(self, line: JsonObject) -> Iterator[JsonObject]:
        """What a line of it says; nothing where that is of no use."""
        kind, name = line.get("type"), text_of(line.get("id"))
        if kind == "user":
            text = reports.without_context(text_in(line.get("content"))).strip()
            if text and self._is_new(name):
                yield _message(line, "user", text)
        elif kind == "gemini":
            yield from self._replied(line, name)

    def _replied(self, line: JsonObject, name: str) -> Iterator[JsonObject]:
        text = text_in(line.get("content"))
        if self._is_new(f"{name} {text}"):
            tokens = {"input_tokens": whole(member(line.get("tokens"), "total"))}
            yield _message(line, "assistant", *filter(None, [text]), id=name, usage=tokens)
        calls = line.get("toolCalls")
        for call in calls if isinstance(calls, list) else []:
            called, status = text_of(member(call, "id")), member(call, "status")
            if self._is_new(f"called {called}"):
                given = member(call, "name"), member(call, "args")
                yield _message(line, "assistant", _call(reports.GEMINI, called, *given, ""))
            ended = status in {"success", "error", "cancelled"}
            if ended and self._is_new(f"done {called}"):
                yield _message(line, "user", _result(called, _ended(call)))

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
