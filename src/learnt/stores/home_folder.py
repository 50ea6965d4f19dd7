"""The home: one folder of the user's own, with everything Learnt keeps, closed to others."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from learnt.errors import HomeUnusable

FOLDERS: Final = ("aside", "backups", "bin", "logs", "run", "spool")
_KEY_FILE: Final = "key"
_KEY_BYTES: Final = 32


def _trouble(path: Path, why: str) -> HomeUnusable:
    return HomeUnusable(
        f"{path} cannot be used as Learnt's home: {why}. Nothing was changed. Mend it, or name "
        "another folder with --home or LEARNT_HOME."
    )


def prepare(home: Path) -> None:
    """Make the home and its folders where they are missing, mode 0700.

    Raises HomeUnusable where that cannot be done, or a folder is a stranger's.
    """
    try:
        for folder in (home, *(home / name for name in FOLDERS)):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _trouble(home, error.strerror or str(error)) from error
    check_owner(home)


def check_owner(home: Path) -> None:
    """Raise HomeUnusable unless the home is this user's, and shut it to everybody else."""
    for folder in (home, home / "run"):
        about = folder.stat()
        if about.st_uid != os.geteuid():
            raise _trouble(folder, f"it belongs to user {about.st_uid}, not to you")
        if stat.S_IMODE(about.st_mode) & 0o077:
            try:
                folder.chmod(0o700)
            except OSError as error:
                raise _trouble(folder, "others can read it and its mode cannot be set") from error


def key(home: Path, fresh: bytes) -> bytes:
    """The home's key; `fresh` becomes the key of a home that has none. Mode 0600.

    Raises HomeUnusable where its file is damaged or cannot be had, ValueError for a short `fresh`.
    """
    path = home / _KEY_FILE
    if len(fresh) != _KEY_BYTES:
        raise ValueError("a home's key has 32 bytes")
    temporary = home / f"{_KEY_FILE}.{os.getpid()}"
    try:
        if not path.exists():
            descriptor = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
                file.flush()
                os.fsync(file.fileno())
            # A link fails where another process was first: its key stands.
            try:
                with suppress(FileExistsError):
                    os.link(temporary, path)
            finally:
                temporary.unlink()
        secret = path.read_bytes()
    except OSError as error:
        raise _trouble(home, error.strerror or str(error)) from error
    if len(secret) != _KEY_BYTES:
        raise _trouble(path, "the key file is damaged; restore it from a backup")
    return secret
