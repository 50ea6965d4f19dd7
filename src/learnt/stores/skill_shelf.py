"""Whole folders of skills: written aside, moved to their place by one rename, taken away by one."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EFBIG
from pathlib import Path
from typing import Final

from learnt.core.skills.skills import LARGEST_FOLDER, LEFT_OUT
from learnt.stores.atomic import explained

_ASIDE: Final = ".learnt-"
_STALE: Final = 3_600.0  # seconds after which a folder aside is of a run that was cut short


class DiskSkillShelf:
    """The file system."""

    def files(self, folder: str) -> dict[str, bytes] | None:
        with explained(folder, "read"):
            return contents(folder) if os.path.lexists(folder) else None

    def stamp(self, folder: str) -> list[tuple[str | int, ...]] | None:
        with explained(folder, "read"):
            if not os.path.lexists(folder):
                return None
            below = ((entry.path, entry.stat(follow_symlinks=False)) for entry in _below(folder))
            return sorted(
                (path, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
                for path, now in below
            )

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def links(self, folder: str) -> set[str]:
        with suppress(OSError), os.scandir(folder) as entries:
            return {entry.name for entry in entries if entry.is_symlink()}
        return set()

    @contextmanager
    def staged(self, folder: str, files: Mapping[str, bytes]) -> Iterator[Callable[[], None]]:
        """Write a folder's files aside, beside the folder of skills, where no agent looks."""
        place = Path(folder)
        import shutil  # what most commands do not need, they do not load
        import tempfile

        with explained(folder, "written"):
            place.parent.mkdir(parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=place.parent.parent))
            _sweep(aside, place)
            new = aside / "new"
            try:
                for name, content in files.items():
                    path = new / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                _sync(new, *new.rglob("*"))
                yield lambda: _move(place, aside)
            finally:
                shutil.rmtree(aside, ignore_errors=True)

    def take_away(self, folder: str) -> None:
        import shutil
        import tempfile

        place = Path(folder)
        with explained(folder, "removed"):
            aside = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=place.parent.parent))
            place.rename(aside / "gone")
            shutil.rmtree(aside)


def _move(place: Path, aside: Path) -> None:
    if os.path.lexists(place):
        # A cut between the two renames leaves the old one aside: `_sweep` brings it back.
        place.rename(aside / f"old {place.name}")
    (aside / "new").rename(place)
    _sync(place.parent)


def _sweep(fresh: Path, place: Path) -> None:
    """Give back what a run that was cut short moved aside, and remove the rest that it left."""
    import shutil

    for aside in fresh.parent.glob(f"{_ASIDE}*"):
        old = aside / f"old {place.name}"
        if old.is_dir() and not place.exists():
            old.rename(place)
        if fresh.stat().st_mtime - aside.stat().st_mtime > _STALE:
            shutil.rmtree(aside, ignore_errors=True)


def _sync(*paths: Path) -> None:
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def contents(folder: str) -> dict[str, bytes]:
    """A skill's files below a folder by their paths, a link as where it leads. Raises OSError."""
    if sum(entry.stat(follow_symlinks=False).st_size for entry in _below(folder)) > LARGEST_FOLDER:
        raise OSError(EFBIG, f"It holds more than {LARGEST_FOLDER // 1_000_000} MB")
    places = {entry.path[len(folder) + 1 :]: Path(entry.path) for entry in _below(folder)}
    return {
        path: os.fsencode(place.readlink()) if place.is_symlink() else place.read_bytes()
        for path, place in places.items()
        if place.is_symlink() or place.is_file()
    }


def _below(folder: str) -> "Iterator[os.DirEntry[str]]":
    """What is below a folder and counts as a part of a skill, but for the folders themselves."""
    folders = [folder] if Path(folder).is_dir() else []
    for place in folders:  # which grows
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name not in LEFT_OUT and entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name not in LEFT_OUT:
                    yield entry
