"""Cited files on the disk: plain text below a project's root, read and never written."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from learnt.core.knowledge.citations import below

LARGEST: Final = 2_000_000
LEFT_OUT: Final = frozenset({
    ".git", ".hg", ".svn", "node_modules", "venv", ".venv", "__pycache__", ".tox", ".mypy_cache",
})  # fmt: skip
MOST_SEEN: Final = 600  # entries of folders that are looked at for one that is gone
MOST_ALIKE: Final = 24


class DiskCitedFiles:
    """The file system. What leads out of the root, through whatever links, is not there."""

    def stamp(self, root: str, path: str) -> str | None:
        """The file's identity, size and time of change; None where no plain file is there."""
        place = _real(root, path)
        try:
            about = None if place is None else os.lstat(place)  # under the lock
        except (OSError, ValueError):
            return None
        if about is None or not stat.S_ISREG(about.st_mode):
            return None
        return f"{about.st_dev} {about.st_ino} {about.st_size} {about.st_mtime_ns}"

    def read(self, root: str, path: str) -> str | None:
        """The file's text; None where no plain text of a sensible size is there."""
        place = _real(root, path)
        if place is None:
            return None
        try:
            # The path is real now: whatever became a link since leads elsewhere.
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
            descriptor = os.open(place, flags)
        except (OSError, ValueError):
            return None
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
                return None
            with open(descriptor, "rb", closefd=False) as file:  # it is open
                held = file.read(LARGEST + 1)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        return text_of_bytes(held)

    def alike(self, root: str, path: str) -> Sequence[str]:
        """Files that a file that is gone may have become; links are not followed."""
        if not below(path):
            return []
        top = os.path.realpath(root)
        return likest(path, [found for found in _around(top, path) if found != path])


def _real(root: str, path: str) -> str | None:
    """The whole path of what lies below a root, links followed; None for what leads out of it."""
    if not below(path):
        return None
    top = os.path.realpath(root)
    try:
        place = os.path.realpath(os.path.join(top, path))  # noqa: PTH118  # at every prompt
        return place if os.path.commonpath([top, place]) == top else None
    except (OSError, ValueError):
        return None


def text_of_bytes(held: bytes) -> str | None:
    """Bytes as text; None for what is none, or too much.

    >>> text_of_bytes("é\\xff".encode("latin-1")), text_of_bytes(b"\\x7fELF\\x00")
    ('\\ufffd\\ufffd', None)
    """
    if len(held) > LARGEST or b"\x00" in held:
        return None
    return held.decode("utf-8", "replace")


def likest(path: str, others: Iterable[str]) -> list[str]:
    """Those of the same name, then those of the same suffix, each by how near they lie.

    >>> likest("a/b.py", ["b.py", "a/c.py", "x/c.py", "a/b.md"])
    ['b.py', 'a/c.py', 'x/c.py']
    """
    was = PurePosixPath(path)
    named, suffixed = [], []
    for other in others:
        found = PurePosixPath(other)
        if found.name == was.name:
            named.append(other)
        elif found.suffix == was.suffix:
            suffixed.append(other)

    def far(other: str) -> tuple[int, str]:
        one, two = was.parent.parts, PurePosixPath(other).parent.parts
        shared = sum(1 for _ in _common(one, two))
        return len(one) + len(two) - 2 * shared, other

    return [*sorted(named, key=far), *sorted(suffixed, key=far)][:MOST_ALIKE]


def _common(one: Sequence[str], two: Sequence[str]) -> Iterator[str]:
    for left, right in zip(one, two, strict=False):
        if left != right:
            return
        yield left


def _around(top: str, path: str) -> Iterator[str]:
    """Files below the root, first those of the folder it was in, then of all, breadth first."""
    seen, left = set(), MOST_SEEN
    waiting = [path.rpartition("/")[0], ""]
    while waiting and left > 0:
        folder = waiting.pop(0)
        if folder in seen:
            continue
        seen.add(folder)
        for name, is_folder in _listed(top, folder):
            left -= 1
            if left < 0:
                return
            inside = f"{folder}/{name}" if folder else name
            if is_folder:
                waiting.append(inside)
            else:
                yield inside


def _listed(top: str, folder: str) -> list[tuple[str, bool]]:
    """The plain files and folders of a folder that is below the root, in order."""
    place = os.path.join(top, folder)  # noqa: PTH118  # a prompt may wait
    if os.path.realpath(place) != place.rstrip("/"):
        return []
    try:
        with os.scandir(place) as entries:
            found = [
                (entry.name, entry.is_dir(follow_symlinks=False))
                for entry in entries
                if entry.name not in LEFT_OUT
                and (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False))
            ]
    except (OSError, ValueError):
        return []
    return sorted(found)
