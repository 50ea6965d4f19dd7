"""Text files of projects and of other programs: read whole, written whole, with backups.

A target is a relative path. One that leaves its root, passes through a link, or differs from a name
on the disk by case alone is refused before anything is touched.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from learnt.core.governance.proposals import text_hash
from learnt.errors import Conflict, Refused
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import whole

WIDE: Final = b"\xff\xfe"  # begins a text of two bytes a character


def text_of(data: bytes) -> str:
    """A text of others, with its mark, if any. What is no character stays as it is.

    >>> text_of(b'\\xff\\xfe{\\x00}\\x00'), text_of(b"caf\\xe9")
    ('\\ufeff{}', 'caf\\udce9')
    """
    if data.startswith(WIDE):
        return data.decode("utf-16-le")
    return data.decode("utf-8", "surrogateescape")


class DiskTextFile:
    """One text file on disk. Its mode and encoding are kept, and a link is followed."""

    def __init__(self, path: Path, backups: Path) -> None:
        self._path, self._backups, self._wide = path, backups, False

    @property
    def name(self) -> str:
        return str(self._path)

    def read(self) -> str | None:
        with explained(self._path, "read"), suppress(FileNotFoundError):
            data = whole(self._path)
            self._wide = data.startswith(WIDE)
            return text_of(data)
        return None

    def write(self, text: str) -> None:
        with explained(self._path, "written"):
            # A link is followed, even one that leads to nothing yet.
            Path(os.path.realpath(self._path)).parent.mkdir(parents=True, exist_ok=True)
            mode = self._path.stat().st_mode & 0o777 if self._path.exists() else 0o600
            write_atomically(self._path, self._coded(text), mode)

    def _coded(self, text: str) -> str:
        """The text whose bytes in UTF-8 are those of this one in the file's encoding."""
        if not self._wide:
            return text
        return text.encode("utf-16-le").decode("utf-8", "surrogateescape")

    def remove(self) -> None:
        Path(os.path.realpath(self._path)).unlink(missing_ok=True)

    def keep_backup(self, text: str) -> str:
        labelled = f"{self._path}\n{text}".encode("utf-8", "surrogateescape")
        name = f"{self._path.name}.{hashlib.sha256(labelled).hexdigest()[:16]}"
        path = self._backups / name
        if not path.exists():
            write_atomically(path, self._coded(text))
        return name

    def backup(self, name: str) -> str | None:
        with suppress(OSError):
            return text_of(whole(self._backups / Path(name).name))
        return None


_LARGEST = 1_000_000
_LONGEST_NAME = 255


class DiskDocuments:
    """The file system."""

    def whole(self, root: str, target: str) -> str:
        parts = target.split("/")
        if not all(map(_is_plain_name, parts)):
            raise Refused(f"{target[:200]!r} is no path below a folder. Nothing was written.")
        place = Path(os.path.realpath(root))
        with explained(place / target, "looked at"):
            for part in parts:
                if place.is_dir():
                    _same_spelling(place, part)
                place /= part
                if place.is_symlink():
                    raise Refused(f"{place} is a link. Nothing is written through links.")
        return str(place)

    def read(self, path: str) -> str | None:
        place = _direct(path)
        with explained(path, "read"):
            try:
                if place.is_symlink() or (place.exists() and not place.is_file()):
                    raise Refused(f"{path} is not a plain file. It was left as it is.")
                if place.stat().st_size > _LARGEST:
                    raise Refused(f"{path} is larger than a megabyte. It was left as it is.")
                return place.read_bytes().decode("utf-8")
            except (FileNotFoundError, NotADirectoryError):
                return None
            except UnicodeDecodeError as error:
                raise Refused(f"{path} is not text in UTF-8. It was left as it is.") from error

    def write(self, path: str, text: str, expected: str) -> None:
        place = Path(path)
        with explained(path, "written"):
            if text_hash(self.read(path)) != expected:
                raise Conflict(f"{path} changed since it was looked at. It was left as it is.")
            place.parent.mkdir(parents=True, exist_ok=True)
            mode = place.stat().st_mode & 0o777 if place.exists() else 0o644
            write_atomically(place, text, mode)

    def remove(self, path: str, expected: str, *, folder: bool = True) -> None:
        place = Path(path)
        with explained(path, "removed"):
            if text_hash(self.read(path)) != expected:
                raise Conflict(f"{path} changed since it was written. It was left as it is.")
            place.unlink(missing_ok=True)
            if folder and place.parent.is_dir() and not any(place.parent.iterdir()):
                place.parent.rmdir()

    def link(self, place: str, to: str) -> bool:
        link = Path(place)
        with explained(place, "linked"):
            if not os.path.lexists(link):
                with suppress(FileExistsError):  # somebody was quicker, perhaps with the very same
                    link.parent.mkdir(parents=True, exist_ok=True)
                    relative = os.path.relpath(to, os.path.realpath(link.parent))
                    link.symlink_to(relative, target_is_directory=True)
            return leads(link, to)

    def unlink(self, place: str, to: str) -> bool:
        link = Path(place)
        ours = leads(link, to)
        if ours:
            link.unlink()
        return ours

    def there(self, path: str) -> bool:
        return Path(path).is_file()

    def named(self, root: str, name: str) -> list[str]:
        with suppress(OSError):
            folders = (place for place in sorted(Path(root).iterdir()) if not place.is_symlink())
            paths = (folder / name for folder in folders)
            return [str(path) for path in paths if path.is_file() and not path.is_symlink()]
        return []


def leads(link: Path, to: str) -> bool:
    """Whether a path is a link that leads there."""
    return link.is_symlink() and os.path.realpath(link) == os.path.realpath(to)


def _is_plain_name(part: str) -> bool:
    printable = part.isprintable() and len(part.encode("utf-8", "replace")) <= _LONGEST_NAME
    return printable and part not in {"", ".", ".."}


def _direct(path: str) -> Path:
    """The path, if no link stands on the way: one that was none may have become one."""
    if "\x00" in path:
        raise Refused(f"{path!r} is no path. Nothing was touched.")
    place = Path(path)
    if os.path.realpath(place.parent) != str(place.parent):
        raise Refused(f"{path} passes through a link. Nothing was touched.")
    return place


def _same_spelling(folder: Path, name: str) -> None:
    names = {entry.name for entry in folder.iterdir()} - {name}
    if alike := [other for other in names if other.casefold() == name.casefold()]:
        raise Refused(
            f"{folder} holds {min(alike)}, which {name} would collide with where case "
            "does not tell names apart. Nothing was written."
        )
