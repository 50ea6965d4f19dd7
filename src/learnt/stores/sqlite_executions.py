"""The executions of skills as rows, derived from the events of episodes: for sums over many."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Final

from learnt.core.events import Event, Kind, payload_of
from learnt.core.health.executions import OTHERS, Use, UseTotals, uses
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.identifiers import ContentRef
from learnt.core.payloads.episode_events import EpisodeFeedback
from learnt.stores.sqlite_views import IN_ORDER, select

_COLUMNS: Final = ", ".join(Use._fields)
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
    marks = ",".join("?" * len(Use._fields))
    connection.executemany(f"INSERT INTO executions ({_COLUMNS}) VALUES ({marks})", rows)


def derive_all(connection: sqlite3.Connection) -> None:
    """Replace the table by what all events say."""
    connection.execute("DELETE FROM executions")
    _insert(connection, _anew(connection))


def differing(connection: sqlite3.Connection) -> list[str]:
    """`executions` where the table is not what the events say, else nothing."""
    same = Counter(_anew(connection)) == Counter(stored(connection))
    return [] if same else ["executions"]


def _anew(connection: sqlite3.Connection) -> list[Use]:
    of_sessions = f"WHERE {_OF_EPISODES} AND subject >= 'session:' AND subject < 'session;'"
    return uses(select(connection, f"{of_sessions} {IN_ORDER}"))


def stored(
    connection: sqlite3.Connection, skill: ContentRef | None = None, newest: int | None = None
) -> Iterator[Use]:
    """The executions of a skill, or of all, those of each skill in the order of their time.

    With `newest` the last so many of each skill.
    """
    if skill is None:
        names = connection.execute("SELECT DISTINCT skill FROM executions ORDER BY skill")
        for (name,) in names.fetchall():
            yield from stored(connection, name, newest)
        return
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM executions WHERE skill = ? "
        "ORDER BY wall_ms DESC, event DESC LIMIT ?",
        (skill, -1 if newest is None else newest),
    )
    for *names, launched, trouble, cause, grade, took, tokens, imported in reversed(
        rows.fetchall()
    ):
        ended = _TROUBLES[trouble], _CAUSES[cause], grade, took, tokens, bool(imported)
        yield Use._make((*names, bool(launched), *ended))


def totals(connection: sqlite3.Connection) -> list[UseTotals]:
    """What all executions of each skill add up to."""
    marks = ", ".join("?" * len(OTHERS))
    rows = connection.execute(
        "SELECT skill, count(*), count(own), ifnull(sum(own), 0), sum(imported) FROM ("
        f"SELECT skill, imported, CASE WHEN cause NOT IN ({marks}) THEN grade END AS own "
        "FROM executions) GROUP BY skill ORDER BY skill",
        sorted(OTHERS),
    )
    return list(map(UseTotals._make, rows))


_TROUBLES: Final = {str(trouble): trouble for trouble in Trouble}
_CAUSES: Final = {str(cause): cause for cause in Cause}
