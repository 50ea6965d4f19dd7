"""Copies that are not Learnt's: looked for on the disk, and named where they are."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from learnt.stores.traces import holding
from tests.adversity.test_canary import WORD, in_an_entry
from tests.support.homes import Home

SESSION = "0b6f7a52-77ae-4c8e-9b1a-2f6d5c0b7e12"


def repository(folder: Path, said: str) -> None:
    """A repository whose history alone holds what is said."""
    git = ("git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run([*git, "init", "-q"], check=True)
    for text in (said, "nothing"):
        (folder / "notes.txt").write_text(text, encoding="utf-8")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "1"], check=True)


@pytest.fixture
def agents(home: Home) -> list[str]:
    """What agents wrote: a prompt, a transcript and a log that hold it, others that do not."""
    line = json.dumps({"display": f"Mind the {WORD.upper()}", "sessionId": SESSION})
    holds = [home.config / "history.jsonl", home.folder / "user" / ".codex" / "log" / "a.txt"]
    holds.append(home.config / "projects" / "p" / f"{SESSION}.jsonl")
    lacks = [home.config / "todos" / "a.json", home.config / "projects" / "p" / "other.jsonl"]
    for path in (*holds, *lacks):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(line if path in holds else "{}", encoding="utf-8")
    os.mkfifo(home.config / "pipe")
    return sorted(map(str, holds))


def test_files_that_hold_the_words_are_named_and_no_others(home: Home, agents: list[str]) -> None:
    """Agents' files, the project's, its history, and settings of the home that are the user's."""
    repository(home.project, f"about {WORD}")
    page, config = home.project / "docs" / "a.md", home.path / "config.toml"
    page.parent.mkdir()
    page.write_text(WORD, encoding="utf-8")
    config.write_text(f"# {WORD}\n", encoding="utf-8")
    in_an_entry(home, WORD)
    said = home.purge("--text", WORD, "--json").json

    mine = [str(page), str(config), str(home.project / ".git")]
    assert (said["not_ours"], said["cut"]) == (sorted([*agents, *mine]), False)


def test_a_sessions_name_is_looked_for_as_well(home: Home, agents: list[str]) -> None:
    """Whatever a purged session is named in; a transcript that is gone is not."""
    told = home.payload("Stop", SESSION, transcript_path=str(home.folder / "gone.jsonl"))
    home.fire("Stop", told)
    home.prompt("Why does the parser choke on it again?", SESSION)
    said = home.purge("--session", SESSION, "--json").json

    assert said["not_ours"] == agents


def test_a_search_that_is_cut_says_so(tmp_path: Path) -> None:
    """Too little time, too many bytes, too many texts: what was found by then, and that."""
    (tmp_path / "a").write_text(f"{WORD}\n", encoding="utf-8")
    (tmp_path / "b").write_bytes(bytes(9 << 20) + WORD.encode())
    at, both = str(tmp_path), (str(tmp_path / "a"), str(tmp_path / "b"))

    assert holding([WORD], [at], seconds=60) == (both, False)
    assert holding([WORD], [at], most=1 << 20, seconds=60) == (both[:1], True)
    assert holding([WORD], [at], seconds=-1) == ((), True)
    many = [WORD, *map(str, range(10**6, 10**6 + 500))]
    assert holding(many, [at], seconds=60) == (both, True)
