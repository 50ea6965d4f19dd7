"""SQLite: the file is opened to be read, and the session refuses to write as well."""

import os
import pathlib
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import quote

from learnt.domains.database.servers.connections import DbAddress, Dialect
from learnt.domains.database.servers.sessions import DbSession, Limits, Rows

_STEPS: Final = 2_000  # of SQLite's machine between two looks at the clock: below a millisecond
_LONGEST: Final = 16 << 20  # bytes of one value: a server's usual limit


class SqliteSession(DbSession):
    """One file, opened with mode=ro."""

    dialect: Dialect = "sqlite"

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        super().__init__(address, password, limits)
        self._deadline, self._stopped = float("inf"), False
        if pathlib.Path(address.database).exists() and not pathlib.Path(address.database).is_file():
            raise self._unreachable(OSError("it is no plain file"))  # a pipe would be waited for
        # A file in WAL mode gets two others beside it when it is opened, unless it is said to lie
        # still; where they are there already, somebody is at work on it.
        still = "" if pathlib.Path(f"{address.database}-wal").exists() else "&immutable=1"
        try:
            self._connection = sqlite3.connect(
                f"file:{quote(address.database)}?mode=ro{still}",
                uri=True,
                timeout=limits.connect_seconds,
                isolation_level=None,
                check_same_thread=False,
            )
            self._prepare(self._connection)
        except sqlite3.Error as error:
            raise self._unreachable(error) from error

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
        connection.set_progress_handler(self._late, _STEPS)

    def _late(self) -> bool:
        self._stopped = time.monotonic() > self._deadline
        return self._stopped

    @contextmanager
    def reading(self, sql: str) -> Iterator[Rows]:
        """Run one statement in a transaction of its own that only reads; what is unread is lost.

        Raises LearntError where it fails or takes too long.
        """
        self._deadline = time.monotonic() + self._limits.seconds
        cursor = self._connection.cursor()
        try:
            cursor.execute("BEGIN")
            cursor.execute(sql)
            yield Rows([str(column[0]) for column in cursor.description or ()], iter(cursor))
        except (sqlite3.Error, sqlite3.Warning) as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code == sqlite3.SQLITE_INTERRUPT and not self._stopped:
                # Ctrl-C while the clock was looked at: SQLite stops for it, and keeps it to itself.
                raise KeyboardInterrupt from None
            if self._late():
                raise self._too_slow() from error
            raise self._failed(error) from error
        finally:
            self._deadline = float("inf")
            cursor.close()
            if self._connection.in_transaction:
                self._connection.rollback()

    def identity(self) -> Mapping[str, str]:
        """The file."""
        return {"server": "sqlite", "database": self._address.database}

    def could_write(self) -> str:
        """Whether this user may write the file; here nothing does."""
        return "write the file" if os.access(self._address.database, os.W_OK) else ""

    def encrypted(self) -> bool:
        """A file is read where it lies."""
        return True
