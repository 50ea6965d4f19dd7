"""Folders whose names are no text, and homes that no hook could call."""

import os
from pathlib import Path

import pytest

from tests.support.homes import APPROACH, PROBLEM, PROMPT, Home

ODD = os.fsdecode(b"caf\xe9 \xff")


@pytest.fixture
def odd(home: Home) -> Home:
    """A home whose project lies in a folder that is named by other bytes than UTF-8."""
    home.project = home.folder / ODD
    home.project.mkdir()
    (home.project / ".cursor").mkdir()
    return home


def test_every_command_works_in_a_folder_of_any_bytes(odd: Home) -> None:
    """What was remembered there is found there, and no command ends in a traceback."""
    assert 0 == odd.cli("remember", "--problem", PROBLEM, "--approach", APPROACH).exit_code
    for words in (
        *(("status",), ("status", "--json"), ("doctor",), ("skills", "list"), ("review", "--json")),
        *(("skills", "search", "gradle"), ("skills", "stats"), ("skills", "validate", ".")),
        *(("evolve", "list"), ("evolve", "stats"), ("sessions", "list"), ("knowledge", "log")),
    ):
        assert odd.cli(*words).exit_code in (0, 1), words
    assert APPROACH in odd.cli("recall", PROBLEM).output

    named = {"CLAUDE_PROJECT_DIR": str(odd.project)}
    odd.start_worker()
    odd.fire("SessionStart", odd.payload("SessionStart", source="startup"), environment=named)
    odd.fire("UserPromptSubmit", odd.payload("UserPromptSubmit", prompt=PROMPT), environment=named)
    odd.drained()
    assert (2, [], "") == (len(odd.inbox()), odd.hook_errors(), odd.worker_log())
    odd.verify()


def test_what_a_project_of_any_bytes_got_is_taken_out_from_anywhere(odd: Home) -> None:
    """Its settings' path stands in the record, which other folders' commands read as well."""
    agents = ("--agent", "cursor", "--agent", "claude", "--scope", "project", "--shared")
    assert 0 == odd.cli("init", *agents, "--yes").exit_code
    placed = [odd.project / ".cursor" / "hooks.json", odd.project / ".claude" / "settings.json"]
    assert all("learnt" in path.read_text("utf-8") for path in placed)

    odd.project = odd.folder / "elsewhere"
    odd.project.mkdir()
    assert 0 == odd.cli("init", "--agent", "claude", "--yes").exit_code
    assert 0 == odd.cli("uninstall").exit_code
    assert not any(path.exists() for path in placed)


@pytest.mark.parametrize("name", [ODD, "/".join(["x" * 200] * 5)], ids=["no text", "too long"])
def test_a_home_that_no_hook_could_call_is_refused(home: Home, name: str) -> None:
    """Before anything is made or registered, and with the reason."""
    place = Path(home.folder) / "user" / name
    said = home.cli("init", "--agent", "claude", environment={"LEARNT_HOME": str(place)})

    assert "no UTF-8, or has more than 900 bytes" in said.output + said.errors
    assert (True, []) == (said.exit_code > 0, [*(home.folder / "user").iterdir()])
    assert not (home.config / "settings.json").exists()
    assert 0 == home.cli("uninstall", environment={"LEARNT_HOME": str(place)}).exit_code
