"""`why` of something with a long story, and what counts the same told the same."""

import json
import sqlite3
from contextlib import closing

import pytest

from learnt.bootstrap import opened
from learnt.flows.governance.survey import Week, week
from learnt.settings import Settings
from tests.support.homes import APPROACH, PROBLEM, Home
from tests.support.waiting import dispute


def test_a_long_story_is_summed_up(home: Home) -> None:
    """Its beginning and its end, and how many of what stand between; --all and JSON have all."""
    entry = home.remember()
    for _ in range(12):
        home.here("knowledge", "confirm", "--id", entry, typed="")
    short = home.here("why", entry).output.splitlines()
    whole = home.here("why", entry, "--all").output.splitlines()
    steps = home.here("why", entry, "--json").json["events"]

    assert 14 == len(steps)
    assert short[1].startswith("14 steps from ") and short[1].endswith("; it is validated now.")
    assert "… 4 more (4 feedback): --all shows them." in short
    assert 10 == sum(", by " in line for line in short)
    assert 14 == sum(", by " in line for line in whole)
    assert any(PROBLEM in line for line in short) and any(APPROACH in line for line in short)


def test_a_short_story_is_told_whole(home: Home) -> None:
    """With nothing left out."""
    told = home.here("why", home.remember()).output

    assert "steps from" not in told and "more (" not in told
    assert 2 == told.count(", by ")


def test_freshness_begins_with_the_least_trusted(home: Home) -> None:
    """What is in dispute comes before what is surely so, however high its number; with why."""
    home.here("remember", "The staging gateway listens on port 8443", typed="")
    dispute(home)
    home.here("remember", "Nightly backups go to the bucket cold-archive-eu", typed="")
    found = home.here("knowledge", "freshness", "--json").json["entries"]

    assert ["VERIFY", "VERIFY", "TRUST", "TRUST"] == [entry["trust"] for entry in found]
    assert found[1]["id"] in json.dumps(found[0]["rivals"])
    assert "in dispute with" in home.here("knowledge", "freshness").output


def test_status_counts_what_review_shows(home: Home) -> None:
    """Disputes, proposals and candidates of this project, not of another."""
    dispute(home)
    home.here("knowledge", "capture", "t_room.room_no repeats across hotels; join on hotel_id")
    elsewhere = home.folder / "elsewhere"
    elsewhere.mkdir()
    home.here(
        "knowledge", "capture", "db7 listens on 6432, not 5432: a pool", "--project", str(elsewhere)
    )
    state, shown = home.here("status", "--json").json, home.here("review").output

    assert (1, 1) == (state["disputes_here"], state["candidates_here"])
    assert {"dispute": 1, "candidate": 1} == state["waiting"]
    assert "1 of 2: in dispute" in shown and "2 of 2: a candidate" in shown
    told = home.here("status").output
    assert "1 dispute(s), 1 candidate(s) wait for you: `learnt review`." in told
    assert "3 hold here, 1 of them unproven" in told


def test_what_was_given_counts_the_same(home: Home) -> None:
    """For `status`, `evolve stats` and `recall`: once a session."""
    home.remember()
    for session in ("s1", "s1", "s2"):
        home.told(session=session)
    state, stats = (home.here(*w.split(), "--json").json for w in ("status", "evolve stats"))

    assert (2, 2) == (state["reuses"], stats["reuse"]["surfaces"])
    assert "reused in 2 session(s)" in home.here("recall").output


def test_what_was_missed_counts_the_same(home: Home) -> None:
    """For `status` and `evolve stats`, also once the words of a prompt were erased."""
    for session in ("s1", "s2"):
        home.told("How do I roll out a feature flag gradually?", session)
        home.told("Which zebra percent is safe for the rollout?", session)
    for _ in range(2):
        state, stats = (home.here(*w.split(), "--json").json for w in ("status", "evolve stats"))
        assert (4, 4, 2) == (state["misses"], stats["misses"]["total"], stats["misses"]["unique"])
        home.purge("--text", "zebra")


@pytest.mark.parametrize("words", [("knowledge", "query", "zebra")])
def test_advice_fits_no_lines(home: Home, words: tuple[str, ...]) -> None:
    """Where there are none nothing is said to stand here."""
    assert "Nothing is known of it: investigate" in home.here(*words).output


def of_the_week(home: Home) -> Week:
    with opened(Settings(home=home.path)) as outside:
        return week(outside)


def test_a_week_in_short(home: Home) -> None:
    """What was recalled, given, used and learnt."""
    entry = home.remember()
    for session in ("s1", "s2"):
        home.told(session=session)
        home.told("How do I roll out a feature flag gradually?", session)
    home.here("knowledge", "capture", "t_room.room_no repeats across hotels; join on hotel_id")
    found = of_the_week(home)

    assert ({"admit": 2}, 2) == (found.decided, found.missed)
    assert ("prompt", 2, 2, 0, 0) == found.moments[0]
    assert [(entry, PROBLEM, 2)] == [*map(tuple, found.used)]


def test_an_empty_week_is_told_as_one(home: Home) -> None:
    """What is older than seven days does not count."""
    home.remember()
    old = "UPDATE events SET wall = wall - 8 * 86400000"
    with closing(sqlite3.connect(home.path / "ledger.db")) as ledger:
        ledger.execute(old)
        ledger.commit()
    found = of_the_week(home)

    assert (0, {}, ()) == (found.missed, found.decided, found.used)
