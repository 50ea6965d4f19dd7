"""SQLite: the file is opened to be read, and the session refuses to write as well.

A statement runs in a process of its own, which is this file and is killed when its time is over:
nothing else ends SQLite within a step of its machine, which may take minutes. The process reads the
statement; it writes the columns and each row as a line of JSON, at last null, or why it failed.
"""

import json
import os
import pathlib
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from typing import Any, Final
from urllib.parse import quote

from learnt.domains.database.servers.connections import DbAddress, DbSession, Dialect, Limits, Rows

_LONGEST: Final = 16 << 20  # bytes of one value: a server's usual limit


class SqliteSession(DbSession):
    """One file, opened with mode=ro."""

    dialect: Dialect = "sqlite"

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        super().__init__(address, password, limits)
        if pathlib.Path(address.database).exists() and not pathlib.Path(address.database).is_file():
            raise self._unreachable(OSError("it is no plain file"))  # a pipe would be waited for
        # A file in WAL mode gets two others beside it when it is opened, unless it is said to lie
        # still; where they are there already, somebody is at work on it.
        still = "" if pathlib.Path(f"{address.database}-wal").exists() else "&immutable=1"
        self._uri = f"file:{quote(address.database)}?mode=ro{still}"
        try:
            self._connection = _connected(self._uri, limits.connect_seconds)
        except sqlite3.Error as error:
            raise self._unreachable(error) from error

    @contextmanager
    def reading(self, sql: str) -> Iterator[Rows]:
        deadline, words = time.monotonic() + self._limits.seconds, [sys.executable, "-I", "-m"]
        words += [__name__, self._uri, str(self._limits.connect_seconds)]
        # A session of its own: Ctrl-C is for this process alone.
        with Popen(words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True) as child:
            clock = Timer(self._limits.seconds, child.kill)
            clock.start()
            try:
                assert child.stdin and child.stdout
                with suppress(BrokenPipeError), child.stdin as asked:
                    asked.write(sql.encode())
                lines = self._read_answers(child.stdout, deadline)
                yield Rows(list(map(str, next(lines))), lines)
            finally:
                clock.cancel()
                child.kill()

    def _read_answers(self, lines: Iterable[bytes], deadline: float) -> Iterator[tuple[Any, ...]]:
        for line in lines:
            value = json.loads(line, object_hook=lambda packed: bytes.fromhex(packed["bytes"]))
            if value is None:
                return
            if isinstance(value, str):
                raise self.failed(value)
            yield tuple(value)
        if time.monotonic() >= deadline:
            raise self._too_slow()
        raise self._broken("the process that asked SQLite has ended")

    def identity(self) -> Mapping[str, str]:
        return {"server": "sqlite", "database": self._address.database}

    def could_write(self) -> str:
        return "write the file" if os.access(self._address.database, os.W_OK) else ""

    def encrypted(self) -> bool:
        return True


SESSION: Final = SqliteSession


def _connected(uri: str, seconds: float) -> sqlite3.Connection:
    """A connection that writes nothing. Raises sqlite3.Error where the file is no database."""
    connection = sqlite3.connect(
        uri, seconds, isolation_level=None, check_same_thread=False, uri=True
    )
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
    return connection


def _print_line(value: object) -> None:
    print(json.dumps(value, default=lambda raw: {"bytes": raw.hex()}), flush=True)  # noqa: T201  # its output


def main(uri: str, seconds: str) -> None:
    """Run what standard input says, in a transaction of its own."""
    try:
        connection = _connected(uri, float(seconds))
        connection.execute("BEGIN")
        cursor = connection.execute(sys.stdin.buffer.read().decode())
        _print_line([str(column[0]) for column in cursor.description or ()])
        for row in cursor:
            _print_line(row)
        _print_line(None)
    except (sqlite3.Error, sqlite3.Warning) as error:
        _print_line(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
