"""The worker killed, doubled, stopped or without its home: no report is lost."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from learnt.core.events import Kind
from tests.adversity.pestering import body_of, kill, real
from tests.support.cases import first
from tests.support.homes import PROMPT, Home, wait_until
from tests.support.processes import is_running


def test_of_two_workers_started_at_once_one_remains(home: Home) -> None:
    """Six starts at the same moment leave one worker; the others end well and at once."""
    words = [sys.executable, "-I", "-m", "learnt.surfaces.worker", "--home", str(home.path)]
    environment = {"PATH": os.environ["PATH"], "CI": "true"}
    started = [subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL) for _ in range(6)]
    wait_until(lambda: sum(one.poll() is None for one in started) == 1, "one worker")

    (left,) = [one for one in started if one.poll() is None]
    assert [one.returncode for one in started if one is not left] == [0] * 5
    wait_until(lambda: home.worker() == left.pid, "the one that is left answers")
    home.close()
    left.wait()


def test_two_sessions_that_start_at_once_start_one_worker(home: Home) -> None:
    """Hooks fired together where no worker is: one comes up, and takes in all they saw."""
    started = [home.begin("SessionStart") for _ in range(8)]
    for number, process in enumerate(started):
        process.communicate(body_of(home, "SessionStart", f"s{number}"), timeout=30)
        assert process.returncode == 0
    home.drained()

    assert sorted(real(home)) == [f"s{number}" for number in range(8)]

    def workers() -> list[int]:
        return [pid for pid in home.processes() if b"surfaces.worker" in command_of(pid)]

    wait_until(lambda: workers() == [home.worker()], "the others to leave")


def command_of(pid: int) -> bytes:
    with suppress(OSError):
        return (Path("/proc") / str(pid) / "cmdline").read_bytes()
    return b"surfaces.worker"


def test_a_worker_killed_in_the_middle_of_reports_loses_none(home: Home) -> None:
    """SIGKILL again and again while hooks report: each report is there, once, and a worker too."""
    entry = home.remember()
    home.start_worker()
    sent: list[str] = []
    done = threading.Event()

    def report() -> None:
        for number in range(32):
            session = f"s{number}"
            if number % 2:
                home.prompt(PROMPT, session)
            else:
                call = {"tool_name": "Bash", "tool_use_id": f"t{number}"}
                home.fire(
                    "PostToolBatch", home.payload("PostToolBatch", session, tool_calls=[call])
                )
            sent.append(session)
        done.set()

    reporting = threading.Thread(target=report)
    reporting.start()
    while not done.wait(0.15):
        pid = home.worker()
        if pid is not None:
            kill(pid)
    reporting.join()

    (home.path / "run" / "starting").unlink(missing_ok=True)
    home.stop_turn("last")
    wait_until(lambda: home.worker() is not None, "the next hook starts another worker")
    home.drained()
    assert sorted(real(home)) == sorted([*sent, "last"])
    # An answer that was given counts once, an answer that was lost does not.
    delivered = sum(event.get("shown") == [entry] for event in home.events(Kind.RECALLED))
    taken_back = sum("entries" in event for event in home.events(Kind.NOT_DELIVERED))
    assert home.reused(entry) == delivered - taken_back
    home.verify()


def test_a_worker_stopped_by_its_command_loses_no_report(home: Home) -> None:
    """`learnt worker stop` while hooks report: each report is in the ledger or in the spool."""
    home.start_worker()
    sent = 0
    for round_ in range(3):
        stopping = threading.Thread(target=home.cli, args=("worker", "stop"))
        stopping.start()
        while stopping.is_alive():
            home.stop_turn(f"s{sent}")
            sent += 1
        stopping.join()
        if round_ % 2:
            home.start_worker()
    home.start_worker()
    home.drained()

    assert sorted(real(home)) == sorted(f"s{number}" for number in range(sent))


def test_a_project_whose_git_is_a_pipe_does_not_stall_the_worker(home: Home) -> None:
    """Opening a pipe waits for a writer: a folder made so on purpose must not stop everything."""
    home.remember()
    home.start_worker()
    trap = home.folder / "trap"
    trap.mkdir()
    os.mkfifo(trap / ".git")
    caught = {"CLAUDE_PROJECT_DIR": str(trap)}
    for event in ("SessionStart", "UserPromptSubmit"):
        home.fire(event, home.payload(event, "s1", prompt=PROMPT), environment=caught)

    home.answered(session="s2")
    assert sorted(set(real(home))) == ["s1", "s2"]


def test_what_git_says_may_be_any_bytes(home: Home) -> None:
    """A remote that is no UTF-8 is described all the same, without a crash in the log."""
    home.start_worker()
    for words in (["init", "-q"], ["config", "remote.origin.url", b"https://h/\xff\xfe.git"]):
        subprocess.run(["git", "-C", str(home.project), *words], check=True)
    home.fire("SessionStart", home.payload("SessionStart", source="startup"))
    wait_until(lambda: not any(b"jobs" in command_of(p) for p in home.processes()), "the job")
    time.sleep(0.6)

    assert "Traceback" not in home.worker_log()


@pytest.mark.parametrize("how", first(1, ["deleted", "replaced"]))
def test_a_worker_whose_home_is_gone_leaves(home: Home, how: str) -> None:
    """A worker does not outlive its home, even where another home takes the same place at once."""
    entry = home.remember()
    pid = home.start_worker()
    home.prompt()
    moved = home.folder / "moved"
    home.path.rename(moved)
    if how == "replaced":
        home.install()
        home.stop_turn("new")
    wait_until(lambda: not is_running(pid), "the worker leaves", seconds=5)

    if how == "deleted":
        assert not home.path.exists()
        assert home.prompt().output == b""
        assert not home.path.exists()
    else:
        home.drained()
        assert home.worker() not in {None, pid}
        assert real(home) == ["new"]
        assert home.rows("SELECT count(*) FROM views WHERE subject = ?", f"entry:{entry}") == [(0,)]
