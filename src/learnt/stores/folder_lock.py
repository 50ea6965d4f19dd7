"""Alone with a folder for a moment, on every system.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # Windows
    _LOCKS_FOLDERS = False
else:
    _LOCKS_FOLDERS = True

_LOCK: Final = ".lock"
_STALE: Final = 2.0  # seconds: a change takes some milliseconds, so whoever took it is gone
_PATIENCE: Final = 30.0
_SHUT_OUT: Final = 1.0  # Windows refuses a file that is being deleted, as it does a closed folder
_PAUSE: Final = 0.01


@contextmanager
def alone_with(folder: str) -> Iterator[None]:
    """Wait until nobody else is at the folder, which is made where it is missing.

    Raises OSError where the folder cannot be made or written, or somebody else does not leave it.
    """
    os.makedirs(folder, exist_ok=True)
    with _by_descriptor(folder) if _LOCKS_FOLDERS else _by_file(os.path.join(folder, _LOCK)):
        yield


@contextmanager
def _by_descriptor(folder: str) -> Iterator[None]:
    """The folder's own descriptor is the lock: nothing is left behind, whatever happens."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _by_file(lock: str) -> Iterator[None]:
    """A file that one process can make. It stays open: Windows lets nobody else delete it then."""
    descriptor = _made(lock)
    try:
        yield
    finally:
        os.close(descriptor)
        with suppress(OSError):
            os.unlink(lock)


def _made(lock: str) -> int:
    began = seen_at = time.monotonic()
    seen: tuple[int, int] | None = None
    while True:
        now = time.monotonic()
        try:
            return os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR)
        except PermissionError:
            if now - began > _SHUT_OUT:
                raise
        except FileExistsError:
            if now - began > _PATIENCE:
                raise OSError(errno.EAGAIN, "Somebody else does not leave it", lock) from None
            with suppress(OSError):  # gone by now, or open in the process that holds it
                about = os.stat(lock)
                if seen != (about.st_ino, about.st_mtime_ns):
                    seen, seen_at = (about.st_ino, about.st_mtime_ns), now
                elif now - seen_at > _STALE:
                    os.unlink(lock)
        time.sleep(_PAUSE)
