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
from datetime import UTC, datetime
from heapq import nlargest
from math import fsum
from pathlib import Path
from typing import Final

from learnt.core.recall.conversation import SCALE, HitSession, Months, impact, priors, score
from learnt.core.recall.ranking import idf, rarest
from learnt.errors import HomeUnusable
from learnt.file_ports import IndexedTurn, PastSession, PastTurn

FILE_NAME: Final = "sessions.index"
VERSION: Final = 1
PATIENCE: Final = 30  # seconds that another process may write
POSTINGS: Final = 20_000  # that a search looks at
LIKELY, NEAR = 100, 2  # turns that are scored for their own words, and beside each
_SCHEMA: Final = """
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, name TEXT UNIQUE, agent TEXT, project TEXT, path TEXT,
  until INTEGER, prompt TEXT, began INTEGER, ended INTEGER, asks BLOB
);
CREATE TABLE turns (
  session INTEGER, number INTEGER, at INTEGER, ms INTEGER, speaker TEXT, mark TEXT UNIQUE,
  PRIMARY KEY (session, number)
) WITHOUT ROWID;
CREATE TABLE words (
  id INTEGER PRIMARY KEY, project TEXT, word TEXT, turns INTEGER, UNIQUE (word, project)
);
CREATE TABLE postings (
  word INTEGER, session INTEGER, turns BLOB, PRIMARY KEY (word, session)
) WITHOUT ROWID;
"""
_SESSION: Final = "name, agent, project, path, until, prompt, length(asks), began, ended"
# Without the cast, SQLite before 3.41 makes a text of what is joined.
_JOINED: Final = "CAST(turns || excluded.turns AS BLOB)"
_ERASED: Final = -1  # where an erased turn is


class SqlitePast:
    """The index of a home; in memory where `file` is None."""

    def __init__(self, file: Path | None = None, *, wanted: bool = True) -> None:
        self._file, self.wanted = file, wanted
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Give the file back."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

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
                "on. Removed, it is made anew of the transcripts that are still there; what was "
                "purged from it by its words alone must then be purged again."
            ) from error

    def known(self, projects: Sequence[str] | None = None) -> list[PastSession]:
        where = "" if projects is None else "WHERE project IN (SELECT value FROM json_each(?))"
        with self._transaction() as connection:
            rows = connection.execute(
                f"SELECT {_SESSION} FROM sessions {where} ORDER BY ended DESC, id DESC",
                () if projects is None else (json.dumps(projects),),
            )
            return list(map(PastSession._make, rows.fetchall()))

    def begin(self, session: PastSession) -> PastSession:
        row = (session.name, session.agent, session.project, session.path)
        with self._transaction("BEGIN IMMEDIATE") as connection:
            connection.execute(
                "INSERT INTO sessions (name, agent, project, path, until, prompt, began, ended, "
                "asks) VALUES (?, ?, ?, ?, 0, '', 0, 0, x'') "
                "ON CONFLICT DO UPDATE SET path = excluded.path",
                row,
            )
            return _session(connection, session.name)

    def add(
        self, name: str, before: int, until: int, prompt: str, turns: Sequence[IndexedTurn]
    ) -> bool:
        with self._transaction("BEGIN IMMEDIATE") as connection:
            row = connection.execute(
                "SELECT id, project, asks, began, ended FROM sessions WHERE name = ? AND until = ?",
                (name, before),
            ).fetchone()
            if row is None:
                return False
            session, project, asks, began, ended = row
            added: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
            for turn in turns:
                number = len(asks)
                done = connection.execute(
                    "INSERT OR IGNORE INTO turns VALUES (?, ?, ?, ?, ?, ?)",
                    (session, number, turn.at, turn.ms, turn.speaker, turn.mark),
                )
                if done.rowcount:
                    asks += b"\1" if turn.asks else b"\0"
                    began, ended = min(began or turn.ms, turn.ms), max(ended, turn.ms)
                    for term, count in Counter(turn.terms).items():
                        added[term].append(number << 8 | impact(count, len(turn.terms)))
            connection.executemany(
                "INSERT INTO words (project, word, turns) VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET turns = turns + excluded.turns",
                ((project, term, len(packed)) for term, packed in sorted(added.items())),
            )
            connection.executemany(
                "INSERT INTO postings SELECT id, ?, ? FROM words WHERE project = ? AND word = ? "
                f"ON CONFLICT DO UPDATE SET turns = {_JOINED}",
                ((session, added[term].tobytes(), project, term) for term in sorted(added)),
            )
            connection.execute(
                "UPDATE sessions SET until = ?, prompt = ?, began = ?, ended = ?, asks = ? "
                "WHERE id = ?",
                (until, prompt, began, ended, asks, session),
            )
            return True

    def match(
        self, terms: Sequence[str], times: Sequence[Months], projects: Sequence[str], most: int
    ) -> list[PastTurn]:
        with self._transaction() as connection:
            hit, usual = _hit(connection, terms, json.dumps(projects))
            prior = priors(hit, usual, times)
            likely = nlargest(
                LIKELY,
                (
                    (own + prior[key], key, number)
                    for key, session in hit.items()
                    for number, own in session.own.items()
                ),
            )
            near = {
                (key, number + far)
                for _, key, number in likely
                for far in range(-NEAR, NEAR + 1)
                if 0 <= number + far < len(hit[key].asks)
            }
            ranked = nlargest(  # some may be erased
                2 * most,
                ((score(hit[key], number) + prior[key], key, number) for key, number in near),
            )
            found = (_turns(connection, key, number, points) for points, key, number in ranked)
            return [turn for rows in found for turn in rows][:most]

    def turns(self, name: str) -> list[PastTurn]:
        with self._transaction() as connection:
            row = connection.execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()
            return [] if row is None else _turns(connection, row[0])

    def erase(self, sessions: Collection[str] | None, turns: Mapping[str, Collection[int]]) -> None:
        with self._transaction("BEGIN IMMEDIATE") as connection:
            rows = connection.execute("SELECT name, id FROM sessions").fetchall()
            going = [key for name, key in rows if sessions is None or name in sessions]
            for table, key in (("postings", "session"), ("turns", "session"), ("sessions", "id")):
                connection.executemany(
                    f"DELETE FROM {table} WHERE {key} = ?", ((each,) for each in going)
                )
            for name, key in rows:
                if turns.get(name):
                    _take_out(connection, key, {*turns[name]})
            connection.execute("DELETE FROM words WHERE id NOT IN (SELECT word FROM postings)")
            connection.execute(
                "UPDATE words SET turns = "
                "(SELECT sum(length(turns)) / 4 FROM postings WHERE word = words.id)"
            )
            connection.commit()  # what follows is no part of a transaction
            connection.execute("VACUUM")


def _opened(file: Path | None) -> sqlite3.Connection:
    """The index, with its tables; the file is the owner's. Raises sqlite3.Error, OSError."""
    if file is not None and not file.exists():
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(file or ":memory:", timeout=PATIENCE, isolation_level=None)
    try:
        for setting in ("secure_delete = ON", "temp_store = MEMORY", "cache_size = -32000"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"it has format {version}, not {VERSION}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _session(connection: sqlite3.Connection, name: str) -> PastSession:
    query = f"SELECT {_SESSION} FROM sessions WHERE name = ?"
    return PastSession._make(connection.execute(query, (name,)).fetchone())


def _turns(
    connection: sqlite3.Connection, key: int, number: int | None = None, points: float = 0.0
) -> list[PastTurn]:
    """The turns of a session that are there, or one of them."""
    query = f"SELECT {_SESSION} FROM sessions WHERE id = ?"
    session = PastSession._make(connection.execute(query, (key,)).fetchone())
    rows = connection.execute(
        "SELECT number, at, ms, speaker, mark FROM turns WHERE session = ? AND at != ? "
        "AND number = ifnull(?, number) ORDER BY number",
        (key, _ERASED, number),
    )
    return [PastTurn(session, *row)._replace(score=points) for row in rows.fetchall()]


def _hit(
    connection: sqlite3.Connection, terms: Sequence[str], projects: str
) -> tuple[dict[int, HitSession], float]:
    """The sessions that share terms with a question, and how many turns one has on average."""
    total, count = connection.execute(
        "SELECT ifnull(sum(length(asks)), 0), count(*) FROM sessions "
        "WHERE project IN (SELECT value FROM json_each(?))",
        (projects,),
    ).fetchone()
    rows = connection.execute(
        "SELECT word, id, turns FROM words WHERE word IN (SELECT value FROM json_each(?)) "
        "AND project IN (SELECT value FROM json_each(?)) ORDER BY word, id",
        (json.dumps(terms), projects),
    ).fetchall()
    counts: Counter[str] = Counter()
    for word, _, turns in rows:
        counts[word] += turns
    weights = {word: idf(turns, total) for word, turns in counts.items()}
    asked = fsum(weights.values())
    looked = {*rarest(counts, POSTINGS)}
    own: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    holding: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for word, number, _ in rows:
        if word not in looked:
            continue
        worth = weights[word] * SCALE / asked
        query = "SELECT session, turns FROM postings WHERE word = ?"
        for session, packed in connection.execute(query, (number,)):
            scores, turns = own[session], array("I", packed)
            holding[session].append((weights[word], len(turns)))
            for turn in turns:
                scores[turn >> 8] += (turn & 255) * worth
    query = (
        "SELECT id, asks, began, ended FROM sessions WHERE id IN (SELECT value FROM json_each(?))"
    )
    found = connection.execute(query, (json.dumps([*own]),))
    hit = {
        key: HitSession(
            own=own[key], asks=asks, holding=holding[key], time=(_month(began), _month(ended))
        )
        for key, asks, began, ended in found
    }
    return hit, max(1.0, total / max(1, count))


def _month(ms: int) -> int:
    """The month of a moment in UTC, counted from the year 0."""
    moment = datetime.fromtimestamp(ms / 1_000, UTC)
    return 12 * moment.year + moment.month - 1


def _take_out(connection: sqlite3.Connection, session: int, numbers: set[int]) -> None:
    query = "SELECT word, turns FROM postings WHERE session = ?"
    for word, packed in connection.execute(query, (session,)).fetchall():
        turns = array("I", packed)
        kept = array("I", [turn for turn in turns if turn >> 8 not in numbers])
        if not kept:
            order = "DELETE FROM postings WHERE word = ? AND session = ?"
            connection.execute(order, (word, session))
        elif len(kept) < len(turns):
            order = "UPDATE postings SET turns = ? WHERE word = ? AND session = ?"
            connection.execute(order, (kept.tobytes(), word, session))
    connection.executemany(
        f"UPDATE turns SET at = {_ERASED}, ms = 0, speaker = '' WHERE session = ? AND number = ?",
        ((session, number) for number in numbers),
    )
