"""Plain files of others, read and never written: what is cited, memories, transcripts."""

import errno
import json
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from learnt.core.knowledge.citations import below
from learnt.errors import EnvironmentTrouble, UsageError
from learnt.file_ports import Part
from learnt.stores.atomic import explained
from learnt.stores.sqlite_schema import FILE_NAME

_LARGEST: Final = 16 << 20


@contextmanager
def opened(path: str | os.PathLike[str], flags: int = 0) -> Iterator[tuple[int, int]]:
    """A plain file's descriptor and size; -1 and 0 where there is none."""
    try:
        # Without O_NONBLOCK a pipe put in its place would be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    except (OSError, ValueError):
        yield -1, 0
        return
    try:
        about = os.fstat(descriptor)
        yield (descriptor, about.st_size) if stat.S_ISREG(about.st_mode) else (-1, 0)
    finally:
        os.close(descriptor)


def whole(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a plain file up to 16 MB. Raises OSError for anything else."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
            raise OSError(errno.EINVAL, "It is no plain file of less than 16 MB", str(path))
        return file.read()


def bytes_of(path: str | os.PathLike[str], largest: int, flags: int = 0) -> bytes | None:
    """All bytes of a plain file; None where there is none, or one that is larger."""
    with suppress(OSError), opened(path, flags) as (descriptor, size):
        if descriptor >= 0 and size <= largest:
            return os.pread(descriptor, largest + 1, 0)
    return None


LARGEST: Final = 64 << 20  # bytes of a file
LARGEST_HOME: Final = 1 << 30
MOST_FILES: Final = 5_000
MOST_LISTED: Final = 200_000
MOST_TEXT: Final = 256 << 20  # characters of all files
_NOT_READ: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
_BEGINNING: Final = 2_000  # bytes by which a file of JSON is known
_SERVER: Final = "node_modules/@modelcontextprotocol/server-memory/dist"  # where it keeps its graph
_IS_TABLE: Final = "SELECT 1 FROM sqlite_master WHERE name = 'history' AND type = 'table'"
_HISTORY: Final = "SELECT memory_id, new_memory, event, updated_at FROM history ORDER BY rowid"
_KEY: Final = "key"
_LEDGER: Final = (FILE_NAME, f"{FILE_NAME}-wal", _KEY)
_BOMS: Final = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def is_home(path: str) -> bool:
    """Whether a folder is another Learnt's home."""
    return (Path(path) / FILE_NAME).is_file()


def file_text(path: str) -> str:
    """The text of a file that a person named. Raises UsageError."""
    raw = bytes_of(path, LARGEST)
    if raw is None:
        most = f"{LARGEST >> 20} MB"
        raise UsageError(f"{path} is no plain file of at most {most}. Nothing was imported.")
    return _history(path) if raw.startswith(b"SQLite format 3\0") else decoded(path, raw)


def _history(path: str) -> str:
    """What mem0 keeps in a database, as it exports it: of each memory the text that it has now."""
    rows: dict[str, dict[str, str]] = {}
    try:
        address = f"file:{quote(str(Path(path).resolve()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.execute("PRAGMA trusted_schema = 0")
            database.set_progress_handler(lambda: 1, 100_000_000)  # it is never asked for longer
            if not database.execute(_IS_TABLE).fetchone():
                raise sqlite3.DatabaseError("it has no history of memories")
            for name, text, event, date in database.execute(_HISTORY):
                rows.pop(name, None)
                if event != "DELETE" and text:
                    rows[name] = {"id": name, "memory": text, "updated_at": date}
    except sqlite3.Error as error:
        raise UsageError(f"{path} cannot be read: {error}. Nothing was imported.") from error
    return json.dumps(list(rows.values()))


def decoded(path: str, raw: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 that says so. Raises UsageError for another encoding."""
    encoding = next((_BOMS[mark] for mark in _BOMS if raw.startswith(mark)), "utf-8")
    try:
        return raw.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path} is in another encoding than UTF-8: see line {line}. Convert it, for example "
            "with `iconv -f latin1 -t utf-8`. Nothing was imported."
        ) from error


def gathered(folder: str, wanted: Callable[[str, str], bool]) -> tuple[dict[str, str], list[str]]:
    """The texts of the files of a folder that are `wanted` by path and beginning; what to tell."""
    files: dict[str, str] = {}
    findings: list[str] = []
    read = 0
    for number, path in enumerate(_paths(folder)):
        name = path.relative_to(folder).as_posix()
        if number >= MOST_LISTED or len(files) >= MOST_FILES or read > MOST_TEXT:
            bounds = f"{MOST_FILES:,} files or {MOST_TEXT >> 20} MB"
            findings.append(f"more than {bounds}: {name} and what follows it was not read")
            break
        begins = b""
        if name.endswith((".json", ".jsonl")):
            with opened(path) as (descriptor, _):
                begins = os.read(descriptor, _BEGINNING) if descriptor >= 0 else b""
        if not wanted(name, begins.decode("utf-8", "replace")):
            continue
        if path.is_symlink() or not path.is_file():
            findings.append(f"{name}: no plain file: left out")
            continue
        try:
            files[name] = file_text(str(path))
            read += len(files[name])
        except UsageError as error:
            findings.append(f"{str(error).removesuffix(' Nothing was imported.')} It was left out")
    return files, findings


def _paths(folder: str) -> Iterator[Path]:
    for top, inner, names in os.walk(folder):
        if "node_modules" in inner:
            yield from sorted(Path(top, _SERVER).glob("memory.json*"))
        inner[:] = sorted(set(inner) - _NOT_READ)
        yield from (Path(top) / name for name in sorted(names))


@contextmanager
def copied_home(path: str) -> Iterator[Path]:
    """A copy of another home's ledger and key. Raises UsageError, EnvironmentTrouble."""
    parts = [part for part in (Path(path) / name for name in _LEDGER) if part.is_file()]
    most = f"at most {LARGEST_HOME >> 30} GB"
    if (
        _KEY not in {part.name for part in parts}
        or sum(part.stat().st_size for part in parts) > LARGEST_HOME
    ):
        raise UsageError(f"{path} is no ledger of {most} with its key. Nothing was imported.")
    with tempfile.TemporaryDirectory(prefix="learnt-import-") as folder:
        with explained(path, "copied"):
            before = [part.stat().st_mtime_ns for part in parts]
            for part in parts:
                shutil.copyfile(part, Path(folder) / part.name)
        if before != [part.stat().st_mtime_ns for part in parts]:
            raise EnvironmentTrouble(
                f"{path} was written while it was copied. Nothing was imported; call this again "
                "while nothing uses it."
            )
        yield Path(folder)


LARGEST_CITED: Final = 2_000_000
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
        data = None if place is None else bytes_of(place, LARGEST_CITED, os.O_NOFOLLOW)
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
    return None if len(data) > LARGEST_CITED or b"\x00" in data else data.decode("utf-8", "replace")


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


STEP = 1 << 20


class DiskTranscripts:
    """The file system. Whatever is no plain file, or can't be read, is an empty transcript."""

    def tail(self, path: str, most: int) -> bytes:
        with opened(path) as (descriptor, size):
            start = max(0, size - most)
            data = os.pread(descriptor, most, start) if descriptor >= 0 else b""
        return data.partition(b"\n")[2] if start else data

    def since(self, path: str, start: int, most: int) -> Part:
        with opened(path) as (descriptor, size):
            if descriptor < 0 or start >= size:
                return Part(start=start, end=start, size=size)
            data = os.pread(descriptor, most, start)
            last = start + len(data) >= size
            if end := data.rfind(b"\n") + 1:
                return Part(data=data[:end], start=start, end=start + end, size=size, last=last)
            # Where nothing follows, its last line is being written.
            after = 0 if last else _after_line(descriptor, start + len(data))
            return Part(
                start=start, end=after or start, size=size, skipped=after > 0, last=not after
            )


def _after_line(descriptor: int, position: int) -> int:
    """Where the line that lies there ends; 0 where it does not end yet."""
    while piece := os.pread(descriptor, STEP, position):
        at = piece.find(b"\n")
        if at >= 0:
            return position + at + 1
        position += len(piece)
    return 0
