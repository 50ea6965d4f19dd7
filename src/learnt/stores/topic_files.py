"""Topic files on the disk: locked while they are changed, replaced whole, links left alone.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.errors import EnvironmentTrouble, Refused
from learnt.stores.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

INDEX: Final = "_index.md"
_LARGEST: Final = 50_000_000


class DiskTopics:
    """The file system."""

    def files(self, folder: str) -> Sequence[str]:
        """The topics below a folder, sorted; links and the index are none."""
        root = Path(folder)
        try:
            found = [path for path in root.rglob("*.md") if path.name != INDEX]
        except OSError as error:
            raise EnvironmentTrouble(f"{folder} cannot be looked through ({error}).") from error
        plain = (path for path in found if path.is_file() and not path.is_symlink())
        return sorted(path.relative_to(root).as_posix() for path in plain)

    def read(self, path: str) -> str | None:
        """A file's text, byte for byte."""
        place = Path(path)
        try:
            if place.exists() and not place.is_file():
                raise Refused(f"{path} is no plain file. It was left as it is.")
            if place.stat().st_size > _LARGEST:
                raise Refused(f"{path} is larger than 50 MB. It was left as it is.")
            return place.read_bytes().decode("utf-8", "surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise EnvironmentTrouble(f"{path} cannot be read ({error}).") from error

    def change(self, path: str, edit: Callable[[str | None], str]) -> None:
        """Replace a file whole by what an edit makes of it, alone with its folder."""
        place = Path(path)
        if place.is_symlink():
            raise Refused(f"{path} is a link. Nothing is written through links.")
        try:
            with _locked(place.parent):
                text = edit(self.read(path))
                mode = place.stat().st_mode & 0o777 if place.exists() else 0o644
                write_atomically(place, text, mode)
        except OSError as error:
            raise EnvironmentTrouble(f"{path} cannot be written ({error}).") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone with a folder: its own descriptor is the lock, so that no file of it is left behind."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
