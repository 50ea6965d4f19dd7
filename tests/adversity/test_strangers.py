"""Strangers at the worker's socket: whatever they send, hooks are answered all the same."""

import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from learnt.formats.wire import Frame, encode
from tests.adversity.pestering import QUICK, connected, real
from tests.support.homes import APPROACH, PROMPT, Home

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
        asked = home.answered(session=f"s{number}")
        assert all(fired.seconds < QUICK for fired in asked), kind

    assert home.worker() == pid
    assert "Traceback" not in home.worker_log()


@pytest.mark.slow
def test_half_a_frame_and_then_silence_delays_nobody(home: Home) -> None:
    """A stranger that stops in the middle is let go, and neither hooks nor the spool wait long."""
    home.remember()
    home.start_worker()
    with connected(home) as stranger:
        stranger.sendall(GARBAGE["half a frame"])
        assert all(fired.seconds < QUICK for fired in home.answered())
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
        asked = {name: home.answered(session=name) for name in (f"s{n}" for n in range(5))}
    finally:
        for one in idle:
            with suppress(OSError):
                one.__exit__(None, None, None)
    home.drained()

    assert all(fired.seconds < QUICK for answers in asked.values() for fired in answers)
    assert Counter(real(home)) == {name: len(answers) for name, answers in asked.items()}


ENDLESS = """
import os, socket, sys
os.chdir(sys.argv[1])
block = memoryview(bytes(1 << 20))
while True:
    with socket.socket(socket.AF_UNIX) as stranger:
        try:
            stranger.connect("worker.sock")
            stranger.sendall(b"LEARNT/1 60000 4000000\\n")
            while True:
                stranger.sendall(block)
        except OSError:
            pass
"""


def test_an_endless_stream_keeps_no_hook_out(home: Home) -> None:
    """A stranger that never stops sending is cut off: hooks are answered, memory stays small."""
    home.remember()
    assert home.here("worker", "start").exit_code == 0  # with a memory of its own
    pid = home.worker()
    words = [sys.executable, "-I", "-c", ENDLESS, str(home.path / "run")]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as stranger:
        try:
            time.sleep(0.3)
            answers = [home.prompt(PROMPT, f"s{number}") for number in range(8)]
        finally:
            stranger.kill()

    # A busy machine may cost single answers; a worker that the stranger holds would give none.
    assert any(APPROACH in fired.injected for fired in answers)
    assert all(fired.seconds < QUICK for fired in answers)
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        (line,) = [x for x in status.read_text("utf-8").splitlines() if x.startswith("VmRSS")]
        assert int(line.split()[1]) < 200_000
