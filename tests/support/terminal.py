"""Runs a program on a pseudo-terminal: what a person's shell would give it."""

import contextlib
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self

# Control sequences (CSI), titles and the like (OSC), character sets, single-letter escapes.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|[ -Z\\^-~])")
_ROWS, _COLUMNS = 50, 160
MORE = "any key for more, q to stop ── "
_POLL_SECONDS = 0.02
_PAUSE, _LONG_PAUSE = 0.02, 0.1


class Process(Protocol):
    """What runs on a terminal."""

    pid: int

    def poll(self) -> int | None:
        """The exit code, once it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code at its end. Raises TimeoutExpired."""


class Terminal:
    """A child process with a pseudo-terminal as its standard streams; killed on the way out."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self._received = bytearray()
        self._heard = time.monotonic()
        try:
            self._process = self.start(argv, slave, env, cwd)
        finally:
            os.close(slave)

    def start(self, argv: Sequence[str], slave: int, env: Mapping[str, str], cwd: Path) -> Process:
        """The program in a session of its own, with the terminal as its standard streams."""
        return subprocess.Popen(
            argv,
            env=dict(env),
            cwd=cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    @property
    def coloured(self) -> bool:
        """Whether anything steered the terminal."""
        return b"\x1b[" in self._received

    @property
    def output(self) -> str:
        """All that was printed so far, without escape sequences; a redraw erases nothing of it."""
        return _ESCAPES.sub("", self.received)

    @property
    def received(self) -> str:
        """The same with its escape sequences."""
        return self._received.decode(errors="replace").replace("\r\n", "\n")

    @property
    def silence(self) -> float:
        """Seconds since the program last printed something."""
        return time.monotonic() - self._heard

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_until(self, reached: Callable[[], bool], what: str, *, seconds: float = 30) -> None:
        """Read on until `reached`; it is an error if the program or the time ends before."""
        deadline = time.monotonic() + seconds
        while not reached():
            alive = self._read()
            if not reached() and (not alive or time.monotonic() > deadline):
                how = "time was up" if alive else "the program ended"
                raise AssertionError(f"{how} before {what}:\n{self.output[-2000:]}")

    def wait_for_line(self, *, after: int) -> None:
        """Wait for output beyond a length, and for the pause in which a program reads a line.

        The question stands open, and what is typed early is read as well.
        """

        def is_read() -> bool:
            output = self.output
            pause = _LONG_PAUSE if output.endswith("\n") else _PAUSE
            return len(output) > after and self.silence > pause

        self.wait_until(is_read, "a question for a line")

    def wait_for_key(self, *, after: int) -> None:
        """Wait for output beyond a length, and until keys are read: earlier ones are lost."""

        def is_read() -> bool:
            modes: int = termios.tcgetattr(self._master)[3]
            return len(self.output) > after and not modes & termios.ICANON

        self.wait_until(is_read, "a question for a key")

    def wait_for_exit(self, *, seconds: float = 30) -> int:
        deadline = time.monotonic() + seconds
        while self._read():
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {seconds} s:\n{self.output[-2000:]}")
        return self._process.wait(timeout=seconds)

    def _read(self) -> bool:
        """Take what is there; False once the program has ended and all was read."""
        if not select.select([self._master], [], [], _POLL_SECONDS)[0]:
            return self._process.poll() is None
        try:
            data = os.read(self._master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""  # how Linux tells that nobody holds the other end any more
        self._received += data
        self._heard = time.monotonic()
        return bool(data)


def run_on_terminal(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: Path,
    answers: Sequence[str] = (),
) -> tuple[int, str]:
    """Run a command as if a person had typed it, and its answers; exit code and output."""
    with Terminal(argv, env=env, cwd=cwd) as terminal:
        return dialogue(terminal, answers)


def read_on(terminal: Terminal) -> None:
    """Press a key for the next screen, as who reads all of it."""
    shown = len(terminal.output)
    terminal.wait_for_key(after=shown - 1)
    terminal.send(" ")
    terminal.wait_for_line(after=shown + 2)


def dialogue(terminal: Terminal, answers: Sequence[str]) -> tuple[int, str]:
    """Answer one question after the other; exit code and output at the end."""
    answered = 0
    for answer in answers:
        terminal.wait_for_line(after=answered)
        while terminal.output.endswith(MORE):
            read_on(terminal)
        answered = len(terminal.output)
        terminal.send(answer + "\n")
    return terminal.wait_for_exit(), terminal.output
