"""What a server says is missing: read from messages as they are printed, and from real servers."""

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pymysql
import pytest

from learnt.domains.database.schema.objects import Missing, missing
from learnt.errors import EnvironmentTrouble, StatementFailed
from tests.support.asking import described, opened
from tests.support.cases import first
from tests.support.database_servers import Server


def table(name: str) -> Missing:
    return Missing(table=name)


def column(name: str, of: str = "") -> Missing:
    return Missing(table=of, column=name)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Unknown column 'shop.room.rate' in 'where clause'", column("rate", "room")),
        ("Unknown column '房价' in 'order clause'", column("房价")),
        ("Unknown column 'we'ird `one`' in 'ON'", column("we'ird `one`")),
        ("Unknown column '.' in 'SELECT'", column(".")),
        ("ERROR 1054 (42S22) at line 1: Unknown column 'x' in 'WHERE'", column("x")),
        ("(1054, \"Unknown column 'x' in 'SELECT'\")", column("x")),
        (str((1054, "Unknown column 'a\"b' in 'SELECT'")), column('a"b')),
        ("Table 'shop.a.b' doesn't exist", table("a.b")),
        ("Table '酒店.订单' doesn't exist", table("订单")),
        ("Table 'shop.it's' doesn't exist", table("it's")),
    ],
)
def test_mysql_and_mariadb(said: str, found: Missing) -> None:
    """By the driver, by the client, and as a printed tuple; the database is no part of a table."""
    assert found == missing(said)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("ERROR 1054 (42S22) at line 3: Unbekanntes Tabellenfeld 'r.rat' in SELECT", ("rat", "r")),
        ("ERROR 1054 (42S22) at line 1 in file: 'x.sql': Champ 'a' inconnu dans ON", ("a", "")),
        ("Error 1054 (42S22): 未知列'房价'在'where clause'", ("房价", "")),
        ("1146 (42S02): La table 'shop.it's' n'existe pas", ("", "it's")),
        ("ERROR 1146 (42S02): 表 'shop.room' は存在しません。", ("", "room")),
        ("SQLSTATE[42S22]: Column not found: 1054 Champ 'rat' inconnu dans SELECT", ("rat", "")),
        ("SQLSTATE[42S02]: Base table or view not found: 1146 Table 'a.b' 不存在", ("", "b")),
        ("Error: ER_NO_SUCH_TABLE: Tabelle 'shop.room' existiert nicht", ("", "room")),
        ("(1054, \"Champ 'rat' inconnu dans SELECT\")\n[SQL: SELECT 'x']", ("rat", "")),
        (str((1146, "La table 'shop.a\"b' n'existe pas")), ("", 'a"b')),
        (json.dumps({"failed": "(1054, \"Champ 'rat' inconnu dans ON\")"}), ("rat", "")),
        ("ERROR 1146 (42S02): Table 'a.b' x\nERROR 1054 (42S22): Champ 'c' d", ("", "b")),
    ],
)
def test_mysql_in_other_languages(said: str, found: tuple[str, str]) -> None:
    """By the number: by the client, as drivers print it, with any script's letters around."""
    name, of = found
    assert (Missing(column=name, table=of) if name else table(of)) == missing(said)


@pytest.mark.parametrize(
    "said",
    [
        "Champ 'rat' inconnu dans SELECT",
        "ERROR 1054 (42S22): Champ 'a' b' inconnu dans SELECT",
        "ERROR 1054 (42S22): Champ rat inconnu dans SELECT",
        "ERROR 1054 (42S22): Champ '' inconnu dans SELECT",
        "ERROR 1146 (42S22): La table 'shop.room' n'existe pas",
        "ERROR 1064 (42000): Erreur de syntaxe près de 'room' à la ligne 1",
        "ERROR 1054 (42S22) at line 1\nChamp 'rat' inconnu dans SELECT",
        "room 1054 'rat'",
        "ERROR:  Spalte »rat« existiert nicht",
        "ERREUR:  la relation « gone » n'existe pas",
    ],
)
def test_what_is_not_sure_in_other_languages(said: str) -> None:
    """No number, another one, no end of the name; PostgreSQL's clients print none."""
    assert missing(said) is None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('column "a.b" does not exist', column("a.b")),
        ('column "we"ird" does not exist', column('we"ird')),
        ('column "R".x does not exist', column("x", '"R"')),
        ("column 订单.房价 does not exist", column("房价", "订单")),
        ('column "x" of relation "room" does not exist', column("x", "room")),
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
        ("no such column: main.room.rate", column("rate", "room")),
        (
            'no such column: "rat" - should this be a string literal in single-quotes?',
            column("rat"),
        ),
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


LANGUAGES = ("de_DE", "fr_FR", "ja_JP", "zh_CN", "ru_RU", "es_ES", "sv_SE", "hu_HU", "ka_GE")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_mariadb_really_says_elsewhere(maria: Server, language: str) -> None:
    """In other languages, by a driver and by the server's own client."""
    asked = {
        "SELECT r.rat FROM room r": column("rat", "r"),
        "SELECT id FROM room WHERE `it's 房价` = 1": column("it's 房价"),
        "SELECT 1 FROM gone": table("gone"),
        "SELECT 1 FROM other.`订.单`": table("订.单"),
    }
    client = shutil.which("mariadb")
    for sql, found in asked.items():
        orders = (f"SET SESSION lc_messages = '{language}'", sql)
        with pytest.raises(pymysql.Error) as failed:
            maria.run(*orders)
        said = str(failed.value)
        assert "Unknown column" not in said and "doesn't exist" not in said
        assert found == missing(said), said
        if client is not None:
            socket = f"--socket={maria.folder / 'my.sock'}"
            done = subprocess.run(
                [client, "--no-defaults", socket, "--user=root", "--batch",
                 "--default-character-set=utf8mb4", "--execute", "; ".join(orders), "shop"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert found == missing(done.stderr), done.stderr


@pytest.fixture(params=first(1, ["de_DE", "fr_FR"]))
def foreign(request: pytest.FixtureRequest, maria: Server) -> Iterator[Server]:
    """A server that answers in another language as long as the test runs."""
    with maria.another("foreign_rooms", "CREATE TABLE room (id INT)") as own:
        own.run(f"SET GLOBAL lc_messages = '{request.param}'")
        yield own
        own.run("SET GLOBAL lc_messages = 'en_US'")


@pytest.mark.slow
def test_a_server_in_another_language(foreign: Server) -> None:
    """It tells a session of ours in English what is missing; what was late has its number."""
    with pytest.raises(pymysql.Error) as failed:
        foreign.run("SELECT rat FROM room")
    assert "Unknown" not in str(failed.value)
    with opened(foreign.url(), seconds=1) as session:
        for sql, said in (
            ("SELECT rat FROM room", "Unknown column 'rat' in"),
            ("SELECT 1 FROM gone", "Table 'foreign_rooms.gone' doesn't exist"),
            ("SELECT SLEEP(3)", "Stopped after 1 s"),
        ):
            with pytest.raises(StatementFailed, match=said), session.reading(sql) as found:
                list(found.rows)
        assert "" == session.could_write()
        assert ["room"] == [one["name"] for one in described(session)[0]]
    with pytest.raises(EnvironmentTrouble, match="the password are right"):
        opened(foreign.url(), "wrong")


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
