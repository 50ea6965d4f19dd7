"""Cited files on the disk: plain text below a project's root, read and never written."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final

from learnt.core.knowledge.citations import below
from learnt.stores.plain_files import bytes_of

LARGEST: Final = 2_000_000
LEFT_OUT: Final = frozenset({
    ".git", ".hg", ".svn", "node_modules", "venv", ".venv", "__pycache__", ".tox", ".mypy_cache",
})  # fmt: skip
MOST_SEEN: Final = 600  # entries of folders that are looked at for one that is gone
MOST_ALIKE: Final = 24


class DiskCitedFiles:
    """The file system. What leads out of the root, through whatever links, is not there."""

    def stamp(self, root: str, path: str) -> str | None:
        place = _real(root, path)
        try:
            about = None if place is None else os.lstat(place)  # under the lock
        except (OSError, ValueError):
            return None
        if about is None or not stat.S_ISREG(about.st_mode):
            return None
        return f"{about.st_dev} {about.st_ino} {about.st_size} {about.st_mtime_ns}"

    def written_ms(self, root: str, path: str) -> int | None:
        stamp = self.stamp(root, path)
        return None if stamp is None else int(stamp.rpartition(" ")[2]) // 1_000_000

    def read(self, root: str, path: str) -> str | None:
        place = _real(root, path)
        # The path is real now: whatever became a link since leads elsewhere.
        data = None if place is None else bytes_of(place, LARGEST, os.O_NOFOLLOW)
        return None if data is None else text_of_bytes(data)

    def alike(self, root: str, path: str) -> Sequence[str]:
        if not below(path):
            return []
        top = os.path.realpath(root)
        return likest(path, [other for other in _around(top, path) if other != path])


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


def text_of_bytes(data: bytes) -> str | None:
    """Bytes as text; None for what is none, or too much.

    >>> text_of_bytes("é\\xff".encode("latin-1")), text_of_bytes(b"\\x7fELF\\x00")
    ('\\ufffd\\ufffd', None)
    """
    return None if len(data) > LARGEST or b"\x00" in data else data.decode("utf-8", "replace")


def likest(path: str, others: Iterable[str]) -> list[str]:
    """Those of the same name, then those of the same suffix, each by how near they lie.

    >>> likest("a/b.py", ["b.py", "a/c.py", "x/c.py", "a/b.md"])
    ['b.py', 'a/c.py', 'x/c.py']
    """
    was = PurePosixPath(path)

    def order(other: PurePosixPath) -> tuple[bool, int, str]:
        pairs = zip(was.parent.parts, other.parent.parts, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        steps = len(was.parts) + len(other.parts) - 2 * shared
        return other.name != was.name, steps, str(other)

    alike = (other for other in map(PurePosixPath, others) if other.suffix == was.suffix)
    return list(map(str, sorted(alike, key=order)[:MOST_ALIKE]))


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
    place = os.path.join(top, folder)  # noqa: PTH118  # a prompt may wait
    if os.path.realpath(place) != place.rstrip("/"):
        return []
    try:
        with os.scandir(place) as entries:
            return sorted(
                (entry.name, entry.is_dir(follow_symlinks=False))
                for entry in entries
                if entry.name not in LEFT_OUT
                and (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False))
            )
    except (OSError, ValueError):
        return []
