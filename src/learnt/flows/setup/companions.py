"""Files of ours in an agent's folders: put there, brought up to date, and taken out exactly."""

from collections.abc import Iterable
from typing import Literal, Protocol

from learnt.core.governance.proposals import text_hash
from learnt.core.records import Record
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


class Companion(Record):
    """One file to be there, or with `to` a link that leads to a folder."""

    path: str
    text: str = ""
    to: str = ""


def _state(
    shelf: Shelf, companion: Companion, row: Registration | None
) -> Literal["there", "due", "foreign"]:
    text = shelf.read(companion.path)
    if shelf.leads(companion.path, companion.to) if companion.to else text == companion.text:
        return "there"
    ours = not companion.to and row is not None and text_hash(text) == row.written
    return "due" if text is None or ours else "foreign"


def due(shelf: Shelf, wanted: Iterable[Companion], recorded: Iterable[Registration]) -> list[str]:
    """The paths that putting them there would write."""
    rows = {row.file: row for row in recorded}
    return [each.path for each in wanted if _state(shelf, each, rows.get(each.path)) == "due"]


def put(
    shelf: Shelf, wanted: Iterable[Companion], recorded: Iterable[Registration]
) -> tuple[list[Registration], list[str]]:
    """Put the files there; what was done, and the paths of others' or edited files, left alone."""
    rows = {row.file: row for row in recorded}
    done: list[Registration] = []
    kept: list[str] = []
    for companion in wanted:
        path, to, made = companion.path, companion.to, None
        state = _state(shelf, companion, rows.get(path))
        if state == "due":
            made = shelf.link(path, to) if to else shelf.write(path, companion.text)
        if made is not None:
            folders = [folder_row(folder) for folder in made if folder not in rows]
            kind, written = ("link", to) if to else ("file", text_hash(companion.text))
            done += [*folders, _row(kind, path, written)]
        elif state != "there":
            kept.append(path)
    return done, kept


def folder_row(folder: str) -> Registration:
    """The record of a folder that was made."""
    return _row("folder", folder, "")


def _row(kind: str, path: str, written: str) -> Registration:
    return Registration(file=path, backup=None, created=True, written=written, kind=kind)


def take_out(shelf: Shelf, rows: Iterable[Registration]) -> tuple[list[str], list[str]]:
    """Take out what `put` did: paths removed, and paths kept since they were edited since."""
    removed: list[str] = []
    kept: list[str] = []
    folders: list[str] = []
    for row in rows:
        text = shelf.read(row.file) if row.kind == "file" else None
        if row.kind == "folder":
            folders.append(row.file)
        elif row.kind == "link" and shelf.leads(row.file, row.written):
            removed.append(row.file)
        elif text is not None:
            (removed if text_hash(text) == row.written else kept).append(row.file)
    for path in removed:
        shelf.remove(path)
    for folder in sorted(folders, key=len, reverse=True):
        shelf.remove_folder(folder)
    return removed, kept
