"""Files of other memories, found below a folder and read as text: bounded, no link followed."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from learnt.errors import EnvironmentTrouble, UsageError
from learnt.stores.atomic import explained
from learnt.stores.plain_files import bytes_of
from learnt.stores.sqlite_schema import FILE_NAME

LARGEST: Final = 64 << 20  # bytes of a file
LARGEST_HOME: Final = 1 << 30
MOST_FILES: Final = 5_000
MOST_TEXT: Final = 256 << 20  # characters of all files
_NOT_READ: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
_MARKDOWN: Final = (".md", ".mdc", ".cursorrules")
_KEY: Final = "key"
_LEDGER: Final = (FILE_NAME, f"{FILE_NAME}-wal", _KEY)
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

    Raises UsageError for one that is too large or has no key, EnvironmentTrouble for one that
    cannot be copied, or was written meanwhile.
    """
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
