"""The command line in a process forked off the tests': as one of its own, without its start.

Starting an interpreter and loading the package takes most of a command's time. What a process of
its own is needed for is kept: its terminal, working folder, environment, exit code and open files.
Tests of the start itself run LEARNT.
"""

import fcntl
import gc
import importlib
import io
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

import learnt.surfaces.cli as commands
from learnt.surfaces.cli.entry import main
from tests.support.terminal import Process, Terminal

LEARNT = Path(sys.executable).parent / "learnt"
_SECONDS = 60
_POLL_SECONDS = 0.003
_LOCALE: Final[Any] = {"encoding": "utf-8", "errors": "surrogateescape"}


class Forked:
    """A forked process that runs one command; to be waited for as one of `subprocess`."""

    def __init__(
        self,
        words: Sequence[str],
        streams: Sequence[int],
        *,
        env: Mapping[str, str],
        cwd: Path,
        on_terminal: bool = False,
    ) -> None:
        _load()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            _become(words, streams, env, cwd, on_terminal)

    def poll(self) -> int | None:
        """The exit code, once it has ended; a signal's number is negative."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code at its end. Raises TimeoutExpired."""
        deadline = time.monotonic() + (timeout or _SECONDS)
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("learnt", timeout or _SECONDS)
            time.sleep(_POLL_SECONDS)
        return code

    def kill(self) -> None:
        """End it at once, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()


@cache
def _load() -> None:
    """Load the commands before the fork, or each child would load them again."""
    for module in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(module.name)


def _become(
    words: Sequence[str],
    streams: Sequence[int],
    env: Mapping[str, str],
    cwd: Path,
    on_terminal: bool,
) -> NoReturn:
    """Run the command as the forked process, and leave without the tests' own clean-up."""
    code = 70
    try:
        gc.disable()  # the parent's objects are not the child's to close
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if on_terminal:
            os.setsid()
            fcntl.ioctl(streams[0], termios.TIOCSCTTY, 0)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        # As an interpreter opens them where the locale is C.UTF-8.
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), **_LOCALE)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(1, "w", closefd=False)),
            line_buffering=on_terminal,
            **_LOCALE,
        )
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(2, "w", closefd=False)),
            line_buffering=True,
            encoding="utf-8",
            errors="backslashreplace",
        )
        sys.argv = [str(LEARNT), *words]
        code = main()
        sys.stdout.flush()
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        raise
    finally:
        os._exit(code)


def ran(
    words: Sequence[str], *, env: Mapping[str, str], cwd: Path, stdin: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command without a terminal."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin)
        given.seek(0)
        streams = [file.fileno() for file in (given, output, errors)]
        process = Forked(words, streams, env=env, cwd=cwd)
        try:
            code = process.wait()
        finally:
            process.kill()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(list(words), code, output.read(), errors.read())


class ForkedTerminal(Terminal):
    """A command on a terminal of its own."""

    def start(self, argv: Sequence[str], slave: int, env: Mapping[str, str], cwd: Path) -> Process:
        return Forked(argv, [slave] * 3, env=env, cwd=cwd, on_terminal=True)
