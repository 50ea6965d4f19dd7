"""What labelled statements do to databases that they are asked of, by an account that may do all.

Only the gate and the session stand between: each statement goes through `ask`, and before and after
it is looked at what could have changed.
"""

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any, Final, Protocol

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.servers.connections import DbSession, Dialect
from learnt.errors import EnvironmentTrouble, StatementFailed
from tests.support.asking import ask, opened
from tests.support.database_servers import Server

SECONDS: Final = 2.0  # that a statement may take
_PATH: Final = re.compile(r"['\"](/[\w./-]+)['\"]")
_COLUMNS: Final = {
    "film": "film_id INT, title VARCHAR(99), description VARCHAR(999), release_year INT,"
    " language_id INT, original_language_id INT, rental_duration INT, rental_rate DECIMAL(6,2),"
    " length INT, replacement_cost DECIMAL(6,2), rating VARCHAR(9), special_features VARCHAR(99),"
    " last_update TIMESTAMP NULL",
    "actor": "actor_id INT, first_name VARCHAR(40), last_name VARCHAR(40),"
    " last_update TIMESTAMP NULL",
    "customer": "customer_id INT, store_id INT, first_name VARCHAR(40), last_name VARCHAR(40),"
    " email VARCHAR(99), address_id INT, active INT, create_date TIMESTAMP NULL,"
    " last_update TIMESTAMP NULL",
    "rental": "rental_id INT, rental_date TIMESTAMP NULL, inventory_id INT, customer_id INT,"
    " return_date TIMESTAMP NULL, staff_id INT, last_update TIMESTAMP NULL",
    "payment": "payment_id INT, customer_id INT, staff_id INT, rental_id INT, amount DECIMAL(6,2),"
    " payment_date TIMESTAMP NULL, last_update TIMESTAMP NULL",
    "inventory": "inventory_id INT, film_id INT, store_id INT, last_update TIMESTAMP NULL",
    "store": "store_id INT, manager_staff_id INT, address_id INT",
    "staff": "staff_id INT, first_name VARCHAR(40), last_name VARCHAR(40), address_id INT,"
    " email VARCHAR(99), store_id INT, active INT, username VARCHAR(40), password VARCHAR(40)",
    "category": "category_id INT, name VARCHAR(40)",
    "film_actor": "actor_id INT, film_id INT",
    "film_category": "film_id INT, category_id INT",
    "language": "language_id INT, name VARCHAR(40)",
    "address": "address_id INT, address VARCHAR(99), district VARCHAR(40), city_id INT,"
    " phone VARCHAR(40)",
    "audit_log": "id INT, at TIMESTAMP NULL, actor VARCHAR(40), action VARCHAR(40), detail"
    " VARCHAR(999)",
    "room": "id INT, name VARCHAR(40), rate DECIMAL(8,2)",
    "booking": "id INT, room_id INT",
}
TABLES: Final = (
    *(f"CREATE TABLE {name} ({columns})" for name, columns in _COLUMNS.items()),
    *(
        f"INSERT INTO {name} ({columns.split(' ')[0]}) VALUES (1), (2), (3)"
        for name, columns in _COLUMNS.items()
    ),
)
_MARIADB: Final = (
    "CREATE SEQUENCE order_seq", "CREATE SEQUENCE s", "SET GLOBAL log_output = 'TABLE'",
    "CREATE PROCEDURE purge_old_rentals() DELETE FROM rental",
    "CREATE PROCEDURE purge_old() DELETE FROM booking",
    "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n",
    "CREATE FUNCTION `lower`(n INT) RETURNS INT DETERMINISTIC RETURN SLEEP(3)",
    "SET GLOBAL general_log = ON",
)  # fmt: skip
_POSTGRES: Final = (
    "CREATE SEQUENCE order_seq", "CREATE SEQUENCE s", "CREATE TYPE mood AS ENUM ('x')",
    "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n'",
)  # fmt: skip


class Watched(Protocol):
    """A database whose state is looked at from beside."""

    dialect: Dialect

    def state(self) -> object:
        """All that a statement could have changed."""
        ...

    def heard(self) -> int:
        """How many statements of the account reached the server, as the server tells."""
        ...

    def close(self) -> None:
        """Look no more."""
        ...


def _owners(connection: Any) -> Callable[[str], list[tuple[Any, ...]]]:
    """What asks over one connection."""

    def run(sql: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    return run


class WatchedMariadb:
    """Checksums, sequences, objects, accounts, locks, variables and files; the general log."""

    dialect: Dialect = "mysql"

    def __init__(self, server: Server) -> None:
        server.run(*TABLES, *_MARIADB)
        self._server = server
        self._connection = server.owned()
        self._run = _owners(self._connection)
        self.locks = True
        try:
            server.run("INSTALL SONAME 'metadata_lock_info'")
        except Exception:  # noqa: BLE001  # without the plugin locks of tables are not counted
            self.locks = False

    def state(self) -> object:
        """All that a statement could have changed."""
        run = self._run
        found: list[object] = [
            run(f"CHECKSUM TABLE {', '.join([*_COLUMNS, 'mysql.global_priv', 'mysql.func'])}"),
            run("SELECT * FROM order_seq UNION ALL SELECT * FROM s"),
            run(
                "SELECT table_schema, table_name FROM information_schema.tables UNION ALL"
                " SELECT routine_schema, routine_name FROM information_schema.routines UNION ALL"
                " SELECT event_schema, event_name FROM information_schema.events ORDER BY 1, 2"
            ),
            [
                row
                for row in run("SHOW GLOBAL VARIABLES")
                if not row[0].startswith(("gtid_", "innodb_buffer_pool_load"))
            ],
            sorted(path.name for path in (self._server.folder / "data" / "shop").iterdir()),
            sorted(path.name for path in self._server.folder.iterdir()),
        ]
        if self.locks:
            found.append(
                run(
                    "SELECT lock_type, table_name FROM information_schema.metadata_lock_info"
                    " WHERE thread_id <> CONNECTION_ID() ORDER BY 1, 2"
                )
            )
        return found

    def heard(self) -> int:
        """How many statements of the account reached the server, as the server tells."""
        ((count,),) = self._run(
            "SELECT COUNT(*) FROM mysql.general_log WHERE user_host LIKE 'writer%'"
            " AND command_type <> 'Quit'"
        )
        return int(count)

    def close(self) -> None:
        """Look no more."""
        self._connection.close()


class WatchedPostgres:
    """Rows, sequences, objects, locks by name and settings."""

    dialect: Dialect = "postgres"

    def __init__(self, server: Server) -> None:
        server.run(*TABLES, *_POSTGRES)
        self._connection = server.owned()
        self._run = _owners(self._connection)

    def state(self) -> object:
        """All that a statement could have changed."""
        run = self._run
        rows = " UNION ALL ".join(f"SELECT md5(array_agg(t)::text) FROM {t} t" for t in _COLUMNS)
        return [
            run(rows),
            run("SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY 1, 2"),
            run("SELECT count(*) FROM pg_class UNION ALL SELECT count(*) FROM pg_proc"),
            run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"),
            run("SELECT md5(string_agg(name || coalesce(reset_val, ''), ',')) FROM pg_settings"),
            run("SELECT rolname, rolsuper FROM pg_roles ORDER BY 1"),
        ]

    def heard(self) -> int:
        """Not told here."""
        return 0

    def close(self) -> None:
        """Look no more."""
        self._connection.close()


class WatchedFile:
    """The file's bytes, and what lies beside it."""

    dialect: Dialect = "sqlite"

    def __init__(self, file: Path) -> None:
        self.file = file
        with closing(sqlite3.connect(file)) as connection:
            for order in TABLES:
                connection.execute(order)
            connection.commit()

    def state(self) -> object:
        """All that a statement could have changed."""
        beside = sorted(path.name for path in self.file.parent.iterdir())
        return [hashlib.sha256(self.file.read_bytes()).hexdigest(), beside]

    def heard(self) -> int:
        """Nobody keeps a log."""
        return 0

    def close(self) -> None:
        """There is nothing to close."""


@dataclass(slots=True, kw_only=True)
class Told:
    """What came of the statements of one label."""

    label: str
    asked: int = 0
    refused: int = 0
    through: int = 0
    by_types: int = 0  # of those through: what they may do, the server was asked
    answered: int = 0
    failed: int = 0
    effects: int = 0
    refused_but_heard: int = 0
    slowest: float = 0.0
    slowest_refusal: float = 0.0
    changed: Sequence[str] = ()

    @property
    def row(self) -> dict[str, object]:
        """It as a table has it."""
        return {
            "label": self.label,
            "asked": self.asked,
            "refused": self.refused,
            "through": self.through,
            "allowed share": round(self.through / self.asked, 3) if self.asked else None,
            "answered": self.answered,
            "failed": self.failed,
            "effects": self.effects,
            "refused but heard": self.refused_but_heard,
            "slowest s": round(self.slowest, 2),
            "slowest refusal s": round(self.slowest_refusal, 3),
        }


def let_through(verdict: Allowed | Denied) -> bool:
    """Whether a statement runs whatever the server tells of types that are not its own."""
    return isinstance(verdict, Allowed) and not verdict.uses.types


def labelled(file: Path) -> list[dict[str, Any]]:
    """The statements of a set."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@contextmanager
def asked_by_writer(server: Server) -> Iterator[DbSession]:
    """A session of the account that may do all."""
    with opened(server.url("writer"), seconds=SECONDS) as session:
        yield session


def proof(watched: Watched, session: DbSession, statements: Iterable[dict[str, Any]]) -> list[Told]:
    """Ask each statement of the dialect, and tell what came of it by label.

    First all that are refused: together they change nothing, nor does the server hear of one. Then
    each that is allowed, by itself.
    """
    told = {label: Told(label=label) for label in ("allow", "refuse")}
    spoken = [one for one in statements if watched.dialect in one["dialects"]]
    refused = [isinstance(judge(one["sql"], watched.dialect), Denied) for one in spoken]
    before, heard = watched.state(), watched.heard()
    for one in compress(spoken, refused):
        _asked(session, one, told[one["label"]])
    told["refuse"].refused_but_heard = watched.heard() - heard
    told["refuse"].effects = int(watched.state() != before)
    for one in compress(spoken, map(not_, refused)):
        files, this = _files(one["sql"]), told[one["label"]]
        passed = this.through
        _asked(session, one, this)
        if not let_through(judge(one["sql"], watched.dialect)):
            this.by_types += this.through - passed
        after = _lasting(watched, before)
        if after != before or _files(one["sql"]) != files:
            this.effects += 1
            this.changed = [*this.changed, one["sql"]]
        before = after
    return list(told.values())


def _lasting(watched: Watched, before: object) -> object:
    """The state after a statement: a lock of the server's own housekeeping goes by itself."""
    for _ in range(5):
        after = watched.state()
        if after == before:
            break
        time.sleep(0.2)
    return after


def _asked(session: DbSession, one: dict[str, Any], told: Told) -> None:
    """How long it took is counted where it is not meant to be heavy."""
    told.asked += 1
    start = time.perf_counter()
    refused = False
    try:
        refused = isinstance(ask(session, one["sql"]), Denied)
        told.answered += not refused
    except (StatementFailed, EnvironmentTrouble):
        told.failed += 1
    took = time.perf_counter() - start
    told.refused += refused
    told.through += not refused
    if refused:
        told.slowest_refusal = max(told.slowest_refusal, took)
    elif one["class"] != "heavy":
        told.slowest = max(told.slowest, took)


def _files(sql: str) -> list[str]:
    """Files that a statement names and that are there."""
    there = []
    for name in _PATH.findall(sql):
        with suppress(OSError):
            if Path(name).exists():
                there.append(name)
    return there
