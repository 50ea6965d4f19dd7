"""Files of other memories, found below a folder and read as text: bounded, no link followed."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from learnt.errors import EnvironmentTrouble, UsageError
from learnt.stores.plain_files import bytes_of
from learnt.stores.sqlite_schema import FILE_NAME

LARGEST: Final = 64 << 20  # bytes of a file
LARGEST_HOME: Final = 1 << 30
MOST_FILES: Final = 5_000
MOST_TEXT: Final = 256 << 20  # characters of all files
_NOT_READ: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
_MARKDOWN: Final = (".md", ".mdc", ".cursorrules")
_LEDGER: Final = (FILE_NAME, f"{FILE_NAME}-wal", "key")
_BOMS: Final = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def is_home(path: str) -> bool:
    """Whether a folder is another Learnt's home."""
    return (Path(path) / FILE_NAME).is_file()


def file_text(path: str) -> str:
    """The text of a file that a person named.

    Raises UsageError for what is no plain file, too large, or in another encoding.
    """
    raw = bytes_of(path, LARGEST)
    if raw is None:
        most = f"{LARGEST >> 20} MB"
        raise UsageError(f"{path} is no plain file of at most {most}. Nothing was imported.")
    return decoded(path, raw)


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


def gathered(folder: str, wanted: Callable[[str], bool]) -> tuple[dict[str, str], list[str]]:
    """The texts of the files of a folder that may hold memories, by path; what is to be told.

    At the top every Markdown, JSON and line file; below it Markdown, and what is `wanted` by its
    path.
    """
    files: dict[str, str] = {}
    findings: list[str] = []
    for number, path in enumerate(_paths(folder)):
        name = path.relative_to(folder).as_posix()
        if number >= MOST_FILES or sum(map(len, files.values())) > MOST_TEXT:
            bounds = f"{MOST_FILES:,} files or {MOST_TEXT >> 20} MB"
            findings.append(f"more than {bounds}: {name} and what follows it was not read")
            break
        top = "/" not in name and name.endswith((".json", ".jsonl", *_MARKDOWN))
        if not (top or name.endswith(_MARKDOWN) or wanted(name)):
            continue
        if path.is_symlink() or not path.is_file():
            findings.append(f"{name}: no plain file: left out")
            continue
        try:
            files[name] = file_text(str(path))
        except UsageError as error:
            findings.append(f"{str(error).removesuffix(' Nothing was imported.')} It was left out")
    return files, findings


def _paths(folder: str) -> Iterator[Path]:
    for top, below, names in os.walk(folder):
        below[:] = sorted(set(below) - _NOT_READ)
        yield from (Path(top) / name for name in sorted(names))


@contextmanager
def copied_home(path: str) -> Iterator[Path]:
    """A copy of another home's ledger and key, to be read: the home itself is not touched.

    Raises EnvironmentTrouble where it cannot be copied, or was written meanwhile, UsageError for
    one that is too large or has no key.
    """
    parts = [Path(path) / name for name in _LEDGER]
    size = sum(part.stat().st_size for part in filter(Path.is_file, parts))
    if not parts[-1].is_file():
        raise UsageError(f"{path} has a ledger and no key beside it. Nothing was imported.")
    if size > LARGEST_HOME:
        most = f"{LARGEST_HOME >> 30} GB"
        raise UsageError(f"{path} has a ledger of more than {most}. Nothing was imported.")
    with tempfile.TemporaryDirectory(prefix="learnt-import-") as folder:
        try:
            before = _seen(parts)
            for part in filter(Path.is_file, parts):
                shutil.copyfile(part, Path(folder) / part.name)
            if _seen(parts) != before:
                raise EnvironmentTrouble(
                    f"{path} was written while it was copied. Nothing was imported; call this "
                    "again while nothing uses it."
                )
        except OSError as error:
            raise EnvironmentTrouble(
                f"{path} cannot be copied ({error}). Nothing was imported."
            ) from error
        yield Path(folder)


def _seen(parts: list[Path]) -> list[tuple[int, int]]:
    return [(s.st_size, s.st_mtime_ns) for s in map(Path.stat, filter(Path.is_file, parts))]
