"""MySQL and MariaDB: a session whose transactions only read, with the server's own clock."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, Final

import pymysql
from pymysql.cursors import Cursor, SSCursor

from learnt.domains.database.gate.verdicts import Name
from learnt.domains.database.lists import text
from learnt.domains.database.servers.connections import (
    DbAddress,
    DbSession,
    Dialect,
    Limits,
    Rows,
    encryption_todo,
    mysql_asks,
)
from learnt.errors import LearntError, StatementFailed

# As the parser reads: quotes are quotes, a backslash escapes, || is OR.
_MODE: Final = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"
# What fails is read, by agents and by `missing`; a server may speak another language by itself.
_IN_ENGLISH: Final = "SET SESSION lc_messages = 'en_US'"
_LATE: Final = frozenset({1969, 3024, 1317, 1205})
_SILENT: Final = 2013  # the driver's number for an answer that broke off, also by its own clock
_LOST: Final = frozenset({2006, 2013, 2014, 1927, 1053})
_GRACE: Final = 5  # seconds after the server's own clock should have ended a statement
_SOON: Final = 2  # seconds to reach a server again, only to have it stop
_READS_ONLY: Final = frozenset(
    "USAGE|SELECT|SHOW VIEW|SHOW DATABASES|PROCESS|REPLICATION CLIENT|BINLOG MONITOR|SLAVE MONITOR|"
    "REPLICA MONITOR|SHOW_ROUTINE|SHOW CREATE ROUTINE".split("|")
)
_GRANT: Final = re.compile(
    r"GRANT (?P<what>.+?) ON (?P<where>(?:`[^`]*`|\*)\.\S+) TO (?P<whom>\S+)", re.DOTALL
)
_ROLES: Final = re.compile(r"GRANT ((?:`[^`]*`(?:@`[^`]*`)?,? ?)+) TO ")
_REACHED: Final = text("queries", "mysql reached")
_FUNCTIONS: Final = text("queries", "mysql functions")
_NATIVE: Final = "SELECT function FROM information_schema.sql_functions"
_IDENTITY: Final = (
    "SHOW VARIABLES WHERE Variable_name IN "
    "('server_uuid', 'server_uid', 'hostname', 'port', 'version')"
)


class MysqlSession(DbSession):
    """One connection; opened again when an answer was left unread."""

    dialect: Dialect = "mysql"

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        super().__init__(address, password, limits)
        self._connection = self._opened()

    def _reached(self, connect_seconds: int, seconds: float) -> Any:
        """The server, which is given so long to be reached, and so long for each of its words."""
        return pymysql.connect(
            **mysql_asks(self._address),
            host=self._address.host,
            port=self._address.port,
            user=self._address.user or None,
            # As mysql's client sends it; the driver by itself knows no letters but latin-1's.
            password=(self._password or "").encode(),
            database=self._address.database or None,
            unix_socket=dict(self._address.options).get("unix_socket"),
            charset="utf8mb4",
            connect_timeout=connect_seconds,
            read_timeout=seconds,
            write_timeout=seconds,
            local_infile=False,
            autocommit=False,
            cursorclass=SSCursor,
        )

    def _opened(self) -> Any:
        try:
            connection = self._reached(self._limits.connect_seconds, self._limits.seconds + _GRACE)
        except (pymysql.Error, OSError, RuntimeError) as error:
            words = _words(error)
            todo = encryption_todo(self._address, error, str(words))
            raise self._unreachable(words, todo) from None
        try:
            for order in self._orders(connection.server_version):
                connection.query(order)
            with suppress(pymysql.Error):  # a server that has no other words keeps its own
                connection.query(_IN_ENGLISH)
        except (pymysql.Error, OSError, RuntimeError) as error:  # the last: it asks for a file
            connection.close()
            raise self._unreachable(_words(error)) from None
        return connection

    def _orders(self, version: str) -> Iterator[str]:
        yield f"SET SESSION sql_mode = '{_MODE}'"
        yield "SET SESSION TRANSACTION READ ONLY"
        yield f"SET SESSION lock_wait_timeout = {max(1, round(self._limits.seconds))}"
        if "mariadb" in version.lower():
            yield f"SET SESSION max_statement_time = {self._limits.seconds:.3f}"
        else:
            yield f"SET SESSION max_execution_time = {round(self._limits.seconds * 1_000)}"

    @contextmanager
    def reading(self, sql: str) -> Iterator[Rows]:
        """As of every server. Raises LearntError, as its trouble is."""
        connection = self.raw()
        cursor = connection.cursor()
        running = ended = False

        def rows() -> Iterator[tuple[object, ...]]:
            nonlocal ended
            yield from iter(cursor.fetchone, None)
            ended = True

        try:
            connection.query("START TRANSACTION READ ONLY")
            running = True
            cursor.execute(sql)
            yield Rows([str(column[0]) for column in cursor.description or ()], rows())
        except (pymysql.Error, OSError, RuntimeError) as error:
            # Where the server itself said what went wrong, it does nothing any more.
            code = error.args[0] if error.args and isinstance(error, pymysql.Error) else None
            running = code is None or code in _LOST
            raise self._trouble(error) from None
        finally:
            if ended:
                with suppress(pymysql.Error, OSError):
                    cursor.close()
                    connection.rollback()
            else:
                _abandon(connection, cursor)
                if running:
                    self._stop(connection.thread_id(), sql)

    def _stop(self, thread: int, sql: str) -> None:
        """Have the server end a statement that nobody waits for, as far as that is done soon.

        It notices by itself only where it has a row to send. Its text is looked at as well as its
        number: behind one name may be several servers.
        """
        with suppress(pymysql.Error, OSError, RuntimeError):
            other = self._reached(_SOON, _SOON)
            with closing(other), other.cursor(Cursor) as cursor:
                cursor.execute("SHOW FULL PROCESSLIST")
                there = {row[0]: row[7] for row in cursor.fetchall()}
                if _alike(there.get(thread)) == _alike(sql):
                    cursor.execute(f"KILL QUERY {thread}")

    def reached(self, relations: Collection[Name], types: Collection[Name]) -> Sequence[Name]:
        """Engines of tables, and what views and generated columns are made of."""
        database = self._address.database
        places = [
            {"schema": schema or database, "name": name} for schema, name in sorted(relations)
        ]
        return [row for place in places for row in self._asked(_REACHED, place)]

    def shadowed(self, calls: Collection[str]) -> Sequence[str]:
        if not calls:
            return ()
        own = {str(name).lower() for (name,) in self._asked(_FUNCTIONS, {"calls": sorted(calls)})}
        if own:
            with suppress(StatementFailed):  # MySQL tells of none: then all are somebody's
                own -= {str(name).lower() for (name,) in self._asked(_NATIVE, {})}
        return sorted(own)

    def _asked(self, sql: str, names: Mapping[str, object]) -> list[Any]:
        with self.raw().cursor() as cursor, self.reading(cursor.mogrify(sql, names)) as answer:
            return [tuple(row) for row in answer.rows]

    def identity(self) -> Mapping[str, str]:
        with self.reading(_IDENTITY) as answer:
            variables = {str(name): str(value) for name, value in answer.rows}
        names = ("server_uuid", "server_uid", "hostname")
        return {
            "server": self._address.server,
            "database": self._address.database,
            "id": next(filter(None, map(variables.get, names)), ""),
            "version": variables.get("version", ""),
        }

    def could_write(self) -> str:
        grants = self._grants("SHOW GRANTS")
        for role in unseen_roles(grants):
            with suppress(StatementFailed):  # not everybody may ask for a role's
                grants += self._grants(f"SHOW GRANTS FOR {role}")
        return more_than_reading(grants)

    def _grants(self, sql: str) -> list[str]:
        with self.reading(sql) as answer:
            return [str(row[0]) for row in answer.rows]

    def encrypted(self) -> bool:
        with self.reading("SHOW SESSION STATUS LIKE 'Ssl_cipher'") as answer:
            return any(row[1] for row in answer.rows)

    def raw(self) -> Any:
        if not self._connection.open:
            self._connection = self._opened()
        return self._connection

    def _trouble(self, error: Exception) -> LearntError:
        code = error.args[0] if error.args else None
        silent = code == _SILENT and isinstance(error.__context__, TimeoutError)
        if code in _LATE or silent:
            return self._too_slow()
        if code in _LOST or isinstance(error, OSError | pymysql.InterfaceError):
            return self._broken(_words(error))
        return self.failed(_words(error))


SESSION: Final = MysqlSession


def unseen_roles(grants: Sequence[str]) -> list[str]:
    """Roles among grants whose own grants are not among them; those in use are, in MariaDB.

    >>> unseen_roles(["GRANT `clerk` TO `a`@`%`", "GRANT `boss` TO `a`@`%`",
    ...     "GRANT INSERT ON `shop`.* TO `clerk`"])
    ['`boss`']
    """
    given = [match[1].split(",") for grant in grants if (match := _ROLES.match(grant))]
    roles = dict.fromkeys(role.strip() for names in given for role in names)
    seen = {match["whom"].removesuffix("@`%`") for each in grants if (match := _GRANT.match(each))}
    return [role for role in roles if role.removesuffix("@`%`") not in seen]


def more_than_reading(grants: Sequence[str]) -> str:
    """What grants allow besides reading, without anything else that stands in them.

    >>> more_than_reading(["GRANT SELECT, INSERT ON `shop`.* TO `a`@`%` IDENTIFIED BY 'x'"])
    'INSERT on `shop`.*'
    >>> more_than_reading(["GRANT USAGE ON *.* TO `a`@`%`", "GRANT SELECT (`a`) ON `s`.`t` TO `a`"])
    ''
    """
    more = [f"what the role {role} may do" for role in unseen_roles(grants)]
    for grant in grants:
        match = _GRANT.match(grant)
        if match is None:
            if _ROLES.match(grant) is None and not grant.startswith("SET DEFAULT ROLE"):
                more.append("more than reading")
            continue
        rights = map(str.strip, re.sub(r"\([^)]*\)", "", match["what"]).split(","))
        if writes := [right for right in rights if right.upper() not in _READS_ONLY]:
            more.append(f"{', '.join(writes[:6])} on {match['where']}")
    return "; ".join(more[:5])


def _words(error: Exception) -> object:
    return error.args[1] if len(error.args) > 1 else error


def _alike(statement: str | None) -> str:
    """A statement as lists of what runs have it: some know fewer letters than it may hold."""
    return re.sub(r"[^\w(),.*<>=]|[^\x00-\x7f]", "", statement or "")


def _abandon(connection: Any, cursor: Any) -> None:
    """Hang up. The protocol can't be told to stop, and the driver would read on to the last row."""
    result = cursor._result
    if result is not None:
        result.unbuffered_active, result.connection = False, None
    cursor.connection = connection._result = None
    connection._force_close()
