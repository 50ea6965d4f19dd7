"""Files of ours in an agent's folders: put there, brought up to date, and taken out exactly."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from learnt.flows.setup.register import Registration


class Shelf(Protocol):
    """An agent's folders on disk."""

    def read(self, path: str) -> str | None:
        """The text of a file, or None where there is none."""

    def write(self, path: str, text: str) -> list[str]:
        """Write a file whole; the folders that were made for it, outermost first."""

    def link(self, path: str, to: str) -> list[str] | None:
        """Put a link to a folder; the folders made for it, or None where something is there."""

    def leads(self, path: str, to: str) -> bool:
        """Whether a link leads there."""

    def remove(self, path: str) -> None:
        """Remove a file or a link."""

    def remove_folder(self, path: str) -> None:
        """Remove a folder if it is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """One file to be there, or with `to` a link that leads to a folder."""

    path: str
    text: str = ""
    to: str = ""


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def due(shelf: Shelf, wanted: Iterable[Companion], known: Iterable[Registration]) -> list[str]:
    """The paths that putting them there would write."""
    ours = {row.file: row for row in known}
    return [one.path for one in wanted if _free(shelf, one, ours.get(one.path))]


def _free(shelf: Shelf, one: Companion, row: Registration | None) -> bool:
    """Whether it is to be written: not there, or ours and of another version."""
    if one.to:
        return not shelf.leads(one.path, one.to) and shelf.read(one.path) is None
    there = shelf.read(one.path)
    if there is None:
        return True
    return there != one.text and row is not None and _hash(there) == row.written


def put(
    shelf: Shelf, wanted: Iterable[Companion], known: Iterable[Registration]
) -> tuple[list[Registration], list[str]]:
    """Put the files there; what was done, and the paths of files that are somebody else's.

    A file that is not ours, or was edited since, stays as it is.
    """
    ours = {row.file: row for row in known}
    done: list[Registration] = []
    kept: list[str] = []

    def record(kind: str, path: str, written: str) -> None:
        if path not in ours:
            row = Registration(file=path, backup=None, created=True, written=written, kind=kind)
            done.append(row)

    for one in wanted:
        row = ours.get(one.path)
        if not _free(shelf, one, row):
            same = shelf.leads(one.path, one.to) if one.to else shelf.read(one.path) == one.text
            if not same:
                kept.append(one.path)
            continue
        made = shelf.link(one.path, one.to) if one.to else shelf.write(one.path, one.text)
        if made is None:
            kept.append(one.path)
            continue
        for folder in made:
            record("folder", folder, "")
        ours.pop(one.path, None)
        record("link" if one.to else "file", one.path, one.to or _hash(one.text))
    return done, kept


def take_out(shelf: Shelf, rows: Iterable[Registration]) -> tuple[list[str], list[str]]:
    """Take out what `put` did: paths removed, and paths kept since they were edited since."""
    removed: list[str] = []
    kept: list[str] = []
    folders: list[str] = []
    for row in rows:
        match row.kind:
            case "folder":
                folders.append(row.file)
            case "link" if shelf.leads(row.file, row.written):
                shelf.remove(row.file)
                removed.append(row.file)
            case "file" if (text := shelf.read(row.file)) is not None:
                if _hash(text) == row.written:
                    shelf.remove(row.file)
                    removed.append(row.file)
                else:
                    kept.append(row.file)
            case _:
                pass
    for folder in sorted(folders, key=len, reverse=True):
        shelf.remove_folder(folder)
    return removed, kept
