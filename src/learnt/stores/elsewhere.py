"""Files of others that hold one of some texts: looked for on the disk, for a bounded time."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from learnt.ports import Held
from learnt.stores.git_program import git
from learnt.stores.plain_files import opened

SECONDS: Final = 2.0
MOST_BYTES: Final = 200 << 20
MOST_TEXTS: Final = 200
_PIECE: Final = 4 << 20
_NOT_READ: Final = frozenset({".git", "node_modules", ".venv", "__pycache__"})


class _Spent(Exception):
    """No time is left, or no bytes."""


def holding(
    texts: Sequence[str], places: Sequence[str], *, seconds: float = SECONDS, most: int = MOST_BYTES
) -> Held:
    """The files, among these and below these folders, that hold one of the texts.

    Of a folder in a git repository its history as well, which is named by its folder. A letter's
    case does not count. `cut` where time, bytes or the number of texts were not enough.
    """
    search = _Search(texts[:MOST_TEXTS], time.monotonic() + seconds, most)
    cut = len(texts) > MOST_TEXTS
    try:
        for place in dict.fromkeys(places) if texts else ():
            for path in _files(place):
                search.look(path)
        for place in dict.fromkeys(places) if texts else ():
            search.look_back(place)
    except _Spent:
        cut = True
    return Held(tuple(sorted(search.found)), cut)


def _files(place: str) -> Iterator[str]:
    if not Path(place).is_dir():
        yield place
    for folder, below, names in os.walk(place):
        below[:] = sorted(set(below) - _NOT_READ)
        yield folder
        yield from (f"{folder}/{name}" for name in sorted(names))


class _Search:
    def __init__(self, texts: Sequence[str], until: float, most: int) -> None:
        self._texts, self._until, self._left = texts, until, most
        self._forms = {form for text in texts for form in _spellings(text)}
        self._overlap = max(map(len, self._forms), default=1) - 1
        self.found: set[str] = set()
        self._seen: set[tuple[int, int]] = set()

    def look(self, path: str) -> None:
        """Look through one file, once."""
        if time.monotonic() > self._until:
            raise _Spent
        with opened(path) as (descriptor, size):
            about = os.fstat(descriptor) if descriptor >= 0 else None
            if about is None or (about.st_dev, about.st_ino) in self._seen:
                return
            self._seen.add((about.st_dev, about.st_ino))
            at = 0
            while at < size and path not in self.found:
                if time.monotonic() > self._until or self._left <= 0:
                    raise _Spent
                piece = os.pread(descriptor, _PIECE + self._overlap, at).lower()
                self._left -= len(piece)
                at += _PIECE
                if any(form in piece for form in self._forms):
                    self.found.add(path)

    def look_back(self, place: str) -> None:
        """Look through what git keeps of a folder's files as they were."""
        root = git(place, "rev-parse", "--show-toplevel") if Path(place).is_dir() else None
        history = str(Path(root or place) / ".git")
        for text in self._texts if root else ():
            if (left := self._until - time.monotonic()) <= 0:
                raise _Spent
            # Of several lines git sees each by itself.
            line = max(text.splitlines() or [text], key=len)
            asked = ("log", "--all", "--max-count=1", "--format=%h", f"-S{line}")
            said = git(root or "", *asked, seconds=left)
            if said is None and time.monotonic() > self._until:
                raise _Spent
            if said:
                self.found.add(history)
                return


def _spellings(text: str) -> Iterator[bytes]:
    for word in {text, text.casefold(), text.upper(), text.lower()}:
        for form in (word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1]):
            yield form.encode("utf-8", "replace").lower()
