"""A session with a database, in which the server itself lets nothing be written.

One for each sort of server, in the files beside this one; a driver is loaded when its server is
asked. A session is reopened by itself after an answer was left unread.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from learnt.domains.database.servers.connections import DbAddress, Dialect
from learnt.errors import EnvironmentTrouble, StatementFailed

# Without cryptography PyMySQL reaches no usual account of MySQL 8 that is not encrypted.
EXTRA: Final = frozenset("sqlglot sqlalchemy pymysql cryptography psycopg tomlkit".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a statement may take, and how long a server may take to answer at all."""

    seconds: float = 30.0
    connect_seconds: int = 10


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement gives: the names of its columns, and its rows as they come."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


class DbSession(Protocol):
    """What is asked of every server."""

    dialect: Dialect

    def reading(self, sql: str) -> AbstractContextManager[Rows]:
        """Run one statement in a transaction of its own that only reads; what is unread is lost.

        PostgreSQL finds names of the system's schema alone: other tables need theirs.
        """

    def schemas(self, tables: Collection[str]) -> Mapping[str, str]:
        """The schema in which each table is found that names none; empty where none is needed."""
        return {}

    def identity(self) -> Mapping[str, str]:
        """What tells this server and database from every other."""

    def could_write(self) -> str:
        """What the account could do besides reading; empty where it could not."""

    def encrypted(self) -> bool:
        """Whether what goes to the server and back is read by nobody between."""

    def raw(self) -> Any:
        """The driver's own connection, which only reads."""

    def close(self) -> None:
        """End it."""


def begun(address: DbAddress, password: str | None, limits: Limits) -> DbSession:
    """A session; EnvironmentTrouble where the server cannot be reached or refuses the account."""
    if address.dialect == "mysql":
        from learnt.domains.database.servers.mysql import MysqlSession

        return MysqlSession(address, password, limits)
    if address.dialect == "postgres":
        from learnt.domains.database.servers.postgres import PostgresSession

        return PostgresSession(address, password, limits)
    from learnt.domains.database.servers.sqlite import SqliteSession

    return SqliteSession(address, limits)


def without(password: str | None, message: object) -> str:
    """A driver's message in one line, and never the password.

    >>> without("hunter2", "no hunter2\\nhere")
    'no ***'
    """
    text = str(message).strip().partition("\n")[0][:400]
    return text.replace(password, "***") if password else text


def unreachable(address: DbAddress, message: str, todo: str = "") -> EnvironmentTrouble:
    """No session came about; what to do, where that is known better than where to look."""
    right = "the server runs and the name, the account and the password are right (learnt db setup)"
    if not address.host:
        right = "the file is there, is an SQLite database, and may be read"
    return EnvironmentTrouble(
        f"The database {address.place} cannot be reached: {message.rstrip('.')}. Nothing was "
        f"asked. {todo or f'Look whether {right}.'}"
    )


def broken(address: DbAddress, message: str) -> EnvironmentTrouble:
    """A session ended before its answer did."""
    return EnvironmentTrouble(
        f"The connection to {address.place} broke off: {message}. What had come so far is not "
        "shown, since it is not known what is missing. Ask again."
    )


def too_slow(limits: Limits) -> StatementFailed:
    """A statement was ended by the clock."""
    return StatementFailed(
        f"Stopped after {limits.seconds:g} s. Narrow the question, or give it more with --timeout."
    )


def failed(message: str) -> StatementFailed:
    """The server could not run a statement."""
    return StatementFailed(f"The server could not run it: {message}")
