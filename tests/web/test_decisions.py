"""Decisions on the dashboard: the same flows as `review`, each with its checks and its trace."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.events import Kind
from tests.support.dashboards import SIGHT, OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.waiting import OTHER, ROOM, SEVEN, candidate, dispute, draft, skill_file


@pytest.fixture
def open_page(home: Home) -> Iterator[OpenDashboard]:
    """A dashboard whose person opened its link, and decided on nothing yet."""
    with opened_dashboard(home) as opened:
        opened.enter()
        yield opened


@pytest.fixture
def page(open_page: OpenDashboard) -> OpenDashboard:
    """A dashboard whose person gave the phrase."""
    open_page.give_phrase()
    return open_page


def _stages(page: OpenDashboard) -> dict[str, str]:
    found = page.home.here("recall", "-k", "9", "--json").json["entries"]
    return {entry["text"]: entry["stage"] for entry in found}


def test_nothing_is_decided_without_the_phrase(open_page: OpenDashboard) -> None:
    """The buttons are not there; whoever sends what they would send is refused."""
    candidate(open_page.home)
    [path] = open_page.items()
    shown, before = open_page.ask(path), open_page.events()
    given = {"word": shown.word, "seen": "0" * 16, "choice": "accept"}
    refused = open_page.post(path, given)

    assert 'value="accept"' not in shown.text
    assert (400, before) == (refused.code, open_page.events())
    assert "Type the phrase first" in refused.text


def test_a_wrong_phrase_is_told_on_the_terminal(open_page: OpenDashboard) -> None:
    """And on the page; it opens nothing."""
    candidate(open_page.home)
    [path] = open_page.items()
    given = {"word": open_page.ask(path).word, "phrase": "lusab babad gutih", "back": path}
    led = open_page.post("/trust", given)

    assert (303, path) == (led.code, led.headers["location"])
    assert "not the phrase" in open_page.ask(path).text
    assert ["A wrong phrase was typed on the page."] == open_page.told


def test_a_form_without_the_sessions_word_is_refused(page: OpenDashboard) -> None:
    """Whatever else it has: another site's page may know the address, and not the word."""
    candidate(page.home)
    [path] = page.items()
    shown, before = page.ask(path), page.events()
    for word in ("", "0" * 48, "é"):
        given = {"word": word, "seen": shown.seen, "choice": "accept"}
        assert 403 == page.post(path, given).code

    assert before == page.events()


@pytest.mark.parametrize("body", [b"\xff\xfe", b"word=%ff", b"a=1&" * 50, b"{}", b""])
def test_what_is_no_form_is_refused(page: OpenDashboard, body: bytes) -> None:
    """Bytes that are no text, too many fields, another format: nothing is decided."""
    candidate(page.home)
    [path] = page.items()
    before = page.events()

    assert page.ask(path, "POST", body, {"Origin": page.origin}).code in {400, 403}
    assert before == page.events()


def test_a_decision_is_a_persons_with_what_was_seen_of_them(page: OpenDashboard) -> None:
    """The terminal that shows the phrase, and the process that asked; it is told there, too."""
    name = candidate(page.home)
    [path] = page.items()
    done = page.decide(path, "accept")

    assert (303, "/review") == (done.code, done.headers["location"])
    assert {ROOM: "validated"} == _stages(page)
    assert f"Decided on the page: {name} is validated." == page.told[-1]
    assert f"{name} is validated." in page.ask("/review").text
    [seen] = [event["seen"] for event in page.home.events(Kind.STAGED)]
    assert "page" == seen["by"]
    story = page.home.here("why", name, "--json").json["events"][-1]
    told = {each["label"]: each["text"] for each in story["details"]}
    assert "human" == story["actor"]
    assert told["seen"].startswith("decided on the dashboard's page")
    traces = [each["text"] for each in story["details"] if each["label"] == "trace"]
    assert [SIGHT.traces[0]] == traces[:1]
    if Path("/proc/net/tcp").exists():
        assert traces[1].startswith(f"asked by {os.getpid()} ")


def test_a_draft_is_written_and_taken_back(page: OpenDashboard) -> None:
    """Accept writes the file that was shown; undo removes it, and the proposal waits again."""
    draft(page.home)
    [path] = page.items()
    page.decide(path, "accept")
    there = skill_file(page.home).read_text("utf-8")
    undone = page.post("/review/undo", {"word": page.ask("/review").word, "number": "1"})

    assert "Requeue what hangs" in there
    assert (303, path) == (undone.code, undone.headers["location"])
    assert not skill_file(page.home).exists()
    assert [path] == page.items()
    again = page.post("/review/undo", {"word": page.ask(path).word, "number": "1"})
    assert 404 == again.code


def test_a_file_that_is_in_the_way_is_replaced_only_if_ticked(page: OpenDashboard) -> None:
    """The refusal stands on the item's page, and the file stays."""
    skill_file(page.home).parent.mkdir(parents=True)
    skill_file(page.home).write_text("mine\n")
    draft(page.home)
    [path] = page.items()
    refused = page.decide(path, "accept")

    assert (400, "mine\n") == (refused.code, skill_file(page.home).read_text())
    assert "tick that it may be replaced" in refused.text
    page.decide(path, "accept", overwrite="yes")
    assert "Requeue" in skill_file(page.home).read_text()


@pytest.mark.parametrize(
    ("choice", "side", "left"),
    [
        ("accept", 0, {SEVEN: "validated"}),
        ("accept", 1, {OTHER: "validated"}),
        ("both", 0, {SEVEN: "validated", OTHER: "validated"}),
        ("merge", 1, {OTHER: "validated"}),
    ],
)
def test_a_dispute_is_settled(
    page: OpenDashboard, choice: str, side: int, left: dict[str, str]
) -> None:
    """Either side, both, or one that takes the other's place; undo opens it again."""
    dispute(page.home)
    [path] = page.items()
    sides = path.rpartition("/")[2].replace("%2B", "+").split("+")
    page.decide(path, choice, entry=sides[side])

    assert left == _stages(page)
    page.post("/review/undo", {"word": page.ask("/review").word, "number": "1"})
    assert [path] == page.items()


def test_two_candidates_become_one(page: OpenDashboard) -> None:
    """The other one's text stays, as was chosen."""
    one = candidate(page.home)
    other = candidate(page.home, "Deploys of the shop happen on Thursdays after 14:00")
    path = next(path for path in page.items() if one in path)
    page.decide(path, "merge", other=other, stays="other")

    assert {"Deploys of the shop happen on Thursdays after 14:00": "validated"} == _stages(page)


def test_what_changed_since_it_was_shown_is_shown_anew(page: OpenDashboard) -> None:
    """Another text of the draft: nothing is written, and what was typed stands there still."""
    draft(page.home)
    [path] = page.items()
    shown = page.ask(path)
    draft(page.home, body="# Restore\n\n1. Delete the queue: `rm -rf queue`.\n")
    given = {"word": shown.word, "seen": shown.seen, "choice": "accept"}
    stale = page.post(path, given)

    assert (409, False) == (stale.code, skill_file(page.home).exists())
    assert "not what it was" in stale.text and "rm -rf queue" in stale.text


def test_what_was_decided_meanwhile_is_said(page: OpenDashboard) -> None:
    """On a terminal beside it: the page tells that it waits no more."""
    name = candidate(page.home)
    [path] = page.items()
    shown = page.ask(path)
    page.home.here("knowledge", "promote", name, typed="")
    given = {"word": shown.word, "seen": shown.seen, "choice": "reject"}

    assert 404 == page.post(path, given).code == page.ask(path).code
    assert {ROOM: "validated"} == _stages(page)


def test_an_edit_that_is_refused_is_not_lost(page: OpenDashboard) -> None:
    """The page comes back with the reason and with what was written."""
    name = candidate(page.home)
    [path] = page.items()
    answered = page.decide(path, "edit", entry=name, text="Problem: a\nApproach: b <i>")

    assert 400 == answered.code
    assert "is one sentence" in answered.text and "Approach: b &lt;i&gt;" in answered.text


def test_no_get_changes_anything(page: OpenDashboard) -> None:
    """Whatever page is asked for, also with the words of a decision in its address."""
    draft(page.home)
    [path] = page.items()
    before = json.dumps(page.home.rows("SELECT * FROM events"), default=str)
    for asked in ("/", "/review", path, f"{path}?choice=accept&word=x", "/review/undo", "/trust"):
        page.ask(asked)
        page.ask(asked, "HEAD")

    assert before == json.dumps(page.home.rows("SELECT * FROM events"), default=str)
    assert not skill_file(page.home).exists()
