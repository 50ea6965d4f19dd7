"""What a server says is missing: read from messages as they are printed, and from real servers."""

import sqlite3
from contextlib import closing

import psycopg
import pymysql
import pytest

from learnt.domains.database.schema.missing import Missing, missing
from tests.support.database_servers import Server


def table(name: str) -> Missing:
    return Missing(table=name)


def column(name: str, of: str = "") -> Missing:
    return Missing(table=of, column=name)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Unknown column 'rate' in 'field list'", column("rate")),
        ("Unknown column 'r.rate' in 'SELECT'", column("rate", "r")),
        ("Unknown column 'shop.room.rate' in 'where clause'", column("rate", "room")),
        ("Unknown column '房价' in 'order clause'", column("房价")),
        ("Unknown column 'we'ird `one`' in 'ON'", column("we'ird `one`")),
        ("Unknown column '.' in 'SELECT'", column(".")),
        ("ERROR 1054 (42S22) at line 1: Unknown column 'x' in 'WHERE'", column("x")),
        ("(1054, \"Unknown column 'x' in 'SELECT'\")", column("x")),
        (str((1054, "Unknown column 'a\"b' in 'SELECT'")), column('a"b')),
        ("Table 'shop.room' doesn't exist", table("room")),
        ("Table 'shop.a.b' doesn't exist", table("a.b")),
        ("Table '酒店.订单' doesn't exist", table("订单")),
        ("Table 'shop.it's' doesn't exist", table("it's")),
        ("ERROR 1146 (42S02): Table 'shop.room' doesn't exist", table("room")),
    ],
)
def test_mysql_and_mariadb(said: str, found: Missing) -> None:
    """By the driver, by the client, and as a printed tuple; the database is no part of a table."""
    assert found == missing(said)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('column "rate" does not exist', column("rate")),
        ("column r.rate does not exist", column("rate", "r")),
        ('column "a.b" does not exist', column("a.b")),
        ('column "we"ird" does not exist', column('we"ird')),
        ('column "R".x does not exist', column("x", '"R"')),
        ("column 订单.房价 does not exist", column("房价", "订单")),
        ('column "x" of relation "room" does not exist', column("x", "room")),
        ('relation "room" does not exist', table("room")),
        ('relation "hotel.room" does not exist', table("hotel.room")),
        (
            'ERROR:  column "rat" does not exist\nLINE 1: SELECT rat FROM room\n               ^\n'
            'HINT:  Perhaps you meant to reference the column "room.rate".',
            column("rat"),
        ),
        (r'{"failed": "column \"rat\" does not exist"}', column("rat")),
        (r'{"failed": "relation \"room\" does not exist"}', table("room")),
    ],
)
def test_postgres(said: str, found: Missing) -> None:
    """In quotes, or after its table and a dot; with hints, and within JSON."""
    assert found == missing(said)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("no such column: rate", column("rate")),
        ("no such column: r.rate", column("rate", "r")),
        ("no such column: main.room.rate", column("rate", "room")),
        (
            'no such column: "rat" - should this be a string literal in single-quotes?',
            column("rat"),
        ),
        ("no such table: room", table("room")),
        ("no such table: main.room", table("room")),
        ("no such table: a.b", table("a.b")),
        ("no such table: 订 'x' `单`", table("订 'x' `单`")),
        ("Error: in prepare, no such table: room (1)", table("room")),
        (
            "Parse error near line 1: no such column: x\n  SELECT x FROM t;\n    ^--- here",
            column("x"),
        ),
        ("Traceback:\nsqlite3.OperationalError: no such table: room\r\n", table("room")),
        ("The server could not run it: no such table: room", table("room")),
    ],
)
def test_sqlite(said: str, found: Missing) -> None:
    """By the library and by its shell; `main` is no part of a table."""
    assert found == missing(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "You have an error in your SQL syntax near 'x'",
        "Unknown column '' in 'SELECT'",
        "Table 'shop.room' doesn't exist in engine",
        "the column that you asked for does not exist",
        "the relation does not exist",
        'role "reader" does not exist',
        'database "shop" does not exist',
        "Unknown database 'shop'",
        "no such function: f",
        "no such column:",
        "the directory a.b does not exist",
    ],
)
def test_what_is_no_such_message(said: str) -> None:
    """Something else is missing, or wrong, or nothing is named."""
    assert missing(said) is None


def test_the_first_of_several() -> None:
    """As a server stops at its first error; in a long text both ends are looked at."""
    both = 'relation "a" does not exist\ncolumn "b" does not exist\nno such table: c'
    assert table("a") == missing(both)
    assert column("b") == missing("x\n" * 500_000 + 'column "b" does not exist')
    assert missing("column " * 200_000) is None


def test_what_sqlite_really_says() -> None:
    """For names of all sorts, and for a view on what is gone."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE room (id INT)")
        made.execute("CREATE VIEW dear AS SELECT * FROM gone")
        asked = {
            "SELECT rate FROM room": column("rate"),
            "SELECT r.rate FROM room r": column("rate", "r"),
            "SELECT `房 价` FROM room": column("房 价"),
            "SELECT * FROM `it's`": table("it's"),
            "SELECT * FROM dear": table("gone"),
        }
        for sql, found in asked.items():
            with pytest.raises(sqlite3.OperationalError) as failed:
                made.execute(sql)
            assert found == missing(str(failed.value)), sql


def test_what_mariadb_really_says(maria: Server) -> None:
    """With its database before a table, whatever the names."""
    asked = {
        "SELECT rat FROM room": column("rat"),
        "SELECT r.rat FROM room r WHERE 1": column("rat", "r"),
        "SELECT id FROM room WHERE `it's 房价` = 1": column("it's 房价"),
        "SELECT 1 FROM gone": table("gone"),
        "SELECT 1 FROM `订.单`": table("订.单"),
        "SELECT 1 FROM other.gone": table("gone"),
    }
    for sql, found in asked.items():
        with pytest.raises(pymysql.Error) as failed:
            maria.run(sql)
        assert found == missing(str(failed.value.args[1])) == missing(str(failed.value)), sql


def test_what_postgres_really_says(elephant: Server) -> None:
    """With hints, and with a schema only where the statement names one."""
    asked = {
        "SELECT rat FROM room": column("rat"),
        "SELECT r.rat FROM room r": column("rat", "r"),
        "SELECT public.room.rat FROM room": column("rat", "room"),
        'SELECT "we""ird 房价" FROM room': column('we"ird 房价'),
        "SELECT 1 FROM gone": table("gone"),
        "SELECT 1 FROM hotel.gone": table("hotel.gone"),
    }
    for sql, found in asked.items():
        with pytest.raises(psycopg.Error) as failed:
            elephant.run(sql)
        assert found == missing(str(failed.value)), sql
