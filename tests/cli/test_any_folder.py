"""Folders whose names are no text or that moved, and homes that no hook could call."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.homes import APPROACH, PROBLEM, PROMPT, Home, wait_until

DESCRIBED = (
    "SELECT 1 FROM events WHERE kind = 'project_seen' AND payload LIKE '%root_commit\":\"_%'"
)
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


def test_a_repository_that_moved_is_named_wherever_somebody_looks(home: Home) -> None:
    """A status on a pipe, review, doctor and a start name one command; no remote is needed."""
    for words in ("init -q", "-c user.name=A -c user.email=a@b.c commit -q --allow-empty -m 1"):
        subprocess.run(["git", *words.split()], cwd=home.project, check=True)
    known = ("--problem", PROBLEM, "--approach", APPROACH)
    assert 0 == home.cli("remember", *known).exit_code
    home.start_worker()

    def start(session: str, described: int) -> str:
        said = home.payload("SessionStart", session, source="startup")
        fired = home.fire("SessionStart", said)
        wait_until(lambda: len(home.rows(DESCRIBED)) == described, "what git says")
        return fired.output.decode()

    start("s1", 1)
    home.project = home.project.rename(home.folder / "moved")
    said = [home.cli(word).output for word in ("status", "review", "doctor")]
    said.append(start("s2", 2))
    named = [set(re.findall(r"`learnt (project link [\w-]+)`", text)) for text in said]
    assert 1 == len(set.union(*named)) and all(named), said
    assert APPROACH not in home.cli("recall", PROBLEM).output
    home.typed(*named[0].pop().split())
    assert APPROACH in home.cli("recall", PROBLEM).output
