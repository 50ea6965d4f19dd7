"""By which marks entries are found at a failure or a file: rows kept beside the search."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple

from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.entries import Entry
from learnt.stores.sqlite_search import mark as of_scope

SCHEMA: Final = """
CREATE TABLE marks (
  mark TEXT NOT NULL, scope TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (mark, scope, entry)
) WITHOUT ROWID;
CREATE INDEX marks_by_entry ON marks (entry);
"""
BY_NAMES: Final = "DELETE FROM marks;\n"  # they are made of other words: all are derived again
NEWEST: Final = 64  # of the entries with a mark, so many are looked at
Text = Callable[[ContentRef], str | None]


class Marked(NamedTuple):
    """A row: an entry has a mark, and holds in a scope."""

    mark: str
    scope: str
    entry: EntryId


def marks_of(entry: Entry, text: Text) -> set[Marked]:
    """The rows of an entry: what a solution's problem and signs name, and what a fact is about."""
    if not entry.live:
        return set()
    from learnt.core.recall.marks import of_name, of_signs  # a prompt needs none of it

    signs = entry.signs or filter(None, (entry.problem,))
    cited = (ref for cite in entry.cites for ref in cite.refs)
    names = filter(None, map(text, (*entry.entities, *cited)))
    marks = of_signs(text(ref) or "" for ref in signs) | set(map(of_name, names))
    return {Marked(mark, of_scope(entry.scope), entry.id) for mark in marks}


def keep(connection: sqlite3.Connection, entry: Entry, text: Text) -> None:
    """Bring the rows of an entry up to date."""
    connection.execute("DELETE FROM marks WHERE entry = ?", (entry.id,))
    connection.executemany("INSERT INTO marks VALUES (?, ?, ?)", sorted(marks_of(entry, text)))


def marked(
    connection: sqlite3.Connection, marks: Collection[str], scopes: Sequence[ProjectId]
) -> dict[str, list[EntryId]]:
    """By mark the newest entries of these projects and of everywhere that have it."""
    here = [of_scope(scope) for scope in (None, *scopes)]
    query = (
        f"SELECT entry FROM marks WHERE mark = ? AND scope IN ({','.join('?' * len(here))}) "
        f"ORDER BY entry DESC LIMIT {NEWEST}"
    )
    rows = {mark: connection.execute(query, (mark, *here)).fetchall() for mark in marks}
    return {mark: [EntryId(entry) for (entry,) in found] for mark, found in rows.items() if found}


def differing(connection: sqlite3.Connection, anew: Iterable[Entry], text: Text) -> list[str]:
    """The entries whose rows are not as their texts say."""
    expected = {row for entry in anew for row in marks_of(entry, text)}
    stored = set(map(Marked._make, connection.execute("SELECT mark, scope, entry FROM marks")))
    return sorted({f"marks:{row.entry}" for row in stored ^ expected})
