"""The folders of an agent on disk, in which Learnt puts files of its own."""

import os
from pathlib import Path

from learnt.errors import EnvironmentTrouble
from learnt.stores.atomic import write_atomically


def _trouble(path: str, error: Exception) -> EnvironmentTrouble:
    return EnvironmentTrouble(f"{path} cannot be used ({error}). It was left as it is.")


def _make_above(path: Path) -> list[str]:
    missing = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    return [str(folder) for folder in reversed(missing)]


class DiskShelf:
    """Files, links and folders."""

    def read(self, path: str) -> str | None:
        """The text of a file; that of anything else is a word that no file of ours holds."""
        place = Path(path)
        try:
            if not os.path.lexists(place):
                return None
            if place.is_symlink() or not place.is_file():
                return "\x00"
            return place.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise _trouble(path, error) from error

    def write(self, path: str, text: str) -> list[str]:
        """Write a file whole; the folders that were made for it, outermost first."""
        try:
            made = _make_above(Path(path))
            write_atomically(Path(path), text, 0o644)
        except OSError as error:
            raise _trouble(path, error) from error
        return made

    def link(self, path: str, to: str) -> list[str] | None:
        """Put a link to a folder; the folders made for it, or None where something is there."""
        place = Path(path)
        try:
            if os.path.lexists(place):
                return None
            made = _make_above(place)
            leads = os.path.relpath(os.path.realpath(to), os.path.realpath(place.parent))
            place.symlink_to(leads, target_is_directory=True)
        except OSError as error:
            raise _trouble(path, error) from error
        return made

    def leads(self, path: str, to: str) -> bool:
        """Whether a link leads there."""
        return Path(path).is_symlink() and os.path.realpath(path) == os.path.realpath(to)

    def remove(self, path: str) -> None:
        """Remove a file or a link."""
        Path(path).unlink(missing_ok=True)

    def remove_folder(self, path: str) -> None:
        """Remove a folder if it is empty."""
        place = Path(path)
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
