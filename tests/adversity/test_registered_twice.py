"""Hooks registered in two places fire twice at once: one report, one answer, one count."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from learnt.core.events import Kind
from tests.support.answers import Fired
from tests.support.cases import first
from tests.support.homes import APPROACH, PROMPT, Home, recorded, recorded_names


def twice(home: Home, event: str, payload: dict[str, object]) -> list[Fired]:
    """The same event from two registrations, at the same moment."""
    with ThreadPoolExecutor(2) as pool:
        return [one.result() for one in [pool.submit(home.fire, event, payload) for _ in range(2)]]


def reports(home: Home) -> list[tuple[str, str]]:
    """What was reported: event and session of each."""
    return [(one["event"], one["session"]) for one in home.inbox() if one["event"] != "Late"]


@pytest.mark.slow
@pytest.mark.parametrize("running", first(1, [True, False]))
def test_every_recorded_event_fired_twice_is_one(home: Home, running: bool) -> None:
    """Each kind of report that the client sends is in the ledger once, whoever takes it in."""
    if running:
        home.start_worker()
    else:
        (home.path / "bin" / "worker.json").unlink()
    expected = []
    names = recorded_names()
    if not running:  # each start waits a second for a worker
        names = [name for name in names if not name.startswith("SessionStart-")]
    for number, name in enumerate(names):
        event, payload = name.partition("-")[0], recorded(name)
        payload["session_id"] = f"s{number}"
        expected.append((event, f"s{number}"))
        twice(home, event, payload)
    if not running:
        home.take_in()
    home.drained()

    assert sorted(reports(home)) == sorted(expected)
    home.verify()


def test_a_prompt_fired_twice_is_answered_once(home: Home) -> None:
    """One of the two hooks prints, the other is silent; one recall, one use."""
    entry = home.remember()
    home.start_worker()
    for number in range(5):
        session = f"s{number}"
        fired = twice(home, "UserPromptSubmit", home.payload("Any", session, prompt=PROMPT))
        assert sorted(APPROACH in one.injected for one in fired) == [False, True]
        assert len(home.events(Kind.RECALLED)) == home.reused(entry) == number + 1


def test_of_a_prompt_fired_twice_one_may_be_late(home: Home) -> None:
    """One report reaches the worker, the other the spool: still one prompt and one use."""
    entry = home.remember()
    home.start_worker()
    payload = home.payload("UserPromptSubmit", prompt=PROMPT)
    assert APPROACH in home.fire("UserPromptSubmit", payload).injected
    run, command = home.path / "run", home.path / "bin" / "worker.json"
    run.rename(home.path / "gone")  # where the second hook finds no socket
    command.rename(home.path / "worker.json")  # nor starts another worker
    home.fire("UserPromptSubmit", payload)
    (home.path / "worker.json").rename(command)
    (run / "starting").unlink(missing_ok=True)
    if run.exists():
        run.rmdir()
    (home.path / "gone").rename(run)
    home.take_in()

    assert reports(home) == [("UserPromptSubmit", "s1")]
    assert (len(home.events(Kind.RECALLED)), home.reused(entry)) == (1, 1)


def test_a_whole_session_fired_twice_is_one_session(home: Home) -> None:
    """Start, prompts, steps, stops, compaction and end, each twice: the events are those of one."""
    entry = home.remember()
    home.start_worker()

    def play(session: str, *, doubled: bool) -> None:
        script: list[tuple[str, dict[str, object]]] = [
            ("SessionStart", {"source": "startup"}),
            ("UserPromptSubmit", {"prompt": PROMPT, "prompt_id": "p1"}),
            ("PostToolBatch", {"prompt_id": "p1", "tool_calls": [{"tool_use_id": "t1"}]}),
            ("PostToolBatch", {"prompt_id": "p1", "tool_calls": [{"tool_use_id": "t2"}]}),
            ("SubagentStop", {"prompt_id": "p1", "agent_id": "a1"}),
            ("Stop", {"prompt_id": "p1"}),
            ("SessionStart", {"source": "compact", "prompt_id": "p1"}),
            ("UserPromptSubmit", {"prompt": PROMPT, "prompt_id": "p2"}),
            ("Stop", {"prompt_id": "p2"}),
            ("SessionEnd", {"reason": "other", "prompt_id": "p3"}),
        ]
        for event, fields in script:
            payload = home.payload(event, session, **fields)
            if doubled:
                twice(home, event, payload)
            else:
                home.fire(event, payload)
        home.drained()

    play("once", doubled=False)
    play("twice", doubled=True)
    told = {
        session: [
            (kind, strip(payload))
            for kind, payload in home.rows(
                "SELECT kind, payload FROM events WHERE session = ? ORDER BY ms, counter", session
            )
        ]
        for session in ("once", "twice")
    }
    assert told["once"] == told["twice"]
    assert [event for event, session in reports(home) if session == "twice"] == [
        event for event, session in reports(home) if session == "once"
    ]
    assert home.reused(entry) == 2


def strip(payload: str) -> dict[str, object]:
    """A payload without other events' ids, moments, what was measured, and who delivered it."""
    held, apart = json.loads(payload).items(), {"recall", "took_ms", "began_ms", "seen"}
    return {name: value for name, value in held if name not in apart}


def test_two_different_prompts_of_one_id_are_two(home: Home) -> None:
    """A prompt typed while the agent works carries the other's id; both count, each once."""
    home.remember()
    home.start_worker()
    for text in (PROMPT, "and then look at the release notes, please", PROMPT):
        twice(home, "UserPromptSubmit", home.payload("Any", prompt=text, prompt_id="p1"))

    assert len(reports(home)) == 2
    with closing(sqlite3.connect(home.path / "ledger.db")) as connection:
        kinds = connection.execute("SELECT kind, count(*) FROM events GROUP BY kind").fetchall()
    assert dict(kinds)["recalled"] == 1
