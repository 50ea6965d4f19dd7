"""What is kept as rows beside the views: of entries, of executions, and by which marks to find."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import starmap
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.health.executions import OTHERS, Use, UseTotals, uses
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.session_events import EpisodeFeedback
from learnt.core.records import Row, Unreadable
from learnt.core.totals import EntryTotals
from learnt.stores.sqlite_search import mark as of_scope
from learnt.stores.sqlite_views import IN_ORDER, select

_ENTRY_COLUMNS: Final = attrgetter(
    "id", "stage", "scope", "topic", "live", "corrected", "reused", "remembered_ms", "masked"
)


def keep_entries(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Bring the rows of entries up to date."""
    connection.executemany(
        "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        map(_ENTRY_COLUMNS, entries),
    )


_COLUMNS: Final = ", ".join(Use.__struct_fields__)
# As the index over them says it, so that SQLite sees that it fits.
_OF_EPISODES: Final = "kind IN ('episode_closed', 'feedback')"


def derive(connection: sqlite3.Connection, event: Event) -> None:
    """Bring the executions of the episode that an event is about up to what its events say."""
    if not event.subject.startswith("session:"):
        return  # a word on an entry is feedback as well
    name = event.where.episode
    about, names = "episode = ?", [name]
    if not (event.where.session and name):
        # Without a name the episode is its closing event.
        name = event.id
        if event.kind is Kind.FEEDBACK:
            name = payload_of(EpisodeFeedback, event).episode
        about, names = "episode IS NULL AND (id = ? OR payload ->> '$.episode' = ?)", [name, name]
    found = select(
        connection,
        f"WHERE subject = ? AND {about} AND {_OF_EPISODES} {IN_ORDER}",
        (event.subject, *names),
    )
    connection.execute(
        "DELETE FROM executions WHERE session = ? AND episode = ?", (event.subject, name)
    )
    _insert(connection, uses(found))


def _insert(connection: sqlite3.Connection, rows: list[Use]) -> None:
    marks = ",".join("?" * len(Use.__struct_fields__))
    connection.executemany(f"INSERT INTO executions ({_COLUMNS}) VALUES ({marks})", rows)


def derive_all(connection: sqlite3.Connection) -> None:
    """Replace the table by what all events say."""
    connection.execute("DELETE FROM executions")
    _insert(connection, _anew(connection))


def _anew(connection: sqlite3.Connection) -> list[Use]:
    of_sessions = f"WHERE {_OF_EPISODES} AND subject >= 'session:' AND subject < 'session;'"
    return uses(select(connection, f"{of_sessions} {IN_ORDER}"))


_TROUBLES: Final = {str(trouble): trouble for trouble in Trouble}
_CAUSES: Final = {str(cause): cause for cause in Cause}


SCHEMA: Final = """
CREATE TABLE marks (
  mark TEXT NOT NULL, scope TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (mark, scope, entry)
) WITHOUT ROWID;
CREATE INDEX marks_by_entry ON marks (entry);
"""
BY_NAMES: Final = "DELETE FROM marks;\n"  # they are made of other words: all are derived again
NEWEST: Final = 64  # of the entries with a mark, so many are looked at
Text = Callable[[ContentRef], str | None]


class Marked(Row):
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


def keep_marks(connection: sqlite3.Connection, entry: Entry, text: Text) -> None:
    """Bring the rows of an entry up to date."""
    connection.execute("DELETE FROM marks WHERE entry = ?", (entry.id,))
    connection.executemany("INSERT INTO marks VALUES (?, ?, ?)", sorted(marks_of(entry, text)))


class RowsReader:
    """The part of a reader that looks into these rows."""

    _connection: sqlite3.Connection

    def entry_totals(self) -> Sequence[EntryTotals]:
        counted = "(SELECT count(*) FROM entries)"
        stored = "SELECT count(*) FROM views WHERE subject >= 'entry:' AND subject < 'entry;'"
        if self._connection.execute(f"SELECT {counted} != ({stored})").fetchone()[0]:
            raise Unreadable("a stored entry that is not counted")
        rows = self._connection.execute(
            "SELECT stage, scope, topic, live, corrected > 0, count(*), sum(reused), "
            "min(remembered_ms), max(remembered_ms), sum(masked) FROM entries "
            "GROUP BY 1, 2, 3, 4, 5"
        )
        alike = starmap(EntryTotals, rows)
        return [replace(of, live=bool(of.live), corrected=bool(of.corrected)) for of in alike]

    def uses(self, skill: ContentRef | None = None, newest: int | None = None) -> Iterator[Use]:
        if skill is None:
            names = self._connection.execute("SELECT DISTINCT skill FROM executions ORDER BY skill")
            for (name,) in names.fetchall():
                yield from self.uses(name, newest)
            return
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM executions WHERE skill = ? "
            "ORDER BY wall_ms DESC, event DESC LIMIT ?",
            (skill, -1 if newest is None else newest),
        )
        for *names, launched, trouble, cause, grade, took, tokens, imported in reversed(
            rows.fetchall()
        ):
            ended = _TROUBLES[trouble], _CAUSES[cause], grade, took, tokens, bool(imported)
            yield Use(*(*names, bool(launched), *ended))

    def use_totals(self) -> list[UseTotals]:
        marks = ", ".join("?" * len(OTHERS))
        rows = self._connection.execute(
            "SELECT skill, count(*), count(own), ifnull(sum(own), 0), sum(imported), "
            "sum(trouble != ?), sum(cause = ?), sum(cause = ?) FROM ("
            f"SELECT *, CASE WHEN cause NOT IN ({marks}) THEN grade END AS own "
            "FROM executions) GROUP BY skill ORDER BY skill",
            (str(Trouble.NONE), *sorted(OTHERS), *sorted(OTHERS)),
        )
        return list(starmap(UseTotals, rows))

    def marked(
        self, marks: Collection[str], scopes: Sequence[ProjectId]
    ) -> dict[str, list[EntryId]]:
        here = [of_scope(scope) for scope in (None, *scopes)]
        query = (
            f"SELECT entry FROM marks WHERE mark = ? AND scope IN ({','.join('?' * len(here))}) "
            f"ORDER BY entry DESC LIMIT {NEWEST}"
        )
        rows = {mark: self._connection.execute(query, (mark, *here)).fetchall() for mark in marks}
        return {
            mark: [EntryId(entry) for (entry,) in found] for mark, found in rows.items() if found
        }

    def differing_rows(self, entries: Sequence[Entry], text: Text) -> list[str]:
        """The entries and executions whose rows are not as the events say."""
        held = set(self._connection.execute("SELECT * FROM entries"))
        found = {f"counted:{row[0]}" for row in held ^ set(map(_ENTRY_COLUMNS, entries))}
        expected = {row for entry in entries for row in marks_of(entry, text)}
        rows = self._connection.execute("SELECT mark, scope, entry FROM marks")
        found |= {f"marks:{row.entry}" for row in set(starmap(Marked, rows)) ^ expected}
        same = Counter(_anew(self._connection)) == Counter(self.uses())
        return [*sorted(found), *([] if same else ["executions"])]
