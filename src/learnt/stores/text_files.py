"""Files and folders of other programs: read whole, written whole, with backups where edited."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import whole


class DiskTextFile:
    """One text file on disk. Its mode is kept, and a link is followed."""

    def __init__(self, path: Path, backups: Path) -> None:
        self._path, self._backups = path, backups

    @property
    def name(self) -> str:
        return str(self._path)

    def read(self) -> str | None:
        with explained(self._path, "read"), suppress(FileNotFoundError):
            return whole(self._path).decode("utf-8")
        return None

    def write(self, text: str) -> None:
        with explained(self._path, "written"):
            # A link is followed, even one that leads to nothing yet.
            Path(os.path.realpath(self._path)).parent.mkdir(parents=True, exist_ok=True)
            mode = self._path.stat().st_mode & 0o777 if self._path.exists() else 0o600
            write_atomically(self._path, text, mode)

    def remove(self) -> None:
        Path(os.path.realpath(self._path)).unlink(missing_ok=True)

    def keep_backup(self, text: str) -> str:
        labelled = f"{self._path}\n{text}".encode("utf-8", "surrogateescape")
        name = f"{self._path.name}.{hashlib.sha256(labelled).hexdigest()[:16]}"
        path = self._backups / name
        if not path.exists():
            write_atomically(path, text)
        return name

    def backup(self, name: str) -> str | None:
        with suppress(OSError):
            return whole(self._backups / Path(name).name).decode("utf-8")
        return None


class DiskShelf:
    """The folders of an agent, in which Learnt puts files and links of its own."""

    def read(self, path: str) -> str | None:
        """The text of a file; that of anything else is a word that no file of ours holds."""
        place = Path(path)
        with explained(path, "used"):
            if not os.path.lexists(place):
                return None
            if place.is_symlink() or not place.is_file():
                return "\x00"
            return place.read_text(encoding="utf-8", errors="surrogateescape")

    def write(self, path: str, text: str) -> list[str]:
        with explained(path, "used"):
            made = _make_above(Path(path))
            write_atomically(path, text, 0o644)
        return made

    def link(self, path: str, to: str) -> list[str] | None:
        place = Path(path)
        with explained(path, "used"):
            if os.path.lexists(place):
                return None
            made = _make_above(place)
            leads = os.path.relpath(os.path.realpath(to), os.path.realpath(place.parent))
            place.symlink_to(leads, target_is_directory=True)
        return made

    def leads(self, path: str, to: str) -> bool:
        return Path(path).is_symlink() and os.path.realpath(path) == os.path.realpath(to)

    def remove(self, path: str) -> None:
        Path(path).unlink(missing_ok=True)

    def remove_folder(self, path: str) -> None:
        place = Path(path)
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def missing_above(path: Path) -> list[str]:
    """The folders above a file that are not there yet, outermost first."""
    return [str(folder) for folder in reversed(path.parents) if not folder.exists()]


def _make_above(path: Path) -> list[str]:
    missing = missing_above(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return missing
