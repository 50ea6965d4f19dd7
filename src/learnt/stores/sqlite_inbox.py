"""Observations in SQLite: an inbox with a time to live, no part of a rebuild."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final

from learnt.core.identifiers import NaturalKey
from learnt.core.records import Record, canonical, decode, encode, holds
from learnt.core.sessions.observations import (
    NO_RESPONSE,
    Observation,
    Observed,
    Response,
    from_json,
)

_COLUMNS: Final = attrgetter("id", "ms", "event", "session", "episode")
_PARTS: Final = tuple(p for p in Observation.__struct_fields__ if p != "marked")


class _Kept(Record):
    """What is kept beside an observation."""

    response: Response = NO_RESPONSE


class InboxReader:
    """The part of a reader that looks into the inbox."""

    _connection: sqlite3.Connection

    def observed(
        self, session: str, *, episode: str | None = None, open_only: bool = False, naming: str = ""
    ) -> Sequence[Observed]:
        only = " AND closed = 0" * open_only + " AND episode = ?" * (episode is not None)
        only += " AND instr(body, ?)" * bool(naming)
        # As it stands in the body, whose text is JSON.
        named = [canonical(naming)[1:-1]] if naming else []
        rows = self._connection.execute(
            f"SELECT id, body, closed FROM inbox WHERE session = ?{only} ORDER BY seq",
            [session, *([] if episode is None else [episode]), *named],
        )
        read = ((name, json.loads(body), bool(closed)) for name, body, closed in rows)
        return [
            Observed(observation=observation, closed=closed, response=decode(_Kept, body).response)
            for name, body, closed in read
            if (observation := from_json(body, name)) is not None
        ]

    def activity(self, session: str, events: Collection[str]) -> int:
        marks = ",".join("?" * len(events))
        row = self._connection.execute(
            f"SELECT max(seq) FROM inbox WHERE session = ? AND event IN ({marks})",
            (session, *sorted(events)),
        ).fetchone()
        return int(row[0] or 0)

    def sessions_observed(self) -> Sequence[str]:
        rows = self._connection.execute("SELECT DISTINCT session FROM inbox ORDER BY session")
        return [str(name) for (name,) in rows]


class InboxWriter:
    """The part of a writer that changes the inbox."""

    _connection: sqlite3.Connection

    def observe(
        self, observation: Observation, key: NaturalKey, response: Response = NO_RESPONSE
    ) -> bool:
        body = {name: getattr(observation, name) for name in _PARTS}
        written = canonical({**body, **encode(_Kept(response))})
        order = "INSERT OR IGNORE INTO inbox (nkey, body, id, ms, event, session, episode)"
        row = (key, written, *_COLUMNS(observation))
        return self._connection.execute(f"{order} VALUES (?, ?, ?, ?, ?, ?, ?)", row).rowcount == 1

    def close_episode(self, session: str, episode: str) -> None:
        self._connection.execute(
            "UPDATE inbox SET closed = 1 WHERE session = ? AND episode = ? AND closed = 0",
            (session, episode),
        )

    def forget_observations(self, before_ms: int) -> int:
        return self._connection.execute("DELETE FROM inbox WHERE ms < ?", (before_ms,)).rowcount

    def erase_observations(self, *, session: str | None = None, text: str | None = None) -> int:
        execute = self._connection.execute
        if session is not None:
            return execute("DELETE FROM inbox WHERE session = ?", (session,)).rowcount
        rows = execute("SELECT seq, body FROM inbox").fetchall()
        gone = [(seq,) for seq, body in rows if text is None or holds(body, text)]
        self._connection.executemany("DELETE FROM inbox WHERE seq = ?", gone)
        return len(gone)
