"""Claude Code's settings: our hooks put in and taken out, all else as it was."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.agents.dialects import CLAUDE_CODE, EVENTS
from learnt.formats.agents.hook_settings import (
    belongs_to,
    command,
    is_shared,
    launcher,
    registered,
    shared_command,
    with_hooks,
    without_hooks,
)
from learnt.formats.agents.settings_text import BadSettings, parse, render

PYTHON, HOME = "/usr/bin/python3", "/home/ann/my home"
THEIRS = {"type": "command", "command": "notify-send done"}


def ours(event: str) -> str:
    """The command of an event."""
    return command(PYTHON, HOME, event)


def handler(text: str) -> dict[str, Any]:
    """A handler as the client reads it."""
    return {"type": "command", "command": text, "timeout": CLAUDE_CODE.timeout}


SETTINGS: dict[str, Any] = {
    "model": "opus",
    "hooks": {
        "Stop": [{"matcher": "", "hooks": [THEIRS]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [THEIRS]}],
    },
    "env": {"A": "é"},
}


def test_every_event_is_registered_once() -> None:
    """Behind what is there, with a time limit of its own."""
    after = with_hooks(SETTINGS, ours)

    assert {"model": "opus", "env": {"A": "é"}} == {k: v for k, v in after.items() if k != "hooks"}
    assert SETTINGS["hooks"]["PreToolUse"] == after["hooks"]["PreToolUse"][:1]
    assert [{"matcher": "", "hooks": [THEIRS]}, {"hooks": [handler(ours("Stop"))]}] == after[
        "hooks"
    ]["Stop"]
    told = {"PostToolUse": "Skill", "PreToolUse": "Bash|mcp__.*learnt.*__(remember|relate)"}
    assert sorted((event, ours(event), told.get(event, "")) for event in EVENTS) == sorted(
        registered(after)
    )
    assert 5 == CLAUDE_CODE.timeout


def test_the_events() -> None:
    """Those that an observation or an answer comes of; none that would hold the agent up."""
    expected = {
        "SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse",
        "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "StopFailure",
        "SubagentStop", "SessionEnd",
    }  # fmt: skip

    assert expected == set(EVENTS)


def test_of_the_calls_only_those_of_skills_are_told() -> None:
    """Registered by an earlier version without them, a repeated `init` adds just that one."""
    whole = with_hooks(SETTINGS, ours)
    earlier = {**whole, "hooks": {k: v for k, v in whole["hooks"].items() if k != "PostToolUse"}}

    assert [{"matcher": "Skill", "hooks": [handler(ours("PostToolUse"))]}] == whole["hooks"][
        "PostToolUse"
    ]
    assert whole == with_hooks(earlier, ours)


def test_calls_that_touch_files_are_told_where_that_is_wanted() -> None:
    """Registered again with the other wish, the entry changes, and all else stays."""
    plain, wished = with_hooks(SETTINGS, ours), with_hooks(SETTINGS, ours, at_files=True)

    assert [{"matcher": "Skill|Read|Edit|Write", "hooks": [handler(ours("PostToolUse"))]}] == (
        wished["hooks"]["PostToolUse"]
    )
    assert wished == with_hooks(plain, ours, at_files=True)
    assert plain == with_hooks(wished, ours)
    assert SETTINGS == without_hooks(wished, belongs_to(HOME))


def test_registering_again_changes_nothing() -> None:
    """Safe to repeat."""
    once = with_hooks(SETTINGS, ours)

    assert once == with_hooks(once, ours)


def test_two_homes_are_registered_beside_each_other() -> None:
    """Each with its own handler, and each taken out alone."""
    other = with_hooks(SETTINGS, lambda event: command(PYTHON, "/other", event))
    both = with_hooks(other, ours)

    assert 2 * len(EVENTS) == len(registered(both))
    assert other == without_hooks(both, belongs_to(HOME))


def test_taking_out_restores() -> None:
    """What was there before is there after, and the settings given are not touched."""
    before = json.dumps(SETTINGS)

    assert SETTINGS == without_hooks(with_hooks(SETTINGS, ours), belongs_to(HOME))
    assert {"a": 1} == without_hooks(with_hooks({"a": 1}, ours), belongs_to(HOME))
    assert {} == without_hooks(with_hooks({}, ours), belongs_to(HOME))
    assert before == json.dumps(SETTINGS)


def test_taking_out_spares_a_neighbour() -> None:
    """A handler that somebody put into our group stays, with the group's other members."""
    group = {"matcher": "x", "hooks": [THEIRS, handler(ours("Stop")), "odd", {"type": "prompt"}]}

    after = without_hooks({"hooks": {"Stop": [group]}}, belongs_to(HOME))

    assert {
        "hooks": {"Stop": [{"matcher": "x", "hooks": [THEIRS, "odd", {"type": "prompt"}]}]}
    } == after


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"hooks": {}},
        {"hooks": {"Stop": []}},
        {"hooks": {"Stop": ["odd", {"hooks": "odd"}, {"hooks": ["odd", {"command": 1}]}, {}]}},
    ],
)
def test_taking_out_of_settings_without_ours_changes_nothing(settings: dict[str, Any]) -> None:
    """However odd they are."""
    assert settings == without_hooks(settings, belongs_to(HOME))
    assert [] == registered(settings)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (ours("Stop"), True),
        (command("/other/python", HOME, "Stop"), True),
        (command(PYTHON, "/home/ann/my home2", "Stop"), False),
        (command(PYTHON, "/home/ann/my", "Stop"), False),
        (shared_command("Stop"), False),
        (f"echo --home '{HOME}' 2>/dev/null", False),
        ("learnt_hook", False),
    ],
)
def test_a_command_belongs_to_one_home(found: str, expected: bool) -> None:
    """Whatever the interpreter; not to a home whose name begins alike, nor to everybody."""
    assert expected == belongs_to(HOME)(found)


def test_a_shared_entry_names_no_path_of_any_machine() -> None:
    """It looks for the home where it runs, and is told from a home's own."""
    assert is_shared(shared_command("Stop"))
    assert not is_shared(ours("Stop"))
    assert "/home/" not in shared_command("Stop") and "$HOME" in shared_command("Stop")


BROKEN = ["/nowhere/python", "/bin/false"]


@pytest.mark.parametrize("python", BROKEN)
def test_a_broken_hook_is_silent(python: str, tmp_path: Path) -> None:
    """Exit 0 and not a word, whatever is missing: exit 2 would erase the prompt."""
    for text in (command(python, str(tmp_path), "Stop"), launcher(python, str(tmp_path))):
        done = subprocess.run(["sh", "-c", text], capture_output=True, input=b"{}", check=False)

        assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)


def test_a_shared_entry_is_silent_where_learnt_is_absent(tmp_path: Path) -> None:
    """A colleague without Learnt notices nothing."""
    done = subprocess.run(
        ["sh", "-c", shared_command("Stop")],
        capture_output=True,
        check=False,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)


def test_a_shared_entry_runs_the_homes_launcher(tmp_path: Path) -> None:
    """With the event as its argument, from LEARNT_HOME or the usual place."""
    script = tmp_path / ".local" / "share" / "learnt" / "bin" / "hook"
    script.parent.mkdir(parents=True)
    script.write_text('#!/bin/sh\necho "ran $1"\nexit 3\n', encoding="utf-8")
    script.chmod(0o700)
    home = script.parents[1]
    for environment in ({"HOME": str(tmp_path)}, {"HOME": "/x", "LEARNT_HOME": str(home)}):
        done = subprocess.run(
            ["sh", "-c", shared_command("Stop")],
            capture_output=True,
            check=False,
            env={**environment, "PATH": "/usr/bin:/bin"},
        )

        assert (0, b"ran Stop\n", b"") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("home", ["/h", "/my home", "/it's", '/a"b', "/$HOME", "/a;b"])
def test_a_home_of_any_name_is_one_word(home: str) -> None:
    """The shell hands the interpreter what was meant."""
    words = shlex.split(command(PYTHON, home, "Stop").removesuffix("; exit 0"))

    assert [PYTHON, "-I", "-S", "-c"] == words[:4]
    assert ["Stop", "--home", home, "2>/dev/null"] == words[5:]
    assert belongs_to(home)(command(PYTHON, home, "Stop"))


@pytest.mark.parametrize("text", ["", "  \n", "{}", '{"hooks": {}}', '{"hooks": {"Stop": []}}'])
def test_readable_settings_are_read(text: str) -> None:
    """An empty file has none."""
    assert (json.loads(text) if text.strip() else {}) == parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '"x"',
        '{"a": 1} x',
        "// a comment\n{}",
        '{"hooks": []}',
        "[" * 100_000,
    ],
)
def test_other_files_are_not_touched(text: str) -> None:
    """What the client could not read is refused, not replaced."""
    with pytest.raises(BadSettings):
        parse(text)


@pytest.mark.parametrize(
    ("like", "expected"),
    [
        ("", '{\n  "a": "é"\n}\n'),
        ("{}", '{\n  "a": "é"\n}'),
        ("{}\n", '{\n  "a": "é"\n}\n'),
        ('{\n    "b": 1\n}\n', '{\n    "a": "é"\n}\n'),
        ('{\n\t"b": 1\n}', '{\n\t"a": "é"\n}'),
        ('{\n\n   "b": 1\n}', '{\n   "a": "é"\n}'),
        ('{"b": 1}', '{\n  "a": "é"\n}'),
        ('{\n"b": 1\n}', '{\n  "a": "é"\n}'),
        ("{\n}\n", '{\n  "a": "é"\n}\n'),
    ],
)
def test_settings_look_as_they_did(like: str, expected: str) -> None:
    """The old text's indentation and final newline, and letters of every script as they are."""
    assert expected == render({"a": "é"}, like)
