"""Sessions as Claude Code writes them down, made from short accounts of what happened."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from learnt.formats.wire import Frame

START_MS = 1_772_000_000_000
VERSION = "2.1.330"


def session_lines(
    turns: Sequence[Mapping[str, Any]],
    session: str,
    *,
    folder: str,
    entrypoint: str = "cli",
    began_ms: int = 0,
) -> list[str]:
    """The records of a session, one a line.

    A turn is a mapping of `prompt` and `steps`, each `{say}` or `{tool, input, result, failed}`;
    its prompt's id is `SESSION-p0` and so on, a call's `SESSION-0-0`. A launched skill's step has
    its text as `laid`, which the client puts before its agent. Without a beginning its name tells
    when it was.
    """
    began_ms = began_ms or START_MS + 1_000 * (zlib.crc32(session.encode()) % 10_000_000)
    return list(_lines(turns, session, folder, entrypoint, began_ms))


def _lines(
    turns: Sequence[Mapping[str, Any]], session: str, folder: str, entrypoint: str, clock: int
) -> Iterator[str]:

    def record(kind: str, **more: Any) -> str:
        nonlocal clock
        clock += 1_000
        at = f"{_moment(clock)}Z"
        common = {"isSidechain": False, "type": kind, "timestamp": at, "userType": "external"}
        where = {"entrypoint": entrypoint, "cwd": folder, "sessionId": session, "version": VERSION}
        return json.dumps({**common, **where, **more}, ensure_ascii=False)

    yield json.dumps({"type": "queue-operation", "operation": "enqueue", "sessionId": session})
    for number, turn in enumerate(turns):
        prompt = f"{session}-p{number}"
        content = turn["prompt"]
        yield record("user", promptId=prompt, message={"role": "user", "content": content})
        for place, step in enumerate(turn["steps"]):
            if "say" in step:
                yield record("assistant", message=_said([{"type": "text", "text": step["say"]}]))
                continue
            name = call_id(session, number, place)
            use = {"type": "tool_use", "name": step["tool"], "input": step["input"], "id": name}
            yield record("assistant", message=_said([use]))
            result = {
                "type": "tool_result",
                "tool_use_id": name,
                "content": shown(step),
                "is_error": bool(step["failed"]),
            }
            yield record("user", promptId=prompt, message={"role": "user", "content": [result]})
            if "laid" in step:
                laid = {"role": "user", "content": [{"type": "text", "text": step["laid"]}]}
                yield record("user", promptId=prompt, isMeta=True, message=laid)


def shown(step: Mapping[str, Any]) -> str:
    """A step's result as the client shows it to the model."""
    failed = step["failed"] and step["tool"] == "Bash"
    return f"Exit code 1\n{step['result']}" if failed else str(step["result"])


def _said(content: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "m", "role": "assistant", "content": content, "usage": {"output_tokens": 5}}


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000")


@dataclass(frozen=True, kw_only=True)
class Reports:
    """What Claude Code's hooks report of one session, a frame at a time."""

    session: str
    folder: str
    transcript: str
    attended: bool = True

    def began(self) -> Frame:
        """The session starts."""
        return self._frame("SessionStart", source="startup")

    def asked(self, number: int, prompt: str) -> Frame:
        """A prompt was typed."""
        return self._frame("UserPromptSubmit", prompt=prompt, prompt_id=self._prompt(number))

    def expanded(self, number: int, prompt: str) -> Frame:
        """A slash command was typed, and becomes what its file says."""
        name, _, words = prompt.removeprefix("/").partition(" ")
        command = {"command_name": name, "command_args": words, "command_source": "userSettings"}
        return self._frame(
            "UserPromptExpansion",
            expansion_type="slash_command",
            prompt=prompt,
            prompt_id=self._prompt(number),
            **command,
        )

    def calling(self, number: int, place: int, step: Mapping[str, Any]) -> Frame:
        """A tool is about to be called."""
        return self._frame(
            "PreToolUse",
            tool_name=step["tool"],
            tool_input=step["input"],
            tool_use_id=call_id(self.session, number, place),
            prompt_id=self._prompt(number),
        )

    def called(self, number: int, place: int, step: Mapping[str, Any]) -> Frame:
        """A tool was called, and answered."""
        call = {
            "tool_name": step["tool"],
            "tool_input": step["input"],
            "tool_use_id": call_id(self.session, number, place),
            "tool_response": shown(step),
        }
        return self._frame("PostToolBatch", tool_calls=[call], prompt_id=self._prompt(number))

    def stopped(self, number: int) -> Frame:
        """The agent is done with a prompt."""
        return self._frame("Stop", prompt_id=self._prompt(number))

    def ended(self) -> Frame:
        """The session is over."""
        return self._frame("SessionEnd", reason="other")

    def _prompt(self, number: int) -> str:
        return f"{self.session}-p{number}"

    def _frame(self, event: str, **payload: Any) -> Frame:
        common = {"session_id": self.session, "transcript_path": self.transcript}
        told = {**common, "cwd": self.folder, "hook_event_name": event, **payload}
        body = json.dumps(told).encode()
        environment = {
            "CLAUDE_CODE_ENTRYPOINT": "cli" if self.attended else "sdk-cli",
            "CLAUDE_CODE_SESSION_ATTENDED": str(int(self.attended)),
            "CLAUDE_PROJECT_DIR": self.folder,
            "CLAUDE_PID": "7",
        }
        return Frame(
            event=event, agent="claude-code", environment=environment, body=body, size=len(body)
        )


def call_id(session: str, turn: int, place: int) -> str:
    """The id of a tool call, by its turn and its place in it."""
    return f"{session}-{turn}-{place}"


def session_frames(
    turns: Sequence[Mapping[str, Any]],
    session: str,
    *,
    folder: str,
    transcript: str,
    attended: bool = True,
) -> Iterator[Frame]:
    """What Claude Code's hooks report of the same session."""
    reports = Reports(session=session, folder=folder, transcript=transcript, attended=attended)
    yield reports.began()
    for number, turn in enumerate(turns):
        yield reports.asked(number, turn["prompt"])
        if turn["prompt"].startswith("/"):
            yield reports.expanded(number, turn["prompt"])
        for place, step in enumerate(turn["steps"]):
            if "tool" in step:
                yield reports.called(number, place, step)
        yield reports.stopped(number)
    yield reports.ended()
