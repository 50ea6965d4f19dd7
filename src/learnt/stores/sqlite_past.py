"""Where the words of sessions stand: an index of its own file, without a text.

A word of a project has one row a session: for each turn four bytes, of which the lowest is what the
word counts for there and the others are the turn's number. An erased turn keeps its number and its
mark. The journal is a file for as long as something is written, so that nothing is left in one.
"""

import json
import os
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from heapq import nlargest
from math import fsum
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from learnt.core.local_time import local
from learnt.core.recall.conversation import SCALE, Days, HitSession, impact, priors, score, touches
from learnt.core.recall.ranking import idf, rarest
from learnt.errors import HomeUnusable
from learnt.file_ports import PastSession, PastTurn

FILE_NAME: Final = "sessions.index"
PATIENCE: Final = 30  # seconds that another process may write
POSTINGS: Final = 20_000  # that a search looks at
LIKELY, NEAR = 100, 2  # turns that are scored for their own words, and beside each
BEGUN: Final = 0.01  # how a session of a named time began, which shares no word
_SCHEMA: Final = """
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
CREATE TABLE IF NOT EXISTS sessions (
  id INTEGER PRIMARY KEY, name TEXT UNIQUE, project TEXT, path TEXT,
  until INTEGER, began INTEGER, ended INTEGER, asks BLOB
);
CREATE TABLE IF NOT EXISTS turns (
  session INTEGER, number INTEGER, at INTEGER, ms INTEGER, speaker TEXT, mark TEXT UNIQUE,
  PRIMARY KEY (session, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS words (
  id INTEGER PRIMARY KEY, word TEXT, project TEXT, turns INTEGER, UNIQUE (word, project)
);
CREATE TABLE IF NOT EXISTS postings (
  word INTEGER, session INTEGER, turns BLOB, PRIMARY KEY (word, session)
) WITHOUT ROWID;
"""
_COLUMNS: Final = "name, project, path, until, began, ended, asks"
_GIVEN: Final = "(SELECT value FROM json_each(?))"


class SqlitePast:
    """The index of a home; in memory where `file` is None."""

    def __init__(self, file: Path | None = None, *, wanted: bool = True) -> None:
        self._file, self.wanted = file, wanted
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Give the file back."""
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def _transaction(self, begin: str = "BEGIN") -> Iterator[sqlite3.Connection]:
        try:
            self._connection = self._connection or _opened(self._file)
            self._connection.execute(begin)
            with self._connection:  # commits, or rolls back
                yield self._connection
        except (sqlite3.Error, OSError) as error:
            raise HomeUnusable(
                f"{self._file} cannot be used: {error}. Sessions cannot be searched; all else goes "
                "on. Removed, it is rebuilt of the transcripts that are still there; what was "
                "purged from it by its words alone must then be purged again."
            ) from error

    def known(self) -> list[PastSession]:
        with self._transaction() as connection:
            return [*_sessions(connection).values()]

    def add(self, before: PastSession, after: PastSession, turns: Sequence[PastTurn]) -> bool:
        with self._transaction("BEGIN IMMEDIATE") as connection:
            held = {own.name: (key, own) for key, own in _sessions(connection).items()}
            key, now = held.get(before.name, (None, replace(before, until=0)))
            if now.until != before.until:
                return False
            if key is None:
                order = "INSERT INTO sessions (name) VALUES (?)"
                key = connection.execute(order, (before.name,)).lastrowid
            added: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
            asks, times = bytearray(now.asks), {now.began_ms, now.ended_ms} - {0}
            for turn, asked in zip(turns, after.asks, strict=True):
                done = connection.execute(
                    "INSERT OR IGNORE INTO turns VALUES (?, ?, ?, ?, ?, ?)",
                    (key, len(asks), turn.at, turn.ms, turn.speaker, turn.mark),
                )
                if not done.rowcount:  # where its own session was rewritten it may have moved
                    order = "UPDATE turns SET at = ? WHERE mark = ? AND session = ? AND at >= 0"
                    connection.execute(order, (turn.at, turn.mark, key))
                    continue
                for term, count in Counter(turn.terms).items():
                    added[term].append(len(asks) << 8 | impact(count, len(turn.terms)))
                asks.append(asked)
                times.add(turn.ms)
            ends = (min(times, default=0), max(times, default=0), bytes(asks), key)
            connection.execute(
                "UPDATE sessions SET (project, path, until, began, ended, asks) = "
                "(?, ?, ?, ?, ?, ?) WHERE id = ?",
                (*after[1:4], *ends),
            )
            words = sorted(added.items())
            connection.executemany(
                "INSERT INTO words (word, project, turns) VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET turns = turns + excluded.turns",
                ((term, after.project, len(packed)) for term, packed in words),
            )
            # Without the cast, SQLite before 3.41 makes a text of what is joined.
            connection.executemany(
                "INSERT INTO postings SELECT id, ?, ? FROM words WHERE word = ? AND project = ? "
                "ON CONFLICT DO UPDATE SET turns = CAST(turns || excluded.turns AS BLOB)",
                ((key, packed.tobytes(), term, after.project) for term, packed in words),
            )
            return True

    def match(
        self,
        terms: Sequence[str],
        times: Sequence[Days],
        projects: Sequence[str],
        most: int,
        near: Mapping[str, float] = {},
    ) -> list[PastTurn]:
        with self._transaction() as connection:
            sessions = {k: s for k, s in _sessions(connection).items() if s.project in projects}
            total = sum(len(session.asks) for session in sessions.values())
            hit = _hit(connection, sessions, terms, total)
            _raise(connection, sessions, hit, near)
            _named(sessions, hit, times)
            prior = priors(hit, max(1, total) / max(1, len(sessions)), times)
            likely = nlargest(
                LIKELY,
                ((own + prior[k], k, n) for k, each in hit.items() for n, own in each.own.items()),
            )
            beside = {(k, n + far) for _, k, n in likely for far in range(-NEAR, NEAR + 1)}
            ranked = nlargest(
                2 * most,  # some may be erased
                (
                    (score(hit[k], n) + prior[k], k, n)
                    for k, n in beside
                    if 0 <= n < len(hit[k].asks)
                ),
            )
            found = [
                turn
                for _, key, number in ranked
                for turn in _turns(connection, sessions[key], key, number)
            ]
            return found[:most]

    def turns(self, name: str) -> list[PastTurn]:
        with self._transaction() as connection:
            held = _sessions(connection).items()
            return [t for key, s in held if s.name == name for t in _turns(connection, s, key)]

    def erase(self, sessions: Collection[str], turns: Mapping[str, Collection[int]]) -> None:
        with self._transaction("BEGIN IMMEDIATE") as connection:
            execute = connection.execute
            for key, session in _sessions(connection).items():
                whole = session.name in sessions
                going = {*range(len(session.asks))} if whole else {*turns.get(session.name, ())}
                query = "SELECT turns, word FROM postings WHERE session = ?"
                for packed, word in execute(query, (key,)).fetchall() if going else ():
                    kept = (turn for turn in array("I", packed) if turn >> 8 not in going)
                    order = "UPDATE postings SET turns = ? WHERE word = ? AND session = ?"
                    execute(order, (array("I", kept).tobytes(), word, key))
                for number in going:
                    order = "UPDATE turns SET at = -1, ms = 0 WHERE session = ? AND number = ?"
                    execute(order, (key, number))
                if whole:
                    execute("DELETE FROM turns WHERE session = ?", (key,))
                    execute("DELETE FROM sessions WHERE id = ?", (key,))
            execute("DELETE FROM postings WHERE length(turns) = 0")
            execute("DELETE FROM words WHERE id NOT IN (SELECT word FROM postings)")
            held = "SELECT sum(length(turns)) / 4 FROM postings WHERE word = words.id"
            execute(f"UPDATE words SET turns = ({held})")
            connection.commit()  # what follows is no part of a transaction
            execute("VACUUM")


def _opened(file: Path | None) -> sqlite3.Connection:
    """The index, with its tables; the file is the owner's. Raises sqlite3.Error, OSError."""
    if file is not None:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(file or ":memory:", timeout=PATIENCE, isolation_level=None)
    try:
        connection.executescript(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _sessions(connection: sqlite3.Connection) -> dict[int, PastSession]:
    """The sessions by their numbers, the latest first."""
    rows = connection.execute(f"SELECT id, {_COLUMNS} FROM sessions ORDER BY ended DESC, id DESC")
    return {key: PastSession(*row) for key, *row in rows.fetchall()}


def _turns(
    connection: sqlite3.Connection, session: PastSession, key: int, number: int | None = None
) -> list[PastTurn]:
    """The turns of a session that are not erased, or one of them."""
    rows = connection.execute(
        "SELECT number, at, ms, speaker, mark FROM turns WHERE session = ? "
        "AND number = ifnull(?, number) AND at >= 0 ORDER BY number",
        (key, number),
    )
    return [PastTurn(session, *row) for row in rows.fetchall()]


def _hit(
    connection: sqlite3.Connection,
    sessions: Mapping[int, PastSession],
    terms: Sequence[str],
    total: int,
) -> dict[int, HitSession]:
    """The sessions that share terms with a question; the rarest of these count."""
    projects = json.dumps([*{session.project for session in sessions.values()}])
    rows = connection.execute(
        f"SELECT id, word, turns FROM words WHERE word IN {_GIVEN} AND project IN {_GIVEN}",
        (json.dumps(terms), projects),
    ).fetchall()
    counts: Counter[str] = Counter()
    for _, word, turns in rows:
        counts[word] += turns
    weights = {word: idf(turns, total) for word, turns in counts.items()}
    asked, looked = fsum(weights.values()), {*rarest(counts, POSTINGS)}
    hit: dict[int, HitSession] = {}
    for number, word, _ in sorted(row for row in rows if row[1] in looked):
        worth = weights[word] * SCALE / asked
        query = "SELECT session, turns FROM postings WHERE word = ?"
        for key, packed in connection.execute(query, (number,)):
            if key not in hit:
                held = sessions[key]
                hit[key] = HitSession(held.asks, _span(held))
            own, turns = hit[key].own, array("I", packed)
            hit[key].holding.append((weights[word], len(turns)))
            for turn in turns:
                own[turn >> 8] = own.get(turn >> 8, 0.0) + (turn & 255) * worth
    return hit


def _raise(
    connection: sqlite3.Connection,
    sessions: Mapping[int, PastSession],
    hit: dict[int, HitSession],
    near: Mapping[str, float],
) -> None:
    """Add to the turns of these marks what they have beside their words."""
    rows = connection.execute(
        f"SELECT session, number, mark FROM turns WHERE mark IN {_GIVEN}", (json.dumps([*near]),)
    )
    for key, number, mark in rows:
        if (held := sessions.get(key)) is not None:
            own = hit.setdefault(key, HitSession(held.asks, _span(held))).own
            own[number] = own.get(number, 0.0) + near[mark]


def _named(
    sessions: Mapping[int, PastSession], hit: dict[int, HitSession], times: Sequence[Days]
) -> None:
    """Add how the sessions of a named time began, which may share no word with the question."""
    for key, held in sessions.items():
        span = _span(held)
        if held.asks and touches(span, times):
            hit.setdefault(key, HitSession(held.asks, span)).own.setdefault(0, BEGUN)


def _span(held: PastSession) -> Days:
    return _day(held.began_ms), _day(held.ended_ms)


def _day(ms: int) -> int:
    """The local day of a moment."""
    return local(ms).toordinal()
