"""Copies of texts in plain files: those of the home, and files of others that hold one."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final

from learnt.core.records import holds
from learnt.formats.learnings_md import LEARNINGS, PINNED, pinned
from learnt.ports import Held
from learnt.stores.atomic import write_atomically
from learnt.stores.git_program import git
from learnt.stores.plain_files import bytes_of, opened
from learnt.stores.sqlite_past import FILE_NAME as SESSIONS
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.stores.typed_prompts import FOLDER as PROMPTS

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
    """The files, among and below these, that hold one of the texts, in any case; git's history too.

    `cut` where time, bytes or the number of texts were not enough.
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


_LARGEST: Final = 1 << 24


class Purging(Enum):
    """What a purge does with a store of the home."""

    INSIDE = "erases texts, reports and sessions' names in it, by entry, session, project or words"
    FILES = "erases each file that holds what is erased; with everything each file"
    ANEW = "removes it: it is rebuilt when it is asked for"
    NAMED = "leaves it, since it is its user's, and names each file that holds what is erased"
    NOTHING = "leaves it: it holds nothing that was said"


VECTORS: Final = "vectors"
# Of each store of a home: what it holds, and what a purge does with it. What a domain keeps besides
# the domain itself erases.
STORES: Final[Mapping[str, tuple[str, Purging]]] = {
    FILE_NAME: ("events, texts, reports and indexes", Purging.INSIDE),
    f"{FILE_NAME}-wal": ("the ledger's journal", Purging.INSIDE),
    f"{FILE_NAME}-shm": ("the journal's index", Purging.INSIDE),
    SESSIONS: ("where the words of sessions stand", Purging.INSIDE),
    "spool": ("reports that wait for the ledger", Purging.FILES),
    PROMPTS: ("what was typed in sessions that go on", Purging.FILES),
    "aside": ("what could not be read, and edited hook files", Purging.FILES),
    "logs": ("errors", Purging.FILES),
    "backups": ("settings as they were before a change", Purging.FILES),
    LEARNINGS: ("a summary, and what people pinned in it", Purging.FILES),
    VECTORS: ("vectors of texts, as good as the texts", Purging.ANEW),
    "cache": ("indexes of files elsewhere", Purging.ANEW),
    "config.toml": ("settings", Purging.NAMED),
    "skills": ("installed skills", Purging.NAMED),
    "installed.json": ("what was put into agents' settings", Purging.NOTHING),
    "bin": ("the hook", Purging.NOTHING),
    "run": ("locks and a socket", Purging.NOTHING),
    "key": ("random bytes", Purging.NOTHING),
}
# What a domain erases: the names of its files that hold a text, or of all of them.
Eraser = Callable[[Callable[[str], bool]], Sequence[str]]


class FileTraces:
    """The files of a home other than the ledger; `domains` erases in what domains keep."""

    def __init__(self, home: Path, domains: Eraser = lambda _: ()) -> None:
        self._home, self._domains = home, domains

    def erase_with(self, words: Sequence[str] | None) -> list[str]:
        def goes(content: str) -> bool:
            return words is None or any(
                (holds(content, word) or holds(content, json.dumps(word)[1:-1])) for word in words
            )

        erased = []
        for store, (_, purging) in STORES.items():
            files = self._files(store) if purging is Purging.FILES and store != LEARNINGS else ()
            for path in files:
                if goes(path.read_bytes().decode("utf-8", "replace")):
                    path.unlink(missing_ok=True)
                    erased.append(str(path.relative_to(self._home)))
        kept = self._pinned()
        if kept is not None and goes(kept):
            (self._home / LEARNINGS).unlink()
            erased.append(LEARNINGS)
        return [*erased, *self._domains(goes)]

    def drop_caches(self) -> None:
        for store in (name for name, (_, purging) in STORES.items() if purging is Purging.ANEW):
            for path in self._files(store):
                path.unlink(missing_ok=True)
            for folder in sorted((self._home / store).rglob("*/"), reverse=True):
                with suppress(OSError):  # one that is filled again meanwhile stays
                    folder.rmdir()
        if (kept := self._pinned()) is not None:
            write_atomically(self._home / LEARNINGS, f"{PINNED}\n{kept}")

    def elsewhere(self, words: Sequence[str], first: Sequence[str]) -> Held:
        # What no row covers is a stranger's, or was a domain's that is installed no more.
        left = (
            str(path)
            for path in sorted(self._home.glob("*"))
            if STORES.get(path.name, ("", Purging.NAMED))[1] is Purging.NAMED
        )
        return holding(words, [*left, *first])

    def _files(self, store: str) -> Iterator[Path]:
        place = self._home / store
        return (path for path in [place, *sorted(place.rglob("*"))] if path.is_file())

    def _pinned(self) -> str | None:
        """What people pinned in the file of learnings; None where there is no such file."""
        kept = bytes_of(self._home / LEARNINGS, _LARGEST)
        return None if kept is None else pinned(kept.decode("utf-8", "replace"))
