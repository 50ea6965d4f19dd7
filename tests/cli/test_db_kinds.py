"""What servers have of their own, by the commands: kinds of tables, types, generated columns."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from learnt.domain_ports import ToolCall
from learnt.domains.database.extractor import queried
from tests.support.database_servers import PASSWORD, Server
from tests.support.homes import Home

ORDERS = (
    "CREATE TYPE pair AS (a INT, b TEXT)",
    "CREATE TABLE room (id INT, place POINT, both_of pair)",
    "CREATE MATERIALIZED VIEW dear AS SELECT id, place FROM room",
    "CREATE FOREIGN DATA WRAPPER nothing",
    "CREATE SERVER far FOREIGN DATA WRAPPER nothing",
    "CREATE FOREIGN TABLE away (a INT) SERVER far",
)
FILM = (
    "CREATE TABLE film (id INTEGER PRIMARY KEY, name TEXT, loud TEXT AS (upper(name)),"
    " kept TEXT GENERATED ALWAYS AS (lower(name)) STORED)"
)


@pytest.fixture(scope="module")
def elephant(elephant: Server) -> Iterator[Server]:
    with elephant.another("kinds", *ORDERS) as own:
        yield own


@pytest.fixture
def films(home: Home, tmp_path: Path) -> Home:
    """A home with an SQLite database."""
    path = tmp_path / "film.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(FILM)
    said = home.here("db", "setup", "--name", "films", "--url", f"sqlite:///{path}")
    assert 0 == said.exit_code, said
    return home


def test_all_kinds_are_there_and_nobody_is_warned(home: Home, elephant: Server) -> None:
    """From the set-up on; what is printed of them is read again as what it is."""
    words = ("db", "setup", "--name", "shop", "--url", elephant.url(), "--password-stdin")
    said = home.cli(*words, stdin=f"{PASSWORD}\n")
    assert (0, False) == (said.exit_code, "Warning" in said.errors), said
    assert "tables, views, routines and triggers: 3." in said.output
    assert "materialized view  dear" in home.cli("db", "index").output
    for options in (("--offline",), ("--fresh",)):
        told = home.cli("db", "structure", "--tables", "dear,away,room", *options)
        assert 0 == told.exit_code, told
        assert "Warning" not in told.errors
        for line in ("materialized view dear", "  place  point", "foreign table away"):
            assert line in told.output.splitlines()
    call = ToolCall(
        tool="Bash", input={"command": "learnt db structure --fresh"}, response=told.output
    )
    assert {"dear", "away", "room", "id", "a", "place", "both_of"} == set(queried(call).entities)


def test_a_table_is_found_in_other_capitals(films: Home, tmp_path: Path) -> None:
    """Asked again, as it is kept, and once it is gone."""
    for options in (["--fresh"], [], ["--offline"]):
        for name in ("Film", "film", "main.FILM", "FILM,film"):
            said = films.here("db", "structure", "--tables", name, *options, "--json")
            assert (0, ["film"]) == (said.exit_code, [one["name"] for one in said.json["objects"]])
    with closing(sqlite3.connect(tmp_path / "film.db")) as connection:
        connection.execute("ALTER TABLE film RENAME TO other")
    said = films.here("db", "structure", "--tables", "FILM", "--fresh", "--json")
    assert (1, []) == (said.exit_code, said.json["objects"])
    assert "film" not in films.here("db", "index", "--offline").output


def test_generated_columns_are_told(films: Home) -> None:
    """With their types, stored or not."""
    [told] = films.here("db", "structure", "--tables", "film", "--json").json["objects"]
    columns = {one["name"]: one["type"] for one in told["columns"]}
    assert {"id": "INTEGER", "name": "TEXT", "loud": "TEXT", "kept": "TEXT"} == columns
