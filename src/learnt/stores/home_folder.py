"""The home: one folder of the user's own, closed to others; its logs, and the door to a model."""

import fcntl
import json
import os
import stat
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from learnt.errors import HomeUnusable, Refused
from learnt.stores.atomic import explained
from learnt.stores.plain_files import DiskTranscripts, bytes_of

LONGEST: Final = 900  # bytes of its path: hooks stand in a shell's line, with their files below it
MAINTAIN_EVERY: Final = 24 * 3600.0  # seconds
FOLDERS: Final = ("aside", "backups", "bin", "logs", "run", "spool")
_KEY_FILE: Final = "key"
_KEY_BYTES: Final = 32


def _trouble(path: Path, why: str) -> HomeUnusable:
    return HomeUnusable(
        f"{path} cannot be used as Learnt's home: {why}. Nothing was changed. Mend it, or name "
        "another folder with --home or LEARNT_HOME."
    )


def prepare(home: Path) -> None:
    """Make the home and its folders, mode 0700. Raises HomeUnusable, also for a stranger's."""
    if len(name := os.fsencode(home)) > LONGEST or name.decode("utf-8", "replace") != str(home):
        raise _trouble(home, f"its path is no UTF-8, or has more than {LONGEST} bytes")
    try:
        for folder in (home, *(home / name for name in FOLDERS)):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _trouble(home, error.strerror or str(error)) from error
    for folder in (home, home / "run"):
        about = folder.stat()
        if about.st_uid != os.geteuid():
            raise _trouble(folder, f"it belongs to user {about.st_uid}, not to you")
        if stat.S_IMODE(about.st_mode) & 0o077:
            try:
                folder.chmod(0o700)
            except OSError as error:
                raise _trouble(folder, "others can read it and its mode cannot be set") from error
    for file in (home / _KEY_FILE, *home.glob("ledger*")):
        with suppress(OSError):  # the folder above is shut already
            mode = file.lstat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                file.chmod(0o600)


def lost_key(home: Path, ledger: str) -> str:
    """What to do about a key that is gone from a home with a ledger; empty where none is lost."""
    path = home / _KEY_FILE
    if os.path.lexists(path) or not os.path.lexists(home / ledger):
        return ""
    return (
        f"{path} is gone, and without it nothing that {ledger} holds can be found. Put the file "
        f"back from a backup; to begin again, move {ledger} out of {home}. Nothing was changed."
    )


def key(home: Path, fresh: bytes, ledger: str) -> bytes:
    """The home's key; `fresh` if it has no ledger yet. Raises HomeUnusable, ValueError."""
    path = home / _KEY_FILE
    if lost := lost_key(home, ledger):
        raise HomeUnusable(lost)
    if len(fresh) != _KEY_BYTES:
        raise ValueError("a home's key has 32 bytes")
    secret = _made_once(path, fresh)
    if len(secret) != _KEY_BYTES:
        raise _trouble(path, "the key file is damaged or can't be read; restore it from a backup")
    return secret


def _made_once(path: Path, fresh: bytes) -> bytes:
    """What a private file holds, of at most so many bytes; it is made of them where none is."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        if not os.path.lexists(path):
            descriptor = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
                file.flush()
                os.fsync(file.fileno())
            # A link fails where another process was first: its own stands.
            try:
                with suppress(FileExistsError):
                    os.link(temporary, path)
            finally:
                temporary.unlink()
        return bytes_of(path, len(fresh)) or b""
    except OSError as error:
        raise _trouble(path.parent, error.strerror or str(error)) from error


def maintenance_is_due(home: Path, now: float) -> bool:
    """Whether a home was not maintained for a day (`now` in seconds); if so, mark it as done."""
    mark = home / "run" / "maintained"
    try:
        if abs(now - mark.stat().st_mtime) < MAINTAIN_EVERY:
            return False
        os.utime(mark)
    except FileNotFoundError:
        with suppress(OSError):
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return False
    except OSError:
        return False
    return True


_END: Final = 1 << 16  # bytes of a log, whatever its size
_LOGS: Final = {
    "hook-errors.log": "{error} on {event}, line {line}",
    "worker.log": "{error} at {at} {said}",
}
_TOLD: Final = 3  # lines of each


def last_errors(home: Path) -> list[str]:
    """The last errors that hooks and the worker wrote down, a line each."""
    texts: list[str] = []
    for name, form in _LOGS.items():
        end = DiskTranscripts().tail(str(home / "logs" / name), _END)
        lines = end.decode("utf-8", "replace").splitlines()
        texts += [f"{name}: {_error_of(line, form)}" for line in lines[-_TOLD:]]
    return texts


def _error_of(line: str, form: str) -> str:
    try:
        return form.format_map(defaultdict(lambda: None, json.loads(line))).strip()
    except (ValueError, TypeError):  # somebody else's line
        return line[:200]


PATIENCE: Final = 60.0  # seconds; a model has as many by default
_PAUSE: Final = 0.05


class FileModelDoor:
    """A lock file of a home, through which one call of a text model goes at a time.

    A process that is killed leaves it open.
    """

    def __init__(self, home: Path, *, patience: float = PATIENCE) -> None:
        self._path, self._patience = home / "run" / "model.lock", patience

    @contextmanager
    def passed(self) -> Iterator[None]:
        with explained(self._path, "opened"):
            descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            until = time.monotonic() + self._patience
            while True:
                with suppress(BlockingIOError):
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                if time.monotonic() > until:
                    raise Refused(
                        "Another call of a model is still under way. Nothing was sent: try again "
                        "later."
                    )
                time.sleep(_PAUSE)
            yield
        finally:
            os.close(descriptor)
