"""Claude Code's transcripts: turns, their calls, and what no hook tells."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learnt.formats.agents.transcripts import turns

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
