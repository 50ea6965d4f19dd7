"""What the tests of the worker share: a stranger at its socket, a kill, and what was reported."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.homes import Home, wait_until
from tests.support.processes import is_running

QUICK = 1.5  # seconds: the hook gives up after 0.15; the rest is a busy machine


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


def kill(pid: int) -> None:
    """SIGKILL, and the process is gone when this returns."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid), "its end")


def body_of(home: Home, event: str, session: str) -> bytes:
    """A payload as bytes, for hooks that are fed by hand."""
    return json.dumps(home.payload(event, session)).encode()
