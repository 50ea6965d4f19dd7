"""Topic files on the disk: changed alone, under a lock of their folder, and replaced whole.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from learnt.errors import Refused
from learnt.stores.atomic import explained, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


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
    """Wait until nobody else is at the folder, made if missing. Raises OSError."""
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


INDEX: Final = "_index.md"
_LARGEST: Final = 50_000_000


class DiskTopics:
    """The file system."""

    def files(self, folder: str) -> Sequence[str]:
        paths = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
        return sorted(
            os.path.relpath(path, folder).replace(os.sep, "/")
            for path in paths
            if path.endswith(".md") and os.path.basename(path) != INDEX
            if os.path.isfile(path) and not os.path.islink(path)
        )

    def read(self, path: str) -> str | None:
        with explained(path, "read"):
            try:
                about = os.stat(path)
                if not stat.S_ISREG(about.st_mode):
                    raise Refused(f"{path} is no plain file. It was left as it is.")
                if about.st_size > _LARGEST:
                    raise Refused(f"{path} is larger than 50 MB. It was left as it is.")
                with open(path, "rb") as file:
                    return file.read().decode("utf-8", "surrogateescape")
            except (FileNotFoundError, NotADirectoryError):
                return None

    def change(self, path: str, edit: Callable[[str | None], str]) -> None:
        if os.path.islink(path):
            raise Refused(f"{path} is a link. Nothing is written through links.")
        with explained(path, "written"), alone_with(os.path.dirname(path) or "."):
            text = edit(self.read(path))
            mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
            write_atomically(path, text, mode)
