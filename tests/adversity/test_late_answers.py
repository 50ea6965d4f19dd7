"""Answers that come too late or find no reader: not shown, not counted, no report lost."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path
from typing import IO

import pytest

from learnt.core.events import Kind
from learnt.formats.wire import Frame, encode, encode_answer
from learnt.surfaces.worker_client import peer
from tests.adversity.pestering import QUICK, body_of, connected, kill, real
from tests.support.answers import Fired
from tests.support.homes import PROMPT, Home, until_told, wait_until


@contextmanager
def asking(home: Home) -> Iterator[tuple[socket.socket, IO[bytes]]]:
    """A prompt's hook as the worker that it asks has it, and what it prints."""
    with chdir(home.path / "run"), socket.socket(socket.AF_UNIX) as worker:
        worker.bind("worker.sock")
        worker.listen()
        worker.settimeout(20)
        with home.begin("UserPromptSubmit") as hook:
            assert hook.stdin and hook.stdout
            hook.stdin.write(json.dumps(home.payload("UserPromptSubmit", prompt=PROMPT)).encode())
            hook.stdin.close()
            yield worker.accept()[0], hook.stdout


def test_a_stopped_worker_costs_little_and_counts_nothing(home: Home) -> None:
    """A stopped worker costs 0.4 s at most; what it says once awake is not taken for shown."""
    entry = home.remember()
    pid = home.start_worker()
    home.prompt("What is the weather like in this town today?", "s1")
    os.kill(pid, signal.SIGSTOP)
    fired = home.prompt(PROMPT, "s1")
    os.kill(pid, signal.SIGCONT)
    assert fired.output == b""
    assert fired.seconds < QUICK

    home.drained()
    wait_until(lambda: len(home.inbox("UserPromptSubmit", "s1")) == 2, "both prompts")
    home.stop_turn("s1")
    # The worker answers nobody, or takes back what it answered: of the session, of the entry.
    recalled, taken_back = home.events(Kind.RECALLED), home.events(Kind.NOT_DELIVERED)
    assert len(taken_back) == 2 * len(recalled)
    assert home.reused(entry) == 0

    home.answered()
    home.drained()
    assert home.reused(entry) == 1
    # What was shown stays; all that was answered too late is taken back.
    assert len(home.events(Kind.NOT_DELIVERED)) == 2 * (len(home.events(Kind.RECALLED)) - 1)
    home.verify()


def test_an_answer_that_is_there_is_printed_however_late_the_hook_gets_to_it(home: Home) -> None:
    """The machine kept the hook itself waiting: past its time it reads what has come, and ends."""
    with asking(home) as (asked, heard):
        process, _ = peer(asked)
        assert process
        asked.recv(1 << 16)
        os.kill(process, signal.SIGSTOP)
        asked.sendall(encode_answer(b"in time"))
        asked.close()
        time.sleep(0.3)  # twice as long as it waits
        os.kill(process, signal.SIGCONT)
        assert b"in time" == heard.read()
    assert [] == home.spooled()


def test_an_answer_that_comes_drop_by_drop_is_not_waited_for(home: Home) -> None:
    """The hook's time is for all of it: it hangs up, and says nothing."""
    with asking(home) as (asked, heard), asked:
        with pytest.raises(ConnectionError):
            for drop in encode_answer(b"x" * 200):  # ten seconds
                asked.sendall(bytes([drop]))
                time.sleep(0.05)
        assert b"" == heard.read()


def test_an_answer_that_finds_no_reader_is_taken_back(home: Home) -> None:
    """The hook was gone when the worker answered: not shown, not counted, shown the next time."""
    entry = home.remember()
    home.start_worker()
    payload = json.dumps(home.payload("UserPromptSubmit", prompt=PROMPT)).encode()
    environment = {"CLAUDE_PROJECT_DIR": str(home.project)}
    with connected(home) as stranger:
        stranger.shutdown(socket.SHUT_RD)
        stranger.sendall(
            encode(Frame(event="UserPromptSubmit", body=payload, environment=environment))
        )
        wait_until(lambda: len(home.events(Kind.NOT_DELIVERED)) == 2, "the answer taken back")

    assert home.events(Kind.RECALLED)[0]["shown"] == [entry]
    assert home.reused(entry) == 0
    home.answered()
    home.drained()
    assert home.reused(entry) == 1
    home.verify()


def test_an_answer_that_came_too_late_is_taken_back(home: Home) -> None:
    """A hook that waited in vain says so: the ledger takes back what it thought was shown."""
    entry = home.remember()
    home.start_worker()
    payload: dict[str, object] = {}

    def asked() -> Fired:
        payload.update(home.payload("UserPromptSubmit", prompt=PROMPT))
        return home.fire("UserPromptSubmit", payload)

    before = len(until_told(asked)) - 1
    home.drained()
    assert home.reused(entry) == 1
    # The same prompt once more, before a worker that takes it and never answers.
    assert home.cli("worker", "stop").exit_code == 0
    with closing(socket.socket(socket.AF_UNIX)) as deaf:
        back = Path.cwd()
        os.chdir(home.path / "run")
        deaf.bind("worker.sock")
        os.chdir(back)
        deaf.listen(8)
        fired = home.fire("UserPromptSubmit", payload)
    assert fired.output == b""
    assert fired.seconds < QUICK

    (home.path / "run" / "worker.sock").unlink(missing_ok=True)
    home.start_worker()
    home.drained()
    assert len(home.inbox("UserPromptSubmit")) == before + 1
    assert len(home.events(Kind.NOT_DELIVERED)) == 2 * len(home.events(Kind.RECALLED))
    assert home.reused(entry) == 0
    home.answered()
    home.verify()


def test_reports_to_a_stopped_worker_are_not_lost(home: Home) -> None:
    """Every kind of report sent while the worker slept is in the ledger once it is awake."""
    home.remember()
    pid = home.start_worker()
    os.kill(pid, signal.SIGSTOP)
    events = ("SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "SubagentStop")
    for number, event in enumerate(events):
        call = {"tool_name": "Bash", "tool_use_id": "t1", "tool_response": "ok"}
        payload = home.payload(event, f"s{number}", prompt=PROMPT, tool_calls=[call])
        assert home.fire(event, payload).seconds < 2 * QUICK
    os.kill(pid, signal.SIGCONT)
    home.drained()

    wait_until(lambda: len(real(home)) >= len(events), f"all reports, not {real(home)}")
    assert sorted(real(home)) == [f"s{number}" for number in range(len(events))]
    home.verify()


def test_reports_to_a_worker_killed_in_its_sleep_are_not_lost(home: Home) -> None:
    """What lay unread in the socket of a worker that never woke up is in the spool as well."""
    home.remember()
    pid = home.start_worker()
    os.kill(pid, signal.SIGSTOP)
    home.prompt(PROMPT, "s1")
    home.stop_turn("s1")
    kill(pid)
    home.start_worker()
    home.drained()

    assert sorted(one["event"] for one in home.inbox() if one["event"] != "Late") == [
        "Stop",
        "UserPromptSubmit",
    ]
    assert home.events(Kind.RECALLED) == []


@pytest.mark.slow
def test_a_stopped_worker_in_the_way_of_many_hooks(home: Home) -> None:
    """A hundred hooks at once before a stopped worker: all are quick, none is lost."""
    pid = home.start_worker()
    os.kill(pid, signal.SIGSTOP)
    for batch in range(5):
        running = [(number, home.begin("Stop")) for number in range(batch * 20, batch * 20 + 20)]
        for number, process in running:
            body = body_of(home, "Stop", f"s{number}")
            _, errors = process.communicate(body, timeout=30)
            assert (process.returncode, errors) == (0, b"")
    os.kill(pid, signal.SIGCONT)
    home.drained()

    wait_until(lambda: len(real(home)) >= 100, "all reports")
    assert sorted(real(home)) == sorted(f"s{number}" for number in range(100))
