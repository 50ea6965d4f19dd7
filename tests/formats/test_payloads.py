"""What an agent's payload says, as pointers: held to payloads recorded from the real client."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.observations import (
    LONGEST_NAME,
    LONGEST_PATH,
    MOST_CALLS,
    name_of,
    parse,
    pointers,
    storable,
)

DATA = Path(__file__).parents[1] / "data" / "claude_code"
RECORDED = sorted(path.stem for path in DATA.glob("*.json") if path.stem != "environment")
# Members whose text is the user's, the model's or a tool's.
CONTENT = {
    "prompt", "command_args", "tool_response", "last_assistant_message", "custom_instructions",
    "compact_summary", "description", "command", "file_path", "args",
}  # fmt: skip


def recorded(name: str) -> dict[str, Any]:
    """A payload as the client sent it."""
    payload = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(payload, dict)
    return payload


def parsed(name: str) -> dict[str, Any]:
    """Its pointers, by way of the bytes that a hook reads."""
    payload = parse((DATA / f"{name}.json").read_bytes())
    return pointers(str(payload["hook_event_name"]), payload)


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_payload_gives_its_ids(name: str) -> None:
    """Session, prompt, subagent, folder and transcript, each where the client put it."""
    payload, found = recorded(name), parsed(name)

    expected = {
        "event": payload["hook_event_name"],
        "session": payload["session_id"],
        "episode": payload.get("prompt_id", ""),
        "subagent": payload.get("agent_id", ""),
        "cwd": "/work/project",
        "transcript": payload["transcript_path"],
    }

    assert expected == {key: value for key, value in found.items() if key != "detail"}


DETAILS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "SessionStart-resume": {"source": "resume"},
    "SessionStart-clear": {"source": "clear"},
    "SessionStart-compact": {"source": "compact"},
    "SessionStart-fork": {"source": "fork"},
    "SessionEnd": {"reason": "other"},
    "SessionEnd-clear": {"reason": "clear"},
    "SessionEnd-interactive": {"reason": "prompt_input_exit"},
    "Stop": {"stop_hook_active": False, "permission_mode": "default"},
    "StopFailure": {"error": "unknown"},
    "SubagentStop": {
        "stop_hook_active": False,
        "permission_mode": "default",
        "agent_type": "general-purpose",
    },
    "UserPromptSubmit": {"permission_mode": "default"},
    "UserPromptExpansion": {
        "permission_mode": "default",
        "expansion_type": "slash_command",
        "command_name": "greet",
        "command_source": "projectSettings",
    },
}


@pytest.mark.parametrize("name", DETAILS)
def test_what_can_be_told_without_contents(name: str) -> None:
    """Where a session came from, how it ended, and what kind of thing was called."""
    assert DETAILS[name] == parsed(name)["detail"]


CALLS: dict[str, list[dict[str, Any]]] = {
    "PostToolBatch": [{"tool": "Bash", "failed": False}],
    "PostToolBatch-failure": [{"tool": "Bash", "failed": False}, {"tool": "Bash", "failed": True}],
    "PostToolBatch-failed-read": [{"tool": "Read", "failed": True}],
    "PostToolBatch-skill": [{"tool": "Skill", "failed": False, "skill": "greet"}],
    "PostToolBatch-unknown-skill": [{"tool": "Skill", "failed": True, "skill": "no-such-skill"}],
    "PostToolBatch-agent": [{"tool": "Task", "failed": False}],
}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_of_a_step_is_pointed_at(name: str) -> None:
    """Its tool, its id, whether it failed, and how much went in and out."""
    calls = recorded(name)["tool_calls"]
    expected = [
        {
            **row,
            "id": call["tool_use_id"],
            "input": len(json.dumps(call["tool_input"])),
            "output": len(call["tool_response"]),
        }
        for row, call in zip(CALLS[name], calls, strict=True)
    ]

    assert expected == parsed(name)["detail"]["calls"]


def _texts(value: object, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield from _texts(held, key)
    elif isinstance(value, list):
        for held in value:
            yield from _texts(held, name)
    elif isinstance(value, str) and name in CONTENT:
        yield value


@pytest.mark.parametrize("name", RECORDED)
def test_no_content_is_pointed_at(name: str) -> None:
    """No prompt, command, output or message of a payload stands in its pointers."""
    found = json.dumps(parsed(name), ensure_ascii=False)

    assert [] == [text for text in _texts(recorded(name)) if text in found]


def test_every_member_that_holds_content_is_recorded() -> None:
    """The test above looks for what there is."""
    held = [text for name in RECORDED for text in _texts(recorded(name))]

    assert {"Run the checks", "echo trouble >&2; exit 3", "A summary.", "Say hello"} < set(held)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Exit code 1", True),
        ("Exit code 127\nnot found", True),
        ("  Exit code 2", True),
        ("Exit code 0", False),
        ("the last line says Exit code 1", False),
        ("<tool_use_error>x</tool_use_error>", True),
        ("Error: no such file", True),
        ("Error calling the tool", True),
        ("Errors: 0", False),
        ("File does not exist.", True),
        ("[Request interrupted by user]", True),
        ("", False),
        (None, False),
        ({"error": "x"}, False),
        (["Exit code 1"], False),
    ],
)
def test_a_failed_call_is_told_by_how_its_response_begins(response: object, expected: bool) -> None:
    """By the client's own words for it, at the beginning alone."""
    payload: dict[str, object] = {"tool_calls": [{"tool_response": response}]}

    detail = pointers("PostToolBatch", payload)["detail"]

    assert isinstance(detail, dict)
    assert expected is detail["calls"][0]["failed"]


def test_sizes_of_anything() -> None:
    """Nothing is none, a text is its length, all else the length of its JSON."""
    values: list[object] = [None, "", "abc", {"a": 1}, [1, 2], 12, True]
    calls = [{"tool_input": value, "tool_response": value} for value in values]

    detail = pointers("PostToolBatch", {"tool_calls": calls})["detail"]

    assert isinstance(detail, dict)
    assert [0, 0, 3, 8, 6, 2, 4] == [call["input"] for call in detail["calls"]]
    assert [0, 0, 3, 8, 6, 2, 4] == [call["output"] for call in detail["calls"]]


def test_a_huge_step_is_cut() -> None:
    """So many calls, and names of a sane length; what is no object points at nothing."""
    long: dict[str, object] = {"tool_name": "x" * 9_999, "tool_use_id": "y" * 9_999}
    payload: dict[str, object] = {
        "tool_calls": [long, "odd", *[{}] * 999],
        "session_id": "s" * 9_999,
        "cwd": "/" * 9_999,
        "reason": "r" * 9_999,
    }

    found = pointers("PostToolBatch", payload)

    assert isinstance(found["detail"], dict)
    calls = found["detail"]["calls"]
    assert (MOST_CALLS, LONGEST_NAME, LONGEST_PATH) == (256, 256, 4_096)
    assert (256, {}) == (len(calls), calls[1])
    assert ("x" * 256, "y" * 256) == (calls[0]["tool"], calls[0]["id"])
    assert ("s" * 256, "/" * 4_096) == (found["session"], found["cwd"])
    assert "r" * 256 == found["detail"]["reason"]


def test_a_subagents_own_transcript_is_second_choice() -> None:
    """The session's, where both are named."""
    both: dict[str, object] = {"transcript_path": "/a", "agent_transcript_path": "/b"}

    assert "/a" == pointers("SubagentStop", both)["transcript"]
    assert "/b" == pointers("SubagentStop", {"agent_transcript_path": "/b"})["transcript"]


ODD: dict[str, object] = {
    "session_id": 1,
    "prompt_id": None,
    "source": ["x"],
    "stop_hook_active": True,
    "tool_calls": "none",
}


def test_members_of_a_wrong_type_are_left_out() -> None:
    """A client of another version costs what it changed, no more."""
    found = pointers("Stop", ODD)

    assert ("", "", {"stop_hook_active": True}) == (
        found["session"],
        found["episode"],
        found["detail"],
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b"", {"unreadable": True}),
        (b"null", {"unreadable": True}),
        (b'"x"', {"unreadable": True}),
        (b"\xff\xfe", {"unreadable": True}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b"[" * 100_000, {"unreadable": True}),
        (b'{"a": NaN}', None),
    ],
)
def test_anything_on_standard_input_is_read(body: bytes, expected: object) -> None:
    """What is no payload is said to be unreadable, and nothing is raised."""
    found = parse(body)

    assert found == expected or expected is None


def test_a_payload_cut_off_still_gives_its_ids() -> None:
    """They stand first; what a prompt quotes is not taken for them."""
    whole = {
        "session_id": "s",
        "transcript_path": "/t \\ x",
        "cwd": "/c",
        "prompt_id": "p",
        "prompt": 'say "agent_id": "forged" ' + "x" * 100,
    }
    body = json.dumps(whole).encode()[:-20]

    found = parse(body)

    assert {
        "session_id": "s",
        "cwd": "/c",
        "transcript_path": "/t \\ x",
        "prompt_id": "p",
        "unreadable": True,
    } == found
    assert {"unreadable": True} == pointers("UserPromptSubmit", found)["detail"]


def test_what_is_salvaged_is_bounded() -> None:
    """Neither a name beyond all measure nor one far behind is looked for."""
    far = b'{"x": "' + b"y" * 70_000 + b'", "session_id": "s"'

    assert {"unreadable": True} == parse(far)
    assert {"unreadable": True} == parse(b'{"session_id": "' + b"s" * 5_000 + b'", ')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"\\ud800"', "?"),
        ('{"a\\udfff": 1}', {"a?": 1}),
        ('"\\ud83d\\ude00"', "😀"),
        ('"é"', "é"),
    ],
)
def test_halves_of_characters_are_replaced(text: str, expected: object) -> None:
    """No file can hold them; whole characters stay, however they were written."""
    assert expected == storable(text)


def test_a_text_that_is_no_json_is_refused() -> None:
    """The reader of a spool file sets it aside."""
    with pytest.raises(ValueError, match="Expecting"):
        storable("{")


def test_a_name_is_a_text_or_nothing() -> None:
    """Cut where it is too long."""
    payload: dict[str, object] = {"a": "x" * 300, "b": 1}

    assert (256, "", "") == (
        len(name_of(payload, "a")),
        name_of(payload, "b"),
        name_of(payload, "c"),
    )
