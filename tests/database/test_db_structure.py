"""Structure asked of many tables together: the same as of each by itself, on all three servers."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from learnt.core.records import JsonObject, member
from learnt.domains.database.servers.connections import DbSession
from tests.support.asking import described, listed, opened
from tests.support.database_servers import Server

# {0} and {1} quote a name.
COMMON = (
    "CREATE TABLE {0}owner{1} (a INT, b VARCHAR(20) DEFAULT 'x', PRIMARY KEY (b, a))",
    "CREATE TABLE {0}hôtel 房.1{1} (id INT PRIMARY KEY, {0}the b{1} VARCHAR(20), {0}A{1} INT,"
    " CONSTRAINT of_owner FOREIGN KEY ({0}the b{1}, {0}A{1}) REFERENCES {0}owner{1} (b, a))",
    "CREATE UNIQUE INDEX {0}by it{1} ON {0}hôtel 房.1{1} ({0}A{1}, id)",
    "CREATE TABLE {0}it's{1} (x DECIMAL(8,2) NOT NULL)",
    "CREATE TABLE {0}%s {{}}{1} (x INT)",
    "CREATE VIEW {0}dear ones{1} AS SELECT a FROM {0}owner{1}",
)
OF_MYSQL = (
    "ALTER TABLE owner COMMENT = 'whose it is', MODIFY a INT COMMENT 'the number'",
    "CREATE TABLE going (a INT)",
    "CREATE VIEW broken AS SELECT a FROM going",
    "DROP TABLE going",
)
OF_POSTGRES = (
    "COMMENT ON TABLE \"owner\" IS 'whose it is'",
    "COMMENT ON COLUMN \"owner\".a IS 'the number'",
    'CREATE TABLE "nothing in it" ()',
    "CREATE INDEX lowered ON owner (lower(b), a)",
    "CREATE TABLE parted (d DATE) PARTITION BY RANGE (d)",
    "CREATE TABLE part PARTITION OF parted FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
    "CREATE SCHEMA other",
    'CREATE SCHEMA "An other"',
    "CREATE TYPE other.mood AS ENUM ('good', 'bad')",
    "CREATE TABLE other.owner (a INT PRIMARY KEY, m other.mood)",
    'CREATE TABLE "An other"."owner" (a INT REFERENCES other.owner (a), b INT[])',
    "CREATE VIEW other.all_of_it AS SELECT * FROM other.owner",
)


@pytest.fixture(params=["sqlite", "mysql", "postgres"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DbSession]:
    """A session with a database of odd names on each server."""
    if request.param == "sqlite":
        path = tmp_path / "odd.db"
        with closing(sqlite3.connect(path)) as connection:
            for order in COMMON:
                connection.execute(order.format('"', '"'))
        with opened(f"sqlite:///{path}", None) as made:
            yield made
        return
    mysql = request.param == "mysql"
    server: Server = request.getfixturevalue("maria" if mysql else "elephant")
    server.run("CREATE DATABASE odd", database="")
    quote, more = ("`", OF_MYSQL) if mysql else ('"', OF_POSTGRES)
    try:
        server.run(*(order.format(quote, quote) for order in COMMON), *more, database="odd")
        with opened(server.url(database="odd")) as made:
            yield made
    finally:
        server.run("DROP DATABASE odd", database="")


def names(objects: Sequence[JsonObject], *kinds: str) -> list[str]:
    return [str(one["name"]) for one in objects if one["kind"] in kinds]


def test_many_are_told_as_each_by_itself(session: DbSession) -> None:
    """Of every schema, whatever the names, also without a column."""
    found, missing = described(session)
    assert [] == missing
    alone = [described(session, [str(one["name"])])[0] for one in found]
    assert [[one] for one in found] == alone
    assert len(names(found, "table")) >= 4
    relations = names(listed(session), "table", "view")
    assert sorted(relations) == sorted(names(found, "table", "view"))


def test_what_stands_in_them(session: DbSession) -> None:
    """Keys of two columns, indexes, comments; and a broken view leaves the others be."""
    told = {str(one["name"]): one for one in described(session)[0]}
    assert ["b", "a"] == told["owner"]["primary_key"]
    key = {"columns": ["the b", "A"], "to": "owner", "to_columns": ["b", "a"]}
    assert [key] == told["hôtel 房.1"]["foreign_keys"]
    assert {"name": "by it", "columns": ["A", "id"], "unique": True} in (
        indexes if isinstance(indexes := told["hôtel 房.1"]["indexes"], list) else ()
    )
    assert "view" == told["dear ones"]["kind"] and told["dear ones"]["definition"]
    if session.dialect != "sqlite":
        assert "whose it is" == told["owner"]["comment"]
    if session.dialect == "mysql":
        assert ("view", []) == (told["broken"]["kind"], told["broken"]["columns"])
    if session.dialect == "postgres":
        assert [] == told["nothing in it"]["columns"]
        keys = told["An other.owner"]["foreign_keys"]
        assert isinstance(keys, list)
        assert "other.owner" == member(keys[0], "to")


def test_some_of_them_in_the_order_asked(session: DbSession) -> None:
    """What nothing has is said, what nobody asked for is not."""
    asked = ["it's", "gone", "dear ones", "%s {}", "owner", "other.owner", "It's"]
    found, missing = described(session, asked)
    there = [name for name in asked if name not in {*missing, "It's"}]
    assert there == names(found, "table", "view")
    more = [] if session.dialect == "postgres" else ["other.owner"]
    other = [] if session.dialect == "sqlite" else ["It's"]  # SQLite ignores the case of names
    assert ["gone", *more, *other] == missing
    everything = {str(one["name"]): one for one in described(session)[0]}
    assert [everything[name] for name in there] == found
    assert ([], ["gone"]) == described(session, ["gone"])
    assert ([], []) == described(session, [])


def test_a_table_dropped_meanwhile_is_not_there(server: Server) -> None:
    """Between its name and its keys; the others are told."""
    mysql = server.scheme == "mysql"
    server.run("CREATE DATABASE going", database="")
    server.run("CREATE TABLE a (x INT)", "CREATE TABLE b (x INT)", database="going")
    after = "SHOW FULL TABLES" if mysql else "pg_attribute"

    def drop(*told: Any) -> None:
        if after in told[2]:
            server.run("DROP TABLE IF EXISTS a", database="going")

    event.listen(Engine, "after_cursor_execute", drop)
    try:
        with opened(server.url(database="going")) as one:
            found, missing = described(one, ["a", "b"])
    finally:
        event.remove(Engine, "after_cursor_execute", drop)
        server.run("DROP DATABASE going", database="")
    assert (["b"], ["a"]) == (names(found, "table"), missing)


def test_more_names_than_are_said_to_the_server(elephant: Server) -> None:
    """All are asked for then, and those that are wanted told."""
    elephant.run("CREATE DATABASE wide", database="")
    each = "FOR n IN 1..1100 LOOP EXECUTE format('CREATE TABLE t%s (a int)', n); END LOOP"
    try:
        elephant.run(f"DO $$ BEGIN {each}; END $$", database="wide")
        asked = [f"t{number}" for number in range(1_100, 0, -1) if number % 50]
        with opened(elephant.url(database="wide")) as one:
            found, missing = described(one, [*asked, "gone"])
    finally:
        elephant.run("DROP DATABASE wide", database="")
    assert (asked, ["gone"]) == (names(found, "table"), missing)
