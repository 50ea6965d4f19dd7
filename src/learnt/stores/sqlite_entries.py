"""What is counted of entries as rows, kept beside their views: for sums over very many."""

import sqlite3
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from learnt.core.knowledge.entries import Entry
from learnt.core.records import Unreadable
from learnt.core.totals import EntryTotals

_COLUMNS: Final = attrgetter(
    "id", "stage", "scope", "topic", "live", "corrected", "reused", "remembered_ms", "masked"
)


def keep(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Bring the rows of entries up to date."""
    connection.executemany(
        "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_COLUMNS, entries)
    )


def differing(connection: sqlite3.Connection, anew: Iterable[Entry]) -> list[str]:
    """The subjects of the entries whose rows are not as the events say."""
    stored = set(connection.execute("SELECT * FROM entries"))
    return sorted(f"counted:{row[0]}" for row in stored ^ set(map(_COLUMNS, anew)))


def totals(connection: sqlite3.Connection) -> Sequence[EntryTotals]:
    """All entries, those together that are alike. Raises Unreadable where one is not counted."""
    counted = "(SELECT count(*) FROM entries)"
    stored = "SELECT count(*) FROM views WHERE subject >= 'entry:' AND subject < 'entry;'"
    if connection.execute(f"SELECT {counted} != ({stored})").fetchone()[0]:
        raise Unreadable("a stored entry that is not counted")
    rows = connection.execute(
        "SELECT stage, scope, topic, live, corrected > 0, count(*), sum(reused), "
        "min(remembered_ms), max(remembered_ms), sum(masked) FROM entries GROUP BY 1, 2, 3, 4, 5"
    )
    alike = map(EntryTotals._make, rows)
    return [of._replace(live=bool(of.live), corrected=bool(of.corrected)) for of in alike]
