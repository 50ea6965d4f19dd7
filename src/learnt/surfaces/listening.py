"""What the worker listens on: the home's own socket, the lock beside it, and a hook's report."""

import fcntl
import os
import socket
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from learnt.core.events import Sight
from learnt.formats.wire import LONGEST_FIRST_LINE, BadFrame, Frame, decode, lengths

MOST_CONNECTIONS: Final = 64


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
