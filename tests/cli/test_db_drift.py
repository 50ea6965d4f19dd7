"""`learnt db query` of what is not there: what is kept of those tables is looked at again."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.answers import Said
from tests.support.database_servers import PASSWORD, Server
from tests.support.homes import Home

ROOM = "CREATE TABLE room (id INT PRIMARY KEY, rate INT)"
OWNER = "CREATE TABLE owner (id INT PRIMARY KEY, name VARCHAR(20))"


class Shop:
    """A home with a database that is set up, and a hand on the database."""

    def __init__(self, home: Home, run: Callable[..., object]) -> None:
        self.home, self.run = home, run

    def ask(self, sql: str) -> Said:
        """A question that fails; what is said of it."""
        said = self.home.here("db", "query", "--sql", sql, "--json")
        assert (1, ["failed"], "") == (said.exit_code, list(said.json), said.errors)
        return said

    def columns(self, table: str) -> list[str]:
        """A table's columns as they are kept; none where nothing is."""
        said = self.home.here("db", "structure", "--tables", table, "--offline", "--json")
        found = said.json["objects"] if said.output else []
        return [column["name"] for one in found for column in one["columns"]]

    def kept(self) -> dict[str, str]:
        folder = self.home.path / "database" / "structure"
        return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


@pytest.fixture(scope="module")
def maria(maria: Server) -> Iterator[Server]:
    with maria.another("drifting") as own:
        yield own


@pytest.fixture(scope="module")
def elephant(elephant: Server) -> Iterator[Server]:
    with elephant.another("drifting") as own:
        yield own


@pytest.fixture(params=["sqlite", "mysql", "postgres"])
def any_shop(request: pytest.FixtureRequest, home: Home, tmp_path: Path) -> Shop:
    """Each sort of server."""
    if request.param == "sqlite":
        return in_file(home, tmp_path)
    server: Server = request.getfixturevalue("maria" if request.param == "mysql" else "elephant")
    server.run("DROP TABLE IF EXISTS room", "DROP TABLE IF EXISTS owner", ROOM, OWNER)
    words = ("db", "setup", "--name", "shop", "--url", server.url(), "--password-stdin")
    said = home.cli(*words, stdin=f"{PASSWORD}\n")
    assert 0 == said.exit_code, said
    return Shop(home, server.run)


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Shop:
    return in_file(home, tmp_path)


def in_file(home: Home, folder: Path) -> Shop:
    path = folder / "shop.db"

    def run(*orders: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for order in orders:
                connection.execute(order)
            connection.commit()

    run(ROOM, OWNER)
    said = home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{path}")
    assert 0 == said.exit_code, said
    return Shop(home, run)


def test_a_table_may_be_named_with_its_usual_schema(any_shop: Shop) -> None:
    """As a statement has it; with another one it is another table, or none."""
    for name in ("public.room", "main.room", "drifting.room"):
        said = any_shop.home.here("db", "structure", "--tables", f"{name},owner", "--json")
        found = {one["name"] for one in said.json["objects"]}
        assert (found == {"owner", "room"}) == (said.json["missing"] == []), said
        if not said.exit_code:
            return
    raise AssertionError


def test_a_column_that_was_renamed(any_shop: Shop) -> None:
    """Named by its alias, and in any case of letters: the table is kept as it is now."""
    any_shop.run("ALTER TABLE room RENAME COLUMN rate TO price")
    assert ["id", "rate"] == any_shop.columns("room")
    said = any_shop.ask("SELECT o.name, r.rate FROM owner o JOIN room r ON r.id = o.id")
    assert "rate" in said.json["failed"]
    assert ["id", "price"] == any_shop.columns("room")


def test_a_table_that_was_dropped(any_shop: Shop) -> None:
    """Nothing is kept of it any more, nor its name; the others stay."""
    any_shop.run("DROP TABLE room")
    any_shop.ask("SELECT 1 FROM owner, room")
    assert [] == any_shop.columns("room")
    assert ["id", "name"] == any_shop.columns("owner")
    index = any_shop.home.here("db", "index", "--offline", "--json")
    assert ["owner"] == [one["name"] for one in index.json["objects"]]


def test_a_failure_of_another_sort_looks_at_nothing(shop: Shop) -> None:
    """Nor a slip of the pen, nor a question that is answered."""
    before = shop.kept()
    shop.run("ALTER TABLE room ADD COLUMN more INT")
    shop.ask("SELECT rat FROM room")
    shop.ask("SELECT rate FROM room, rooom")
    shop.ask("SELECT id FROM room UNION SELECT id, rate FROM room")
    assert 0 == shop.home.here("db", "query", "--sql", "SELECT more FROM room").exit_code
    assert before == shop.kept()


def test_only_tables_of_which_something_is_kept_are_looked_at(shop: Shop) -> None:
    """A question begins nothing."""
    folder = shop.home.path / "database" / "structure"
    shutil.rmtree(folder)
    shop.ask("SELECT nothing FROM room")
    shop.ask("SELECT nothing FROM nowhere")
    assert not folder.exists()
    shop.home.here("db", "structure", "--tables", "room")
    shop.run("ALTER TABLE room RENAME COLUMN rate TO price", "ALTER TABLE owner RENAME TO person")
    shop.ask("SELECT rate FROM Room, person")
    assert (["id", "price"], []) == (shop.columns("room"), shop.columns("person"))
    assert 1 == len(shop.kept())


def test_trouble_in_that_look_is_nobodys(shop: Shop) -> None:
    """The failure is said as ever, as JSON and in words, and nothing besides."""
    shop.run("ALTER TABLE room RENAME COLUMN rate TO price")
    for path in (shop.home.path / "database" / "structure").iterdir():
        told = path.read_text("utf-8")
        path.unlink()
        path.mkdir()
        (path / "told").write_text(told, "utf-8")
    shop.ask("SELECT rate FROM room")
    said = shop.home.here("db", "query", "--sql", "SELECT rate FROM room")
    assert (1, "") == (said.exit_code, said.output)
    failure, what_there_is = said.errors.splitlines()
    assert "no such column: rate" in failure
    assert what_there_is.startswith("What there is: `learnt db structure`")


def test_the_list_of_names_keeps_its_age(shop: Shop) -> None:
    """One name goes out of it; the others are no younger for that."""
    for path in (shop.home.path / "database" / "structure").iterdir():
        told = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(told | {"kept_ms": told["kept_ms"] - 7_300_000}), "utf-8")
    shop.run("DROP TABLE room")
    shop.ask("SELECT 1 FROM room")
    said = shop.home.here("db", "index", "--offline")
    assert "As seen 2 hours ago" in said.errors
    assert "room" not in said.output
