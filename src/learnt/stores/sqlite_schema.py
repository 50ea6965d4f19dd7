"""The ledger's file: its tables, its migrations, and how a connection to it is opened."""

import errno
import os
import sqlite3
import time
from contextlib import ExitStack, closing, suppress
from itertools import starmap
from pathlib import Path
from typing import Final
from urllib.parse import quote

from learnt.core.knowledge.entries import Entry
from learnt.core.records import Unreadable
from learnt.errors import HomeUnusable, LedgerBusy, LedgerDamaged, LedgerNewer
from learnt.stores import sqlite_views

FILE_NAME: Final = "ledger.db"

_FIRST: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,           -- order of arrival here: for paging, never for folding
  id TEXT NOT NULL UNIQUE,
  ms INTEGER NOT NULL, counter INTEGER NOT NULL, home TEXT NOT NULL,
  wall INTEGER NOT NULL,
  subject TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
  actor TEXT NOT NULL, origin TEXT,
  project TEXT, place TEXT,
  agent TEXT, session TEXT, subagent TEXT, epoch INTEGER, episode TEXT,
  nkey TEXT UNIQUE,
  payload TEXT NOT NULL
);
CREATE INDEX events_by_subject ON events (subject, ms, counter, home);
CREATE INDEX events_by_kind ON events (kind, ms, counter, home);
CREATE INDEX events_by_session ON events (session, ms, counter, home) WHERE session IS NOT NULL;

CREATE TABLE contents (ref TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL);

CREATE TABLE views (
  subject TEXT PRIMARY KEY,
  ms INTEGER NOT NULL, counter INTEGER NOT NULL, home TEXT NOT NULL,
  events INTEGER NOT NULL,
  state TEXT NOT NULL
);
CREATE TABLE snapshots (
  subject TEXT NOT NULL,
  ms INTEGER NOT NULL, counter INTEGER NOT NULL, home TEXT NOT NULL,
  events INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (subject, ms, counter, home)
) WITHOUT ROWID;

CREATE TABLE aliases (
  alias TEXT NOT NULL, project TEXT NOT NULL, PRIMARY KEY (alias, project)
) WITHOUT ROWID;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  entry TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL,               -- the project's mark, or that of everywhere
  fingerprint TEXT NOT NULL,
  subject TEXT NOT NULL,             -- terms of the problem and the tags
  body TEXT NOT NULL                 -- terms of the approach and the cautions
);
CREATE INDEX documents_by_fingerprint ON documents (fingerprint);
-- In how many documents of a scope each term stands: the key is the scope's mark and the term.
CREATE TABLE terms (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (
  marked, content = '', detail = 'none',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (search, 'row');  -- what the index says it holds

CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  nkey TEXT NOT NULL UNIQUE,
  ms INTEGER NOT NULL,
  event TEXT NOT NULL, session TEXT NOT NULL, episode TEXT NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0,
  body TEXT NOT NULL
);
CREATE INDEX inbox_by_session ON inbox (session, closed);
CREATE INDEX inbox_by_age ON inbox (closed, ms);
"""

# What is summed up over very many: the executions of skills, derived from the events of episodes,
# and what is counted of entries, derived from their views.
_SECOND: Final = """
CREATE TABLE entries (
  entry TEXT PRIMARY KEY, stage TEXT NOT NULL, scope TEXT, topic TEXT NOT NULL,
  live INTEGER NOT NULL, corrected INTEGER NOT NULL, reused INTEGER NOT NULL,
  remembered_ms INTEGER NOT NULL, masked INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE executions (
  skill TEXT NOT NULL, wall_ms INTEGER NOT NULL, event TEXT NOT NULL,
  session TEXT NOT NULL, episode TEXT NOT NULL,
  by TEXT NOT NULL, launched INTEGER NOT NULL,
  trouble TEXT NOT NULL, cause TEXT NOT NULL, grade INTEGER,
  took_ms INTEGER, tokens INTEGER, imported INTEGER NOT NULL
);
-- It holds all that is summed up of a skill: the rows lie in another order.
CREATE INDEX executions_by_skill ON executions (skill, wall_ms, event, cause, grade, imported);
CREATE INDEX executions_by_episode ON executions (session, episode);
CREATE INDEX events_of_episodes ON events (subject, episode)
  WHERE kind IN ('episode_closed', 'feedback');
"""

_THIRD: Final = "CREATE INDEX events_by_people ON events (ms) WHERE actor = 'human';\n"

_FOURTH: Final = """
CREATE TABLE marks (
  mark TEXT NOT NULL, scope TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (mark, scope, entry)
) WITHOUT ROWID;
CREATE INDEX marks_by_entry ON marks (entry);
"""
_FIFTH: Final = "DELETE FROM marks;\n"  # they are made of other words: all are derived again

_SETTINGS: Final = (
    "journal_mode = WAL", "secure_delete = ON", "cache_size = -16000", "wal_autocheckpoint = 4000",
)  # fmt: skip

_EMPTIED: Final = "it is malformed: a ledger is never an empty file"

# Append-only: a released script never changes. The file's user_version counts those applied.
MIGRATIONS: Final = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH)


def check_version(connection: sqlite3.Connection) -> int:
    """The file's version. Raises LedgerNewer where a newer Learnt wrote it."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise LedgerNewer(
            f"The ledger has format {version}; this Learnt knows up to {len(MIGRATIONS)}. Nothing "
            "was changed. Upgrade Learnt, or use the newer one that wrote it."
        )
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to today's version in one transaction. Raises sqlite3.DatabaseError."""
    if check_version(connection) == len(MIGRATIONS):
        named = "SELECT type FROM sqlite_master WHERE name = 'events'"
        if connection.execute(named).fetchone() != ("table",):  # a view of that name may never end
            raise sqlite3.DatabaseError("malformed: it has no table of events")
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for script in MIGRATIONS[check_version(connection) :]:
            statement = ""
            for line in script.splitlines(keepends=True):
                statement += line
                if sqlite3.complete_statement(statement):
                    connection.execute(statement)
                    statement = ""
        _derive(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # all steps or none
            connection.execute("ROLLBACK")


def _derive(connection: sqlite3.Connection) -> None:
    """Fill the tables that are summed up, of a ledger that had none."""
    # What is damaged is told by whoever reads it, and a rebuild must be able to open the ledger.
    with suppress(LedgerDamaged, Unreadable):
        sqlite_views.derive_all(connection)
    with suppress(Unreadable):
        stored = starmap(sqlite_views.View, connection.execute("SELECT * FROM views"))
        entries = list(sqlite_views.of_kind(Entry, Entry.prefix, stored))
        sqlite_views.keep_entries(connection, entries)
        for entry in entries:
            sqlite_views.keep_marks(
                connection, entry, lambda ref: sqlite_views.text_of(connection, ref)
            )


def trouble(error: Exception, path: Path) -> Exception:
    """The error of ours that an error of SQLite or of the file system means."""
    text = str(error).lower()
    if "locked" in text or "busy" in text or "interrupted" in text:
        return LedgerBusy(
            f"Another program is writing to {path}. Nothing was changed; try again in a moment."
        )
    if "malformed" in text or "not a database" in text or "corrupt" in text:
        return LedgerDamaged(
            f"{path} cannot be read as a ledger ({error}). It was left exactly as it is. "
            "`learnt doctor --set-aside` moves it into the home's `aside` folder and starts a new "
            "one; what hooks report meanwhile waits in the spool."
        )
    return HomeUnusable(
        f"{path} cannot be used: {error}. Nothing was changed. Check that the home folder exists, "
        "is writable and has room."
    )


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None)


def connect(home: Path | None, patience_ms: int) -> sqlite3.Connection:
    """A connection to a home's ledger, made and migrated if needed. Raises as `trouble` tells.

    Without a home it is a ledger in memory.
    """
    path = Path(":memory:") if home is None else home / FILE_NAME
    try:
        if home is None:
            pass
        elif path.exists():
            if not path.is_file():  # a pipe would be waited for, a device never ends
                raise OSError(errno.EINVAL, "it is no plain file")
            # A newer ledger is refused before anything about it is touched, its journal included.
            if not path.stat().st_size:
                raise sqlite3.DatabaseError(_EMPTIED)
            with closing(_read_only(path)) as connection:
                check_version(connection)
        else:
            _make(path, patience_ms)
        connection = sqlite3.connect(path, isolation_level=None, timeout=patience_ms / 1000)
    except (OSError, sqlite3.Error) as error:
        raise trouble(error, path) from error
    with ExitStack() as undo:  # whatever goes wrong, the file is not left open
        undo.callback(connection.close)
        try:
            for setting in _SETTINGS:
                _set(connection, setting, patience_ms)
            migrate(connection)
        except sqlite3.Error as error:
            raise trouble(error, path) from error
        undo.pop_all()
    return connection


def _make(path: Path, patience_ms: int) -> None:
    """Make a ledger that is there whole or not at all: an empty file is one that was emptied."""
    made = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(made, isolation_level=None)) as connection:
            for setting in _SETTINGS:
                _set(connection, setting, patience_ms)
            migrate(connection)
        with suppress(FileExistsError):  # another was quicker
            os.link(made, path)
    finally:
        made.unlink(missing_ok=True)


def _set(connection: sqlite3.Connection, setting: str, patience_ms: int) -> None:
    """Make a setting; where another makes the journal of a new file just now, a moment later."""
    until = time.monotonic() + patience_ms / 1000
    while True:
        try:
            connection.execute(f"PRAGMA {setting}")
        except sqlite3.OperationalError as error:
            # For a change of the journal SQLite itself does not wait.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def set_aside(home: Path) -> str:
    """Move a home's ledger into its `aside` folder, whole, if it is damaged; what was done."""
    path = home / FILE_NAME
    if not path.exists():
        return f"There is no ledger in {home}; nothing was moved."
    with suppress(sqlite3.Error), closing(_read_only(path)) as connection:
        sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        if sound and path.stat().st_size:
            return f"{path} is sound; nothing was moved."
    number = 1
    while (target := home / "aside" / f"ledger-{number}.db").exists():
        number += 1
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(target.with_name(target.name + suffix))
    return f"The damaged ledger lies in {target}, as it was; a new one begins."
