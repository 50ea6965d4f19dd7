"""Tables, views and types that servers have of their own: listed, described, seen to change."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from learnt.core.records import JsonObject, decode, member
from learnt.domains.database.schema.cache import digest_of
from learnt.domains.database.schema.objects import TableOrView
from learnt.domains.database.servers.connections import DbSession
from tests.support.asking import described, listed, opened
from tests.support.database_servers import Server, mariadb

KINDS = (
    "CREATE TABLE room (id INT, rate INT)",
    "CREATE MATERIALIZED VIEW dear AS SELECT id, rate FROM room WHERE rate > 100",
    "CREATE UNIQUE INDEX by_id ON dear (id)",
    "COMMENT ON MATERIALIZED VIEW dear IS 'of last night'",
    "CREATE FOREIGN DATA WRAPPER nothing",
    "CREATE SERVER far FOREIGN DATA WRAPPER nothing",
    "CREATE FOREIGN TABLE away (a INT NOT NULL, b TEXT) SERVER far",
    "CREATE TABLE night (d DATE, n INT) PARTITION BY RANGE (d)",
    "CREATE TABLE night_1 PARTITION OF night FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
    "CREATE SCHEMA other",
    "CREATE MATERIALIZED VIEW other.dear AS SELECT a FROM away WITH NO DATA",
)
TYPES = {
    "mysql": {
        "g": "geometry",
        "p": "point",
        "n": "inet6",
        "state": "enum('open','paid')",
        "size": "int(10) unsigned",
        "plain": "int(11)",
    },
    "postgres": {
        "pair": "pair",
        "pairs": "pair[]",
        "place": "point",
        "area": "box",
        "said": "xml",
        "at": "tid",
        "small": "small",
        "mood": "other.mood",
        "moods": "other.mood[]",
        "rates": "numeric(8,2)[]",
        "host": "inet",
        "since": "timestamp with time zone",
        "until": "timestamp without time zone",
        "flags": "bit(3)",
        "plain": "integer",
    },
}
OF_POSTGRES = (
    "CREATE SCHEMA other",
    "CREATE TYPE pair AS (a INT, b TEXT)",
    "CREATE TYPE other.mood AS ENUM ('good', 'bad')",
    "CREATE DOMAIN small AS INT CHECK (VALUE < 10)",
)
RETYPED = {
    "mysql": (
        "ALTER TABLE {0} MODIFY g POLYGON",
        "ALTER TABLE {0} MODIFY state ENUM('open', 'paid', 'void')",
        "ALTER TABLE {0} MODIFY size INT",
    ),
    "postgres": (
        "ALTER TABLE {0} ALTER area TYPE point USING NULL",
        "ALTER TABLE {0} ALTER until TYPE timestamptz",
        "ALTER TABLE {0} ALTER flags TYPE bit(4)",
    ),
}


@contextmanager
def database(server: Server, *orders: str) -> Iterator[DbSession]:
    """A session with a database of its own."""
    server.run("CREATE DATABASE own", database="")
    try:
        server.run(*orders, database="own")
        with opened(server.url(database="own")) as made:
            yield made
    finally:
        server.run("DROP DATABASE own", database="")


def digest(told: JsonObject) -> str:
    return digest_of(decode(TableOrView, told))


def types(told: JsonObject) -> dict[object, object]:
    columns = told["columns"]
    assert isinstance(columns, list)
    return {member(one, "name"): member(one, "type") for one in columns}


def test_every_kind_that_has_columns_is_listed_and_told(elephant: Server) -> None:
    """Materialized views with their text and indexes, foreign tables, parts of tables."""
    kinds = {
        "away": "foreign table",
        "dear": "materialized view",
        "night": "table",
        "night_1": "table",
        "other.dear": "materialized view",
        "room": "table",
    }
    with database(elephant, *KINDS) as session:
        assert kinds == {one["name"]: one["kind"] for one in listed(session)}
        every = {str(one["name"]): one for one in described(session)[0]}
        assert kinds == {name: one["kind"] for name, one in every.items()}
        asked = ["other.dear", "away", "dear"]
        assert ([every[name] for name in asked], []) == described(session, asked)
    dear = every["dear"]
    assert {"id": "integer", "rate": "integer"} == types(dear)
    assert [{"name": "by_id", "columns": ["id"], "unique": True}] == dear["indexes"]
    assert ("of last night", True) == (dear["comment"], "rate > 100" in str(dear["definition"]))
    assert {"a": "integer", "b": "text"} == types(every["away"])
    assert {"d": "date", "n": "integer"} == types(every["night_1"])
    assert {"a": "integer"} == types(every["other.dear"])


def test_a_type_is_what_the_server_calls_it(server: Server) -> None:
    """Of tables in any schema and of views, and a change of it changes the digest."""
    sort = "mysql" if server.scheme == "mysql" else "postgres"
    columns = ", ".join(f"{name} {written}" for name, written in TYPES[sort].items())
    two = "two" if sort == "mysql" else "other.two"
    orders = (
        *(OF_POSTGRES if sort == "postgres" else ()),
        f"CREATE TABLE one ({columns})",
        f"CREATE TABLE {two} ({columns})",
        "CREATE VIEW seen AS SELECT * FROM one",
    )
    with database(server, *orders) as session:
        told = {str(one["name"]): one for one in described(session)[0]}
        digests = []
        for order in RETYPED[sort]:
            server.run(order.format(two), database="own")
            digests.append(digest(described(session, [two])[0][0]))
    assert {"one", two, "seen"} == set(told)
    for one in told.values():
        assert TYPES[sort] == types(one), one["name"]
    assert digest(told["one"]) == digest(told[two])
    assert len(RETYPED[sort]) == len({*digests} - {digest(told[two])})


@pytest.mark.slow  # a MariaDB with another setting
def test_names_in_other_capitals_are_found_where_they_are_the_same() -> None:
    """By a server of MySQL's sort that says so; the name is told as the server has it."""
    with mariadb("--lower-case-table-names=1") as server:
        server.run("CREATE TABLE Room (id INT)")
        with opened(server.url()) as session:
            found, missing = described(session, ["ROOM", "room", "Rooms"])
    assert (["room"], ["Rooms"]) == ([one["name"] for one in found], missing)


@pytest.mark.parametrize("name", ["ROOM", "Room"])
def test_names_in_other_capitals_are_others_where_the_server_says_so(
    server: Server, name: str
) -> None:
    """As PostgreSQL does for names in quotes, and MySQL on Linux."""
    with opened(server.url()) as session:
        assert ([], [name]) == described(session, [name])


def test_a_table_that_sqlite_cannot_tell_of_takes_none_with_it(tmp_path: Path) -> None:
    """Its module is not there, or its text is not understood: it is there, without columns."""
    path = tmp_path / "odd.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE room (id INT PRIMARY KEY, rate INT)")
        connection.execute("CREATE TABLE said (a INT, b INT AS (a + 1)) /* why */ STRICT")
        connection.execute("PRAGMA writable_schema = ON")
        made = "CREATE VIRTUAL TABLE far USING not_there(a)"
        order = "INSERT INTO sqlite_schema VALUES ('table', 'far', 'far', 0, ?)"
        connection.execute(order, [made])
        connection.commit()
    with opened(f"sqlite:///{path}", None) as session:
        found, missing = described(session, ["far", "room", "said", "gone"])
    assert ["gone"] == missing
    told = {str(one["name"]): types(one) for one in found}
    assert {"far": {}, "room": {"id": "INT", "rate": "INT"}, "said": {}} == told
