"""Observations in SQLite: an inbox with a time to live, no part of a rebuild."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import fields
from typing import Final

from learnt.core.identifiers import NaturalKey
from learnt.core.json_values import canonical, holds
from learnt.core.sessions.observations import (
    Observation,
    Observed,
    from_json,
    response_from_json,
    response_to_json,
)

_PARTS: Final = tuple(part.name for part in fields(Observation))


def put(connection: sqlite3.Connection, observed: Observed, key: NaturalKey) -> bool:
    """Keep an observation; False where its id or its natural key is there already."""
    observation = observed.observation
    body = {name: getattr(observation, name) for name in _PARTS}
    done = connection.execute(
        "INSERT OR IGNORE INTO inbox (id, nkey, ms, event, session, episode, body) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            observation.id,
            key,
            observation.ms,
            observation.event,
            observation.session,
            observation.episode,
            canonical({**body, **response_to_json(observed.response)}),
        ),
    )
    return done.rowcount == 1


def observed(
    connection: sqlite3.Connection,
    session: str,
    episode: str | None,
    *,
    open_only: bool,
    naming: str,
) -> list[Observed]:
    """A session's observations, or one episode's, in the order of arrival."""
    only = " AND closed = 0" * open_only + " AND episode = ?" * (episode is not None)
    only += " AND instr(body, ?)" * bool(naming)
    # As it stands in the body, whose text is JSON.
    named = [canonical(naming)[1:-1]] if naming else []
    rows = connection.execute(
        f"SELECT id, body, closed FROM inbox WHERE session = ?{only} ORDER BY seq",
        [session, *([] if episode is None else [episode]), *named],
    )
    read = ((name, json.loads(body), bool(closed)) for name, body, closed in rows)
    return [
        Observed(observation=observation, closed=closed, response=response_from_json(body))
        for name, body, closed in read
        if (observation := from_json(body, name)) is not None
    ]


def activity(connection: sqlite3.Connection, session: str, events: Collection[str]) -> int:
    """A number that rises with each of these events in a session, and never falls."""
    marks = ",".join("?" * len(events))
    row = connection.execute(
        f"SELECT max(seq) FROM inbox WHERE session = ? AND event IN ({marks})",
        (session, *sorted(events)),
    ).fetchone()
    return int(row[0] or 0)


def sessions(connection: sqlite3.Connection) -> list[str]:
    """The names of the sessions that were observed, in order."""
    rows = connection.execute("SELECT DISTINCT session FROM inbox ORDER BY session")
    return [str(name) for (name,) in rows]


def close_episode(connection: sqlite3.Connection, session: str, episode: str) -> None:
    """Mark an episode's observations as folded."""
    connection.execute(
        "UPDATE inbox SET closed = 1 WHERE session = ? AND episode = ? AND closed = 0",
        (session, episode),
    )


def forget(connection: sqlite3.Connection, before_ms: int) -> int:
    """Drop observations older than that; how many went."""
    return connection.execute("DELETE FROM inbox WHERE ms < ?", (before_ms,)).rowcount


def erase(connection: sqlite3.Connection, session: str | None, text: str | None) -> int:
    """Erase a session's observations, or those that hold a text, or all; how many."""
    if session is not None:
        return connection.execute("DELETE FROM inbox WHERE session = ?", (session,)).rowcount
    rows = connection.execute("SELECT seq, body FROM inbox").fetchall()
    gone = [(seq,) for seq, body in rows if text is None or holds(body, text)]
    connection.executemany("DELETE FROM inbox WHERE seq = ?", gone)
    return len(gone)
