"""A purge takes what was said out of the index: no word of it is anywhere under the home after."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.adversity.test_canary import WORD, purge
from tests.support.homes import Home
from tests.support.left_behind import holding
from tests.support.past_talks import talk, talked

SESSION = "7f1c3a52-1d0e-4c8e-9b1a-2f6d5c0b7e11"
OTHER = {"prompt": "Which port does the gateway use?", "steps": [{"say": "It is 8443."}]}


def job(home: Home, trouble: str = "") -> None:
    """What the worker has a child do once a session has ended; what it says went wrong."""
    words = [sys.executable, "-m", "learnt.surfaces.jobs", "--home", str(home.path), "harvest"]
    done = subprocess.run(words, env=home.environment, capture_output=True, check=False)
    said = done.stderr.decode()
    assert done.returncode == 0 and trouble in said and bool(trouble) == bool(said), said


def asked(home: Home, question: str) -> list[dict[str, Any]]:
    """What is found of a question."""
    return list(home.here("recall", "--sessions", question, "--json").json["turns"])


def by_text(home: Home) -> None:
    purge(home, "--text", WORD)


def by_session(home: Home) -> None:
    purge(home, "--session", SESSION)


def by_project(home: Home) -> None:
    purge(home, "--all-of-project", home.here("status", "--json").json["project"])


def by_all(home: Home) -> None:
    purge(home, "--everything")


@pytest.mark.parametrize("read", [True, False], ids=["read in", "waits"])
@pytest.mark.parametrize("way", [by_text, by_session, by_project, by_all])
def test_no_word_of_a_turn_is_left(home: Home, way: Callable[[Home], None], read: bool) -> None:
    """Whichever way it is purged, read in or not yet; and it does not come back."""
    elsewhere = home.folder / "elsewhere"
    elsewhere.mkdir()
    talked(home, SESSION, talk(WORD), OTHER)
    talked(home, "s2", OTHER, folder=elsewhere)
    if read:
        job(home)
        assert "sessions.index" in holding(home, WORD)
        assert WORD in asked(home, WORD)[0]["text"]
    way(home)

    assert [] == holding(home, WORD)
    assert way is by_text or "sessions.index" not in holding(home, SESSION)
    job(home)
    home.here("sessions", "list")
    assert [] == holding(home, WORD)
    assert way is by_text or "sessions.index" not in holding(home, SESSION)
    assert (way is by_text) == bool(asked(home, "gateway port"))
    home.project = elsewhere
    assert (way is not by_all) == bool(asked(home, "gateway port"))


@pytest.mark.parametrize("word", ["kanarien-Vogel", "KANARIEN_VOGEL", "kanarienVogel", "zürcher"])
def test_a_word_goes_however_it_is_spelt_in_the_index(home: Home, word: str) -> None:
    """The parts of an identifier are joined there."""
    talked(home, SESSION, talk(word), OTHER)
    job(home)
    purge(home, "--text", "kanarienvogel" if "ogel" in word.casefold() else word)

    assert [] == holding(home, "kanarienvogel") == holding(home, "rcher")
    assert asked(home, "gateway port")


def test_where_the_transcript_is_gone_all_its_turns_go(home: Home) -> None:
    """Nobody can tell any more in which of them the word was."""
    path = talked(home, SESSION, talk(WORD), OTHER)
    job(home)
    path.unlink()
    by_text(home)

    assert ([], []) == (holding(home, WORD), asked(home, "gateway port"))


def test_with_the_search_off_the_index_is_emptied(home: Home) -> None:
    """By the next job; and nothing is read in for a purge."""
    talked(home, SESSION, talk(WORD))
    job(home)
    (home.path / "config.toml").write_text("[sessions]\nsearch = false\n", "utf-8")
    job(home)
    assert "sessions.index" not in holding(home, WORD)
    told = home.here("recall", "--sessions", WORD)
    assert (2, True) == (told.exit_code, "search is off" in told.errors)
    by_text(home)

    assert [] == holding(home, WORD)


def test_a_damaged_index_is_told_and_harms_nothing_else(home: Home) -> None:
    """The search says what to do, doctor as well, the job goes on."""
    talked(home, SESSION, talk(WORD))
    (home.path / "sessions.index").write_bytes(b"no index at all" * 1_000)
    job(home, trouble="sessions.index cannot be used")
    told = home.here("recall", "--sessions", WORD)
    (probe,) = [
        each
        for each in json.loads(home.here("doctor", "--json").output)["probes"]
        if each["name"] == "sessions"
    ]

    assert (0, 5) == (home.here("status").exit_code, told.exit_code)
    assert "Removed, it is rebuilt" in told.errors and "problem" == probe["level"]
    (home.path / "sessions.index").unlink()
    home.here("sessions", "list")
    assert asked(home, WORD)
