"""The socket of a home's worker: what it listens on, and how a command talks to it."""

import fcntl
import json
import os
import socket
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from learnt.core.events import Sight
from learnt.core.records import Record
from learnt.formats.wire import LONGEST_FIRST_LINE, BadFrame, Frame, decode, encode, lengths
from learnt.surfaces import hook, hook_slow

PING: Final = "learnt ping"
STOP: Final = "learnt stop"
MOST_CONNECTIONS: Final = 64
_PATIENCE = 2.0
_COMING_UP = 20.0  # seconds that a worker may take on a busy machine, or one not yet compiled


class Card(Record):
    """A worker's word on itself."""

    pid: int
    version: str


def ping(home: Path, event: str = PING) -> Card | None:
    """The home's worker, or None where none answers."""
    if not (home / "run").is_dir():
        return None
    answer = hook.exchange(str(home), encode(Frame(event=event)), deadline=_PATIENCE)
    if isinstance(answer, str):
        return None
    card = json.loads(answer)
    return Card(pid=card["pid"], version=card["version"])


def start(home: Path) -> Card | None:
    """The home's worker, started where none was; None where it does not come up."""
    (home / "run" / "starting").unlink(missing_ok=True)
    card = ping(home)
    if card is not None:
        return card
    try:
        process = hook_slow.start_worker(str(home))
    except (OSError, ValueError):
        return None
    until = time.monotonic() + _COMING_UP
    over = False
    while card is None and not over and time.monotonic() < until:
        # Asked before the look at the answer: what it said before it left still counts.
        over = process is not None and _ended(process) and not _lives(home)
        card = ping(home)
        time.sleep(0.01)
    return card


def _ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True


def stop(home: Path) -> Card | None:
    """Ask the worker to leave, and wait until it has; None where there was none."""
    card = ping(home, STOP)
    until = time.monotonic() + _PATIENCE
    while card is not None and time.monotonic() < until and _lives(home):
        time.sleep(0.01)
    return card


def _lives(home: Path) -> bool:
    """Whether some worker holds the home's lock; its process id may be a zombie's by now."""
    lock = locked(home)
    if lock is not None:
        os.close(lock)
    return lock is None


@dataclass(slots=True)
class HookConnection:
    """A hook that is being listened to."""

    socket: socket.socket
    since: float
    sight: Sight  # of its process, taken at once: it may be gone before its report is read
    process: int | None = None
    received: bytearray = field(default_factory=bytearray)

    def frame(self) -> Frame | None:
        """The frame, once all of it is there. Raises BadFrame where it will never be one."""
        end = self.received.find(b"\n", 0, LONGEST_FIRST_LINE)
        if end < 0:
            if len(self.received) >= LONGEST_FIRST_LINE:
                raise BadFrame("no first line")
            return None
        whole = end + 1 + sum(lengths(bytes(self.received[:end])))
        if len(self.received) < whole:
            return None
        return decode(bytes(self.received))


def peer(accepted: socket.socket) -> tuple[int | None, int]:
    """The peer's process and user; where the system can't tell, the folder's mode must do."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None, os.geteuid()
    raw = accepted.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    process, user, _ = struct.unpack("3i", raw)
    return process, user


def locked(home: Path) -> int | None:
    """The descriptor that holds the home's worker lock, or None where a worker has it."""
    descriptor = os.open(home / "run" / "worker.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def listen(home: Path) -> socket.socket:
    """The home's socket, bound by its short name; only the lock's holder may call this."""
    os.chdir(home / "run")
    Path("worker.sock").unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind("worker.sock")
    Path("worker.sock").chmod(0o600)
    listening.listen(MOST_CONNECTIONS)
    listening.setblocking(False)
    return listening
