"""How long the worker stays, and what a prompt does that finds none."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from learnt.settings import Settings
from learnt.surfaces import worker, worker_client
from learnt.surfaces.open_home import OpenHome
from tests.support.homes import APPROACH, PROMPT, Home, wait_until

IDLE = 1  # second
LIVES = "import subprocess, sys; subprocess.run(sys.argv[1], shell=True, input=b'{}'); input()"


@contextmanager
def idling(home: Home) -> Iterator[threading.Thread]:
    """A worker of the home, in a thread of this process, that leaves after a second."""
    running: list[worker.Worker] = []

    def serve() -> None:
        settings = Settings(home=home.path, idle_seconds=IDLE)
        with (
            OpenHome(settings, {}, patience_ms=1_000) as opened,
            worker_client.listen(home.path) as ears,
        ):
            running.append(worker.Worker(opened, ears))
            running[0].run()

    back, thread = Path.cwd(), threading.Thread(target=serve)
    thread.start()
    try:
        wait_until(lambda: bool(running), "a worker in a thread")
        yield thread
    finally:
        for each in running:
            each._leaving = True
        thread.join(20)
        os.chdir(back)


def stays(thread: threading.Thread) -> bool:
    """Whether the worker is there well after it could have left."""
    thread.join(2.5 * IDLE)
    return thread.is_alive()


def left(thread: threading.Thread) -> None:
    """Wait for the worker's end."""
    wait_until(lambda: not thread.is_alive(), "the worker's end")


def test_a_worker_stays_while_the_client_lives(home: Home) -> None:
    """By the process that Claude Code names: it leaves when that is gone, and nobody came since."""
    with idling(home) as thread, subprocess.Popen(["sleep", "60"]) as client:
        home.fire("Stop", home.payload("Stop"), environment={"CLAUDE_PID": str(client.pid)})
        assert stays(thread)
        client.kill()
        client.wait()
        left(thread)


def test_of_another_agent_the_process_above_the_hook_counts(home: Home) -> None:
    """Whatever its name: the first that is no shell."""
    line = home.command("gemini-cli/Stop").replace("PostToolBatch", "Stop")
    with idling(home) as thread:
        client = subprocess.Popen(
            [sys.executable, "-c", LIVES, line], stdin=subprocess.PIPE, env=home.environment
        )
        try:
            wait_until(lambda: bool(home.inbox("Stop")), "the report")
            assert stays(thread)
        finally:
            client.kill()
            client.communicate()
        left(thread)


def test_a_session_whose_process_is_not_seen_lives_for_half_a_day() -> None:
    """From its last report on; one whose process is seen lives as long as that does."""
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    heard, half_a_day = {0: 1_000.0, os.getpid(): 0.0, gone.pid: 1_000.0}, 12 * 3_600

    assert {0, os.getpid()} == {*worker.living(heard, 1_000.0 + half_a_day - 1)}
    assert {os.getpid()} == {*worker.living(heard, 1_000.0 + half_a_day)}


def test_a_client_that_is_gone_keeps_no_worker(home: Home) -> None:
    """Nor does one that never reported."""
    with idling(home) as thread:
        left(thread)
    with subprocess.Popen(["true"]) as client:
        client.wait()
    with idling(home) as thread:
        home.fire("Stop", home.payload("Stop"), environment={"CLAUDE_PID": str(client.pid)})
        left(thread)


def test_a_prompt_that_finds_no_worker_waits_for_it(home: Home) -> None:
    """It is answered, by the worker that it starts, and its report waits nowhere."""
    home.remember()
    for number in range(4):  # a busy machine may need more than its second
        fired = home.prompt(PROMPT, session=f"s{number}")
        if APPROACH in fired.injected:
            break
        os.kill(home.start_worker(), 15)
        wait_until(lambda: home.worker() is None, "the worker's end")

    assert APPROACH in fired.injected and fired.seconds < 2.0
    assert home.spooled() == []


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_a_worker_that_never_comes_up_delays_one_prompt(home: Home, event: str) -> None:
    """The next ones go through at once, however much later they are typed; no report is lost."""
    (home.path / "config.toml").write_text("[recall]\nscreen = 'no boolean'\n", "utf-8")
    mark = home.path / "run" / "starting"
    seconds = []
    for _ in range(3):
        seconds.append(home.fire(event, home.payload(event, prompt=PROMPT)).seconds)
        if mark.exists():  # as if it were six seconds ago
            began = mark.stat().st_mtime - 6
            os.utime(mark, (began, began))

    assert (seconds[0] >= 1.0) is (event == "UserPromptSubmit"), seconds
    assert max(seconds[1:]) < 1.0, seconds
    assert len(home.spooled()) == 3
