"""A file replaced whole or not at all, and what is said where the system does not let one.

Without `pathlib`, which takes longer to load than all the rest of an exported folder's scripts.
This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from learnt.errors import EnvironmentTrouble

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_atomically(path: str | os.PathLike[str], text: str, mode: int = 0o600) -> None:
    """Replace a file whole, links followed. Raises OSError for what is no plain file."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(errno.EINVAL, "There is something else than a plain file", target)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode)
    try:
        with os.fdopen(
            descriptor, "w", encoding="utf-8", errors="surrogateescape", newline=""
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
        sync_folder(folder)
    finally:
        with suppress(FileNotFoundError):  # it has the target's name by now, if all went well
            os.unlink(temporary)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Have the names in a folder on the disk, where the system syncs a folder."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def explained(path: object, done: str) -> Iterator[None]:
    """Raise EnvironmentTrouble where the system refuses: the path cannot be `done`."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error  # not the name of a passing file of ours
        said = f"{path} cannot be {done} ({why}). Nothing was changed."
        raise EnvironmentTrouble(said) from error
