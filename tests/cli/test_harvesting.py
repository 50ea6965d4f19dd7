"""`learnt knowledge harvest`: what finished sessions taught, on demand."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnt.bootstrap import opened
from learnt.flows.knowledge import harvest as flow
from learnt.flows.sessions.answer import answer, observation_of
from learnt.settings import Settings
from tests.support.homes import Home
from tests.support.transcripts import session_frames, session_lines

DECIDED = {"prompt": "amounts: a cup is always 240 ml in our conversion", "steps": []}
CURED = {
    "prompt": "build the firmware please",
    "steps": [
        {
            "tool": "Bash",
            "input": {"command": "mix firmware"},
            "result": "(Mix) MIX_TARGET is not set for this board",
            "failed": True,
        },
        {
            "tool": "Bash",
            "input": {"command": "MIX_TARGET=rpi3a mix firmware"},
            "result": "Success!",
            "failed": False,
        },
    ],
}


def written(home: Home, name: str, *turns: dict[str, Any]) -> Path:
    """A session's transcript."""
    path = home.folder / f"{name}.jsonl"
    lines = session_lines(turns, name, folder=str(home.project))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def seen(home: Home, name: str, *turns: dict[str, Any], ended: bool = True) -> Path:
    """A session that the hooks reported, with its transcript."""
    path = written(home, name, *turns)
    with opened(Settings(home=home.path)) as outside:
        for frame in session_frames(turns, name, folder=str(home.project), transcript=str(path)):
            if ended or frame.event != "SessionEnd":
                observation, prompt = observation_of(outside.clock, outside.random, frame)
                answer(outside, observation, prompt, lambda: False)
    return path


def harvested(home: Home, *words: str) -> list[dict[str, Any]]:
    """The sessions that the command says it harvested."""
    done = home.here("knowledge", "harvest", *words, "--json")
    assert done.exit_code == 0, done.output
    return list(json.loads(done.output)["sessions"])


def test_what_has_ended_is_harvested_once(home: Home) -> None:
    """With each lesson, its verdict and where it stands."""
    seen(home, "s1", DECIDED, CURED)
    (session,) = harvested(home)
    assert ("s1", 2) == (session["session"], session["turns"])
    told = [(one["source"], one["verdict"], one["stage"]) for one in session["lessons"]]
    assert [("fact", "admit", "candidate"), ("worked", "admit", "candidate")] == told
    assert [] == harvested(home)


def test_it_says_so_in_words(home: Home) -> None:
    """A line a lesson, and why."""
    seen(home, "s1", DECIDED)
    said = home.cli("knowledge", "harvest").output
    assert "s1: 1 turn(s), 1 lesson(s)" in said
    assert "a cup is always 240 ml in our conversion" in said
    assert "No session has ended" in home.cli("knowledge", "harvest").output


def test_one_session_by_its_name(home: Home) -> None:
    """Though it goes on; its last turn waits."""
    seen(home, "s1", DECIDED, CURED, ended=False)
    (session,) = harvested(home, "--session", "s1")
    assert ["fact"] == [one["source"] for one in session["lessons"]]
    refused = home.here("knowledge", "harvest", "--session", "s9")
    assert (3, True) == (refused.exit_code, "Nothing was done" in refused.errors)


def test_a_transcript_that_nobody_reported(home: Home) -> None:
    """Nobody knows whose words it holds: all of it stays unproven and unseen."""
    (session,) = harvested(home, str(written(home, "s1", DECIDED, CURED)))
    assert session["session"] is None
    assert "validated" not in {one["stage"] for one in session["lessons"]}
    assert [] == harvested(home, str(home.folder / "s1.jsonl"))[0]["lessons"]


def test_a_transcript_named_by_its_path_may_be_known(home: Home) -> None:
    """Then it is that session's."""
    path = seen(home, "s1", DECIDED)
    (session,) = harvested(home, str(path))
    assert "s1" == session["session"]


@pytest.mark.parametrize("what", ["missing", "folder", "empty"])
def test_what_is_no_transcript_is_said_so(home: Home, what: str) -> None:
    """Not found, and nothing harvested."""
    path = home.folder / "t.jsonl"
    if what == "folder":
        path.mkdir()
    elif what == "empty":
        path.touch()
    done = home.here("knowledge", "harvest", str(path))
    assert 3 == done.exit_code
    assert "Nothing was harvested" in done.errors


def test_bytes_that_are_no_transcript_are_said_to_be_none(home: Home) -> None:
    """Nothing is marked as harvested."""
    path = home.folder / "t.jsonl"
    path.write_bytes(b"\x00\xff\xfe\n" * 5_000)
    done = home.here("knowledge", "harvest", str(path))
    assert 3 == done.exit_code
    assert "no record that Learnt can read" in done.errors


def test_a_transcript_or_a_session_not_both(home: Home) -> None:
    """One of them would be ignored."""
    path = seen(home, "s1", DECIDED)
    done = home.here("knowledge", "harvest", str(path), "--session", "s1")
    assert (2, True) == (done.exit_code, "Nothing was harvested" in done.errors)


@pytest.mark.slow
def test_a_transcript_of_half_a_gigabyte(home: Home) -> None:
    """Part by part: its end is reached, and what it teaches there is found."""
    path = seen(home, "s1", DECIDED, CURED)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    junk = json.dumps({"type": "file-history-snapshot", "snapshot": "x" * 1_000_000}) + "\n"
    with path.open("w", encoding="utf-8") as file:
        file.write(lines[0])
        for _ in range(500):
            file.write(junk)
        file.writelines(lines[1:])
    (session,) = harvested(home)
    assert 500_000_000 < session["size"] == session["until"]
    assert {"fact", "worked"} == {one["source"] for one in session["lessons"]}


def test_a_turn_that_fills_more_than_a_part(home: Home) -> None:
    """Is harvested in pieces, and none of them twice."""
    flood = {
        "tool": "Bash",
        "input": {"command": "cat big.log"},
        "result": "x" * (flow.PART // 2),
        "failed": False,
    }
    seen(home, "s1", {"prompt": "look at the log", "steps": [flood] * 3}, DECIDED)
    (session,) = harvested(home)
    assert session["size"] == session["until"]
    assert ["fact"] == [one["source"] for one in session["lessons"]]
