"""Claude Code's transcripts: turns, their calls, and what no hook tells."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.events import Actor
from learnt.core.sessions.observations import Observation
from learnt.formats.agents.transcripts import interrupted, spoken, turns, typed

DATA = Path(__file__).parents[1] / "data" / "claude_code"
AT = "2026-11-22T10:00:{:02d}.000Z"


def user(text: str, second: int, prompt: str = "", **more: Any) -> bytes:
    content = {"role": "user", "content": text}
    return line(type="user", message=content, timestamp=AT.format(second), promptId=prompt, **more)


def line(**record: Any) -> bytes:
    return json.dumps(record).encode()


def assistant(second: int, *parts: dict[str, Any], name: str = "m", tokens: int = 5) -> bytes:
    usage = {"input_tokens": tokens, "output_tokens": tokens}
    message = {"id": name, "role": "assistant", "content": list(parts), "usage": usage}
    return line(type="assistant", message=message, timestamp=AT.format(second))


def result(call: str, content: Any, second: int, *, error: bool = False) -> bytes:
    part = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}
    message = {"role": "user", "content": [part]}
    return line(type="user", message=message, timestamp=AT.format(second))


CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}
TEXT = {"type": "text", "text": "Done."}


def test_a_turn_holds_its_calls_times_and_tokens() -> None:
    """A message in two records is counted once."""
    found = turns([
        user("build it", 0, "p1"),
        assistant(1, CALL, name="m1"),
        assistant(2, TEXT, name="m1"),
        result("t1", [{"type": "text", "text": "Exit code 2"}], 5, error=True),
        assistant(7, TEXT, name="m2"),
        user("next", 9, "p2"),
    ])  # fmt: skip
    first, second = found
    assert ("build it", "p1", 7_000, 20) == (first.prompt, first.id, first.took_ms, first.tokens)
    (call,) = first.calls
    assert ("Bash", {"command": "make"}, "Exit code 2", True) == (
        call.tool, call.input, call.response, call.failed,
    )  # fmt: skip
    assert (False, "next") == (first.interrupted, second.prompt)


def test_an_interrupt_belongs_to_the_turn_before_it() -> None:
    """Whether while the model wrote or while a tool ran."""
    for words in ("[Request interrupted by user]", "[Request interrupted by user for tool use]"):
        (found,) = turns([user("go", 0, "p1"), user(words, 3)])
        assert found.interrupted


def test_what_nobody_typed_is_no_prompt() -> None:
    """Context, bodies of skills, local commands, subagents' threads, and Learnt's own notes."""
    made = [
        user("<local-command-stdout>x</local-command-stdout>", 1),
        user("Caveat: the messages below", 1),
        user("Base directory for this skill: /x", 1, isMeta=True),
        user("look round", 1, isSidechain=True),
        user("<system-reminder>x</system-reminder>", 1),
        user("<learnt-recall>a note</learnt-recall>", 1),
        user("a body of the same prompt", 1, "p1"),
    ]
    (found,) = turns([user("real", 0, "p1"), *made])
    assert "real" == found.prompt


def test_a_typed_command_is_a_prompt() -> None:
    """With its arguments."""
    said = "<command-message>greet</command-message>\n<command-name>/greet</command-name>\n"
    (found,) = turns([user(f"{said}<command-args>the world</command-args>", 0, "p1")])
    assert "/greet the world" == found.prompt


def test_broken_lines_are_passed_over() -> None:
    """Cut off, binary, no object, of an unknown kind: the others are read."""
    lines = [b'{"type": "user", "message": {"content": "cut', b"\xff\xfe\x00", b"[]", b"{}", b"",
             line(type="novel", x=1), user("go", 0, "p1"), b'{"type": "assistant"}',
             line(type="assistant", message={"content": [1, None, {"type": "tool_use"}]}),
             line(type="user", message=None, timestamp="nonsense")]  # fmt: skip
    (found,) = turns(lines)
    assert ("go", 1) == (found.prompt, len(found.calls))


@given(st.lists(st.binary(max_size=60) | st.text(max_size=60), max_size=8))
def test_any_lines_are_read(lines: list[bytes | str]) -> None:
    """Nothing a file may hold breaks the reader."""
    assert [] == [turn for turn in turns(lines) if not turn.prompt]


def _recorded_prompt(name: str) -> str:
    return str(json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["prompt"])


def test_the_recorded_prompts_are_told_apart() -> None:
    """What the client submits by itself is nobody's; what was typed or queued is somebody's."""
    assert not typed(_recorded_prompt("UserPromptSubmit-task-notification"))
    assert typed(_recorded_prompt("UserPromptSubmit"))
    assert typed(_recorded_prompt("UserPromptSubmit-queued"))


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("<system-reminder>x</system-reminder>", False),
        ("\n <local-command-stdout>x</local-command-stdout>", False),
        ("<command-name>/x</command-name>", False),
        ("<bash-input>ls</bash-input>", False),
        ("<div> is not closed in my template", True),
        ("what does <task-notification> mean?", True),
        ("", True),
        ("[SYSTEM NOTIFICATION - NOT USER INPUT] a task ended", False),
        ('<cross-session-message from="b">remember this</cross-session-message>', False),
        ("<teammate-message>no, that is wrong</teammate-message>", False),
        ("<scheduled-task>look at the build</scheduled-task>", False),
        ("This session is being continued from a previous conversation", False),
        ("Stop hook feedback: run the tests", False),
        ("Caveat: the port is 9443", True),
    ],
)
def test_a_clients_own_prompt_is_known_by_its_beginning(prompt: str, expected: bool) -> None:
    """Where it has no mark: a tag or a phrase of the client's, at the very beginning."""
    assert expected == typed(prompt)


HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (HUMAN, True),
        ({**HUMAN, "promptSource": "queued"}, True),
        ({"promptSource": "sdk", "turnOrigin": "sdk"}, True),
        ({"promptSource": "system", "turnOrigin": "task_notification"}, False),
        ({**HUMAN, "promptSource": "system"}, False),
        ({**HUMAN, "turnOrigin": "scheduled"}, False),
        ({**HUMAN, "turnOrigin": "peer"}, False),
        ({**HUMAN, "origin": {"kind": "task-notification"}}, False),
        ({"origin": {"kind": "auto-continuation"}}, False),
        ({**HUMAN, "isMeta": True}, False),
        ({**HUMAN, "isCompactSummary": True}, False),
        ({"rowSource": "hook", "hookText": True}, False),
        ({**HUMAN, "textNotTyped": True}, False),
    ],
)
def test_the_clients_marks_say_who_typed(marks: dict[str, Any], expected: bool) -> None:
    """Whatever the words are: those of a person may begin like the client's own."""
    for words in ("port 9443 it is", "<task-notification> is what I wonder about"):
        lines = [user(words, 0, "p1", **marks), user("[Request interrupted by user]", 1)]

        assert expected == ([turn.prompt for turn in turns(lines)] == [words])
        assert expected == ([each.text for each in spoken(lines)] == [words])
        assert interrupted(lines, "p1")


@pytest.mark.parametrize("source", ["sdk", "system", "loop_wakeup", "schedule_wakeup", "later"])
def test_a_hooks_word_on_who_sent_a_prompt_counts(source: str) -> None:
    """A prompt that the client says is no user's is an agent's; not so at a start."""
    attended = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}

    def actor(event: str, source: str) -> Actor:
        detail = {"source": source}
        return Observation(id="1", ms=1, event=event, detail=detail, environment=attended).actor

    assert actor("UserPromptSubmit", source) is Actor.AGENT
    assert actor("UserPromptSubmit", "user") is Actor.HUMAN
    assert actor("SessionStart", source) is Actor.HUMAN
