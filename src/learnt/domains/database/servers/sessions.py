"""A session with a database, in which the server itself lets nothing be written.

One for each sort of server, in the files beside this one; a driver is loaded when its server is
asked. A session is reopened by itself after an answer was left unread.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final

from learnt.core.records import Record
from learnt.domains.database.gate.verdicts import Name, Schemas, StatementNames
from learnt.domains.database.servers.connections import DbAddress, Dialect
from learnt.errors import EnvironmentTrouble, StatementFailed

# Without cryptography PyMySQL reaches no usual account of MySQL 8 that is not encrypted.
EXTRA: Final = frozenset("sqlglot sqlalchemy pymysql cryptography psycopg".split())


class Limits(Record, kw_only=True):
    """How long a statement may take, and how long a server may take to answer at all."""

    seconds: float = 30.0
    connect_seconds: int = 10


class Rows(Record):
    """What a statement gives: the names of its columns, and its rows as they come."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


class DbSession(ABC):
    """What is asked of every server, and what its sessions share."""

    dialect: Dialect
    _connection: Any

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        self._address, self._password, self._limits = address, password, limits

    @abstractmethod
    def reading(self, sql: str) -> AbstractContextManager[Rows]:
        """Run one statement in a transaction of its own that only reads; what is unread is lost.

        PostgreSQL finds names of the system's schema alone: other tables need theirs. Raises
        LearntError where it fails or takes too long.
        """

    def schemas(self, uses: StatementNames) -> tuple[Schemas, Schemas]:
        """The schemas of tables and of types that name none; empty where none is needed."""
        return {}, {}

    def reached(self, relations: Collection[Name], types: Collection[Name]) -> Sequence[Name]:
        """What of interest tables and types lead to: its kind, and its name or text."""
        return ()

    def shadowed(self, calls: Collection[str]) -> Sequence[str]:
        """Functions of somebody's own that are called where the server has none of the name."""
        return ()

    @abstractmethod
    def identity(self) -> Mapping[str, str]:
        """What tells this server and database from every other."""

    @abstractmethod
    def could_write(self) -> str:
        """What the account could do besides reading; empty where it could not."""

    @abstractmethod
    def encrypted(self) -> bool:
        """Whether what goes to the server and back is read by nobody between."""

    def raw(self) -> Any:
        """The driver's own connection, which only reads."""
        return self._connection

    def close(self) -> None:
        """End it. One that broke before is ended already."""
        with suppress(Exception):
            self._connection.close()

    def _unreachable(self, message: object, todo: str = "") -> EnvironmentTrouble:
        """No session came about; what to do, where that is known better than where to look."""
        right = (
            "the server runs and the name, the account and the password are right (learnt db setup)"
            if self._address.host
            else "the file is there, is an SQLite database, and may be read"
        )
        return EnvironmentTrouble(
            f"The database {self._address.place} cannot be reached: "
            f"{without(self._password, message).rstrip('.')}. Nothing was asked. "
            f"{todo or f'Look whether {right}.'}"
        )

    def _broken(self, message: object) -> EnvironmentTrouble:
        """A session ended before its answer did."""
        why = without(self._password, message) or "nobody says why"
        return EnvironmentTrouble(
            f"The connection to {self._address.place} broke off: {why}. What had come so far is "
            "not shown, since it is not known what is missing. Ask again."
        )

    def _failed(self, message: object) -> StatementFailed:
        return failed(without(self._password, message))

    def _too_slow(self) -> StatementFailed:
        seconds = f"{self._limits.seconds:g} s"
        return StatementFailed(
            f"Stopped after {seconds}. Narrow the question, or give it more with --timeout."
        )


def begun(address: DbAddress, password: str | None, limits: Limits) -> DbSession:
    """A session; EnvironmentTrouble where the server cannot be reached or refuses the account."""
    if address.dialect == "mysql":
        from learnt.domains.database.servers.mysql import MysqlSession

        return MysqlSession(address, password, limits)
    if address.dialect == "postgres":
        from learnt.domains.database.servers.postgres import PostgresSession

        return PostgresSession(address, password, limits)
    from learnt.domains.database.servers.sqlite import SqliteSession

    return SqliteSession(address, password, limits)


def without(password: str | None, message: object) -> str:
    """A driver's message in one line, and never the password.

    >>> without("hunter2", "no hunter2\\nhere")
    'no ***'
    """
    text = str(message).strip().partition("\n")[0][:400]
    return text.replace(password, "***") if password else text


def failed(message: str) -> StatementFailed:
    """The server could not run a statement."""
    return StatementFailed(f"The server could not run it: {message}")
