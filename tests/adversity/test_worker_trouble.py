"""The worker killed, stopped, doubled or pestered: nothing is lost and hooks stay quick."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from learnt.core.events import Kind
from learnt.formats.wire import Frame, encode
from tests.support.homes import APPROACH, PROMPT, Home, wait_until

QUICK = 0.4


@contextmanager
def connected(home: Home) -> Iterator[socket.socket]:
    """A stranger's connection to the worker's socket."""
    back = Path.cwd()
    stranger = socket.socket(socket.AF_UNIX)
    stranger.settimeout(5)
    try:
        os.chdir(home.path / "run")
        for _ in range(500):
            try:
                stranger.connect("worker.sock")
                break
            except BlockingIOError:  # the worker has not yet taken the ones before
                time.sleep(0.01)
        os.chdir(back)
        yield stranger
    finally:
        os.chdir(back)
        stranger.close()


def real(home: Home, event: str | None = None, session: str | None = None) -> list[str]:
    """The sessions of what was reported, but for the word that an answer was late."""
    found = home.inbox(event, session)
    return [one["session"] for one in found if one["event"] != "Late"]


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kill(pid: int) -> None:
    """SIGKILL, and the process is gone when this returns."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid), "its end")


def body_of(home: Home, event: str, session: str) -> bytes:
    """A payload as bytes, for hooks that are fed by hand."""
    return json.dumps(home.payload(event, session)).encode()


# --- late answers ---------------------------------------------------------------------------


def test_a_late_answer_is_taken_back(home: Home) -> None:
    """A stopped worker costs 0.4 s at most; woken, it takes back what never arrived."""
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
    recalled, taken_back = home.events(Kind.RECALLED), home.events(Kind.NOT_DELIVERED)
    assert len(recalled) == 1, "the worker answered a hook that had gone"
    assert recalled[0]["shown"] == [entry]
    assert len(taken_back) == 2  # of the session and of the entry
    assert home.reused(entry) == 0

    assert APPROACH in home.prompt(PROMPT, "s1").injected
    assert home.reused(entry) == 1
    assert len(home.events(Kind.NOT_DELIVERED)) == 2
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


# --- two workers, killed workers ------------------------------------------------------------


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
    workers = [pid for pid in home.processes() if b"surfaces.worker" in command_of(pid)]
    assert workers == [home.worker()]


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
    delivered = sum(event["shown"] == [entry] for event in home.events(Kind.RECALLED))
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


# --- strangers at the socket ----------------------------------------------------------------

GARBAGE = {
    "bytes": bytes(range(256)) * 10,
    "no newline": b"x" * 100,
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a huge body": b"LEARNT/1 10 99999999999999999999\n",
    "a huge head": b"LEARNT/1 4194304 1\n",
    "negative": b"LEARNT/1 -1 -1\n",
    "another protocol": b"LEARNT/9 1 1\nxx",
    "more than announced": b"LEARNT/1 1 1\n" + b"y" * 5_000,
    "a head of nothing": b"LEARNT/1 0 0\n",
    "a head of binary": b"LEARNT/1 256 0\n" + bytes(range(256)),
    "half a frame": encode(Frame(event="Stop", body=b"x" * 1_000))[:-500],
    "half a first line": b"LEARNT/1 1",
    "nothing": b"",
}


def test_the_worker_goes_on_after_any_garbage(home: Home) -> None:
    """Whatever a stranger sends and however it leaves, the next hook gets its answer."""
    home.remember()
    pid = home.start_worker()
    for number, (kind, content) in enumerate(GARBAGE.items()):
        with connected(home) as stranger, suppress(OSError):
            stranger.sendall(content)
        shown = home.prompt(PROMPT, f"s{number}")
        assert APPROACH in shown.injected, kind
        assert shown.seconds < QUICK

    assert home.worker() == pid
    assert "Traceback" not in home.worker_log()


def test_half_a_frame_and_then_silence_delays_nobody(home: Home) -> None:
    """A stranger that stops in the middle is let go, and neither hooks nor the spool wait long."""
    home.remember()
    home.start_worker()
    with connected(home) as stranger:
        stranger.sendall(GARBAGE["half a frame"])
        shown = home.prompt()
        assert APPROACH in shown.injected
        assert shown.seconds < QUICK
        home.fire("SessionEnd", home.payload("SessionEnd", reason="other"))
        home.drained(seconds=4)
        assert stranger.recv(1) == b""


def test_a_hundred_idle_connections_keep_no_hook_out(home: Home) -> None:
    """While strangers hold a hundred connections open, hooks are answered and kept."""
    home.remember()
    home.start_worker()
    idle = [connected(home) for _ in range(100)]
    try:
        for one in idle:
            one.__enter__()
        answers = [home.prompt(PROMPT, f"s{number}") for number in range(5)]
    finally:
        for one in idle:
            with suppress(OSError):
                one.__exit__(None, None, None)
    home.drained()

    assert all(APPROACH in fired.injected for fired in answers)
    assert all(fired.seconds < QUICK for fired in answers)
    assert sorted(real(home)) == [f"s{number}" for number in range(5)]


def test_an_endless_stream_keeps_no_hook_out(home: Home) -> None:
    """A stranger that never stops sending is cut off: hooks are answered, memory stays small."""
    home.remember()
    pid = home.start_worker()
    over = threading.Event()

    def stream() -> None:
        while not over.is_set():
            with suppress(OSError), connected(home) as stranger:
                stranger.sendall(b"LEARNT/1 60000 4000000\n")
                while not over.is_set():
                    stranger.sendall(b"\0" * 65_536)

    streaming = threading.Thread(target=stream)
    streaming.start()
    try:
        time.sleep(0.3)
        answers = [home.prompt(PROMPT, f"s{number}") for number in range(5)]
    finally:
        over.set()
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
        streaming.join(10)
    assert sum(APPROACH in fired.injected for fired in answers) >= 4
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        (line,) = [x for x in status.read_text("utf-8").splitlines() if x.startswith("VmRSS")]
        assert int(line.split()[1]) < 200_000


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

    assert APPROACH in home.prompt(PROMPT, "s2").injected
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


@pytest.mark.parametrize("how", ["deleted", "replaced"])
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
    wait_until(lambda: not alive(pid), "the worker leaves", seconds=5)

    if how == "deleted":
        assert not home.path.exists()
        assert home.prompt().output == b""
        assert not home.path.exists()
    else:
        home.drained()
        assert home.worker() not in {None, pid}
        assert real(home) == ["new"]
        assert home.rows("SELECT count(*) FROM views WHERE subject = ?", f"entry:{entry}") == [(0,)]
