"""The processes of this machine, and how long they may take on it as busy as it is."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def within(seconds: float) -> float:
    """So many seconds of a quiet machine, as many more as it is busier than that now."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def processes_naming(word: str) -> Iterator[int]:
    """The processes with this word on their command line (Linux by /proc, else by ps)."""
    if not Path("/proc/self/cmdline").exists():
        listed = subprocess.run(["ps", "-axww", "-o", "pid=,args="], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            number, _, told = line.strip().partition(" ")
            if word in told.split(" ") and int(number) != os.getpid():
                yield int(number)
        return
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if os.fsencode(word) in words and int(process.name) != os.getpid():
                yield int(process.name)


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended is waited for, if it is a child of this one."""
    with suppress(ChildProcessError):
        os.waitpid(process, os.WNOHANG)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
