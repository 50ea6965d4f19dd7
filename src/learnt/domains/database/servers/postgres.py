"""PostgreSQL: a session that is read only from its first transaction on."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import Any, Final

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.types.string import TextLoader

from learnt.domains.database.gate.verdicts import Name, Schemas, StatementNames
from learnt.domains.database.lists import text
from learnt.domains.database.servers.connections import (
    DbAddress,
    DbSession,
    Dialect,
    Limits,
    Rows,
    encryption_todo,
    without,
)
from learnt.errors import LearntError

_CHUNK: Final = 100
_SILENCE: Final = 15  # seconds
# A pooler hands each transaction to another session, and lets nobody set one up: PgBouncer's words.
_POOLED: Final = "unsupported startup parameter"
# As the server writes them: Python has no year 0, no infinity of a date.
_AS_TEXT: Final = "date time timetz timestamp timestamptz interval json jsonb".split()
_IDENTITY: Final = text("queries", "postgres identity")
_SYSTEM: Final = "SELECT system_identifier::text FROM pg_control_system()"
# Where names are searched for while a question runs: what somebody made is not found by its name.
_SYSTEM_ONLY: Final = b"SET LOCAL search_path = pg_catalog, pg_temp"
_SEARCHED: Final = b"SELECT pg_catalog.current_schemas(true)::pg_catalog.text[]"
_PLACES: Final = text("queries", "postgres places").encode()
_TYPES: Final = text("queries", "postgres types").encode()
_REACHED: Final = text("queries", "postgres reached").encode()
# Checks of tables would be run to leave some of them out, and may call anything.
_PLAIN_PLANS: Final = b"SET LOCAL constraint_exclusion = off"
_WRITES: Final = text("queries", "postgres writes")


class PostgresSession(DbSession):
    """One connection; opened again when it broke."""

    dialect: Dialect = "postgres"
    _connection: "psycopg.Connection[Any]"

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        super().__init__(address, password, limits)
        milliseconds = round(limits.seconds * 1_000)
        self._settings = {
            "statement_timeout": f"{milliseconds}",
            "lock_timeout": f"{milliseconds}",
            "standard_conforming_strings": "on",
            "idle_in_transaction_session_timeout": f"{milliseconds + 60_000}",
        }
        self._pooled = False
        self._connection = self._opened()

    def _opened(self) -> "psycopg.Connection[Any]":
        try:
            connection = self._met()
        except (psycopg.Error, OSError) as error:
            todo = encryption_todo(self._address, error, without(self._password, error))
            raise self._unreachable(error, todo) from None
        connection.read_only = True
        for name in _AS_TEXT:
            connection.adapters.register_loader(name, TextLoader)
        return connection

    def _met(self) -> "psycopg.Connection[Any]":
        """A connection whose session is set up, or each of whose transactions will be."""
        settings = {"default_transaction_read_only": "on", **self._settings}
        orders = (f"-c {name}={to}" for name, to in settings.items() if not self._pooled)
        try:
            return psycopg.connect(
                host=self._address.host,
                port=self._address.port,
                user=self._address.user or None,
                password=self._password,
                dbname=self._address.database or None,
                connect_timeout=self._limits.connect_seconds,
                application_name="learnt",
                client_encoding="utf8",
                options=" ".join(orders),
                prepare_threshold=None,
                keepalives_idle=_SILENCE,  # a server that is gone without a word is noticed
                keepalives_interval=5,
                keepalives_count=3,
                tcp_user_timeout=1_000 * _SILENCE,
                **dict(self._address.options),  # type: ignore[arg-type]  # libpq's own words
            )
        except psycopg.OperationalError as error:
            if self._pooled or _POOLED not in str(error):
                raise
            self._pooled = True
            return self._met()

    @contextmanager
    def reading(self, sql: str) -> Iterator[Rows]:
        with self._telling():
            connection = self.raw()
            if not sql.startswith("SHOW "):  # which tells of the session as it is by itself
                connection.execute(_SYSTEM_ONLY)
                connection.execute(_PLAIN_PLANS)
        cursor = connection.cursor()
        # The extended protocol, by which a server takes one statement and no more.
        rows = cursor.stream(sql.encode(), size=_CHUNK)
        try:
            with self._telling():
                first = list(islice(rows, 1))  # with it the driver learns the columns
                columns: Sequence[str] = [column.name for column in cursor.description or ()]
                columns = columns if first else _columns(connection, sql)
                yield Rows(columns, chain(first, rows))
        finally:
            with suppress(psycopg.Error, OSError):
                rows.close()  # type: ignore[attr-defined]  # it is a generator: cancels the query
            with suppress(psycopg.Error, OSError):
                connection.rollback()

    def schemas(self, uses: StatementNames) -> tuple[Schemas, Schemas]:
        """The schema of each table, and of each type, as the account's own search finds it."""
        asked = ((_PLACES, uses.relations), (_TYPES, uses.types))
        found = []
        with self._telling():
            connection = self.raw()
            row = connection.execute(_SEARCHED).fetchone()
            searched = list(row[0]) if row else []
            connection.execute(_SYSTEM_ONLY)
            for query, names in asked:
                bare = sorted(name for schema, name in names if not schema)
                places = connection.execute(query, [bare, searched]).fetchall() if bare else []
                places.sort(key=lambda place: searched.index(place[1]), reverse=True)
                found.append({name: schema for name, schema in places})
            connection.rollback()
        return found[0], found[1]

    def reached(self, relations: Collection[Name], types: Collection[Name]) -> Sequence[Name]:
        """What of interest these lead to: its kind (`own`, `call`, `foreign`, `view`), its name."""
        names = {
            "schemas": [schema for schema, _ in relations],
            "relations": [name for _, name in relations],
            "places": [schema for schema, _ in types],
            "types": [name for _, name in types],
        }
        with self._telling():
            connection = self.raw()
            connection.execute(_SYSTEM_ONLY)
            connection.execute(b"SET LOCAL jit = off")
            rows = connection.execute(_REACHED, names).fetchall()
            connection.rollback()
        return [(str(kind), str(name)) for kind, name in rows]

    def identity(self) -> Mapping[str, str]:
        (version, number), system = self._row(_IDENTITY), ""
        with suppress(LearntError):  # not everybody may ask for it
            system = str(self._row(_SYSTEM)[0])
        return {
            "server": self._address.server,
            "database": self._address.database,
            "id": f"{system}/{number}",
            "version": str(version),
        }

    def _row(self, sql: str) -> Sequence[object]:
        with self.reading(sql) as answer:
            return next(iter(answer.rows))

    def could_write(self) -> str:
        with self.reading(_WRITES) as answer:
            return "; ".join(str(row[0]) for row in answer.rows)

    def encrypted(self) -> bool:
        return bool(self._connection.pgconn.ssl_in_use)

    def raw(self) -> "psycopg.Connection[Any]":
        if self._connection.closed:
            self._connection = self._opened()
        begun = self._connection.info.transaction_status is not TransactionStatus.IDLE
        if self._pooled and not begun:
            orders = (f"SET LOCAL {name} = '{to}'" for name, to in self._settings.items())
            self._connection.execute("; ".join(orders).encode())
        return self._connection

    @contextmanager
    def _telling(self) -> Iterator[None]:
        gone = psycopg.errors.AdminShutdown | psycopg.errors.CrashShutdown
        try:
            yield
        except (psycopg.errors.QueryCanceled, psycopg.errors.LockNotAvailable):
            raise self._too_slow() from None
        except (psycopg.Error, OSError) as error:
            if self._connection.closed or isinstance(error, OSError | gone):
                raise self._broken(error) from None
            raise self.failed(error) from None


SESSION: Final = PostgresSession


def _columns(connection: "psycopg.Connection[Any]", sql: str) -> Sequence[str]:
    """The columns of a statement that gave no row, of which the driver tells nothing."""
    pgconn = connection.pgconn
    pgconn.prepare(b"", sql.encode())
    result = pgconn.describe_prepared(b"")
    return [(result.fname(at) or b"").decode("utf-8", "replace") for at in range(result.nfields)]
