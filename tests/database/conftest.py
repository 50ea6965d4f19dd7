"""Databases to ask: a file always, and the servers that this machine has."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from learnt.domains.database.servers.connections import DbAddress, address
from tests.support.database_servers import NotHere, Server
from tests.support.samples import CORPUS, load

SHOP = (
    "CREATE TABLE room (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, rate DECIMAL(8,2))",
    "CREATE TABLE booking (id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL,"
    " CONSTRAINT of_room FOREIGN KEY (room_id) REFERENCES room (id))",
    "CREATE INDEX by_room ON booking (room_id)",
    "CREATE VIEW dear AS SELECT id, name FROM room WHERE rate > 100",
    "CREATE VIEW dearest AS SELECT name FROM dear",
    "INSERT INTO room VALUES (1, '套房', 120.50), (2, 'single', 80)",
    "INSERT INTO booking VALUES (1, 1), (2, 1)",
)


@pytest.fixture
def file(tmp_path: Path) -> DbAddress:
    """A small SQLite database."""
    path = tmp_path / "shop 订单.db"
    with closing(sqlite3.connect(path)) as connection:
        for order in SHOP:
            connection.execute(order)
        connection.commit()
    return address(f"sqlite:///{path}")


@pytest.fixture(scope="session")
def maria(maria: Server) -> Server:
    """The shared MariaDB with the shop in it; other folders have databases of other names."""
    maria.run(
        *SHOP,
        "CREATE PROCEDURE purge_old() DELETE FROM booking",
        "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n",
    )
    return maria


@pytest.fixture(scope="session")
def elephant(elephant: Server) -> Server:
    """The shared PostgreSQL with the shop in it."""
    elephant.run(
        *SHOP,
        "CREATE PROCEDURE purge_old() LANGUAGE sql AS 'DELETE FROM booking'",
        "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n'",
    )
    return elephant


@pytest.fixture(params=["mysql", "postgres"])
def server(request: pytest.FixtureRequest) -> Server:
    """Each of the servers."""
    found: Server = request.getfixturevalue("maria" if request.param == "mysql" else "elephant")
    return found


@pytest.fixture(scope="session")
def samples(maria: Server) -> Server:
    """MariaDB with three public schemas, by database."""
    if not CORPUS.is_dir():
        raise NotHere(f"no public schemas here: {CORPUS} is not there")
    load(maria, sorted(CORPUS.glob("*.sql.gz"), key=lambda path: "-data." in path.name))
    return maria
