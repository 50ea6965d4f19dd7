"""Triggers, beside procedures, functions and views, by `db structure` and `db index`."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import pytest

from learnt.domain_ports import ToolCall
from learnt.domains.database.extractor import queried
from tests.support.database_servers import PASSWORD, Server
from tests.support.homes import Home

ROOM = ("CREATE TABLE room (id INT, rate INT)", "CREATE VIEW dear AS SELECT id FROM room")
NEXT = "CREATE TABLE log (room INT)"
FIRED = {
    "sqlite": ("CREATE TRIGGER noted AFTER INSERT ON room BEGIN INSERT INTO log VALUES (1); END",),
    "mysql": (
        "CREATE TRIGGER noted AFTER INSERT ON room FOR EACH ROW INSERT INTO log VALUES (NEW.id)",
        "CREATE PROCEDURE tidy() DELETE FROM log",
        "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n",
    ),
    "postgres": (
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN INSERT INTO log VALUES (NEW.id); RETURN NEW; END'",
        "CREATE TRIGGER noted AFTER INSERT OR UPDATE ON room FOR EACH ROW EXECUTE FUNCTION note()",
        "CREATE PROCEDURE tidy() LANGUAGE sql AS 'DELETE FROM log'",
        "CREATE SCHEMA other",
        "CREATE TABLE other.room (id INT, of INT REFERENCES other.room (id), PRIMARY KEY (id))",
        "CREATE TRIGGER noted BEFORE DELETE ON other.room EXECUTE FUNCTION note()",
    ),
}


class Fired(NamedTuple):
    """A home in which a database with triggers is set up, and what names they have there."""

    home: Home
    server: str
    trigger: str


@pytest.fixture(params=list(FIRED))
def fired(request: pytest.FixtureRequest, home: Home, tmp_path: Path) -> Iterator[Fired]:
    orders = (*ROOM, NEXT, *FIRED[request.param])
    name = "room.noted" if request.param == "postgres" else "noted"
    setup = ("db", "setup", "--name", "shop", "--url")
    with ExitStack() as stack:
        if request.param == "sqlite":
            with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
                for order in orders:
                    connection.execute(order)
            said = home.here(*setup, f"sqlite:///{tmp_path / 'shop.db'}")
        else:
            fixture = "maria" if request.param == "mysql" else "elephant"
            server: Server = request.getfixturevalue(fixture)
            own = stack.enter_context(server.another("fired", *orders))
            stdin = f"{PASSWORD}\n"
            url = own.url("owner")
            said = home.cli(*setup, url, "--password-stdin", stdin=stdin)
        assert 0 == said.exit_code, said
        yield Fired(home, request.param, name)


def test_all_sorts_are_in_the_index(fired: Fired) -> None:
    """Each with its kind; a server without routines has the others."""
    lines = fired.home.cli("db", "index").output.splitlines()
    assert {"table  room", "view  dear", f"trigger  {fired.trigger}"} <= set(lines)
    for kind in () if fired.server == "sqlite" else ("procedure", "function"):
        assert any(line.startswith(f"{kind}  ") for line in lines), lines
    if fired.server == "postgres":
        assert "trigger  other.room.noted" in lines
        assert 2 == sum(line.startswith("trigger") for line in lines), "no key's own are told"


def test_a_table_names_its_triggers_and_each_has_its_text(fired: Fired) -> None:
    """Asked of the server and as it is kept, all together and by name; and a gone one is gone."""
    for options in (("--fresh",), ("--offline",)):
        table = fired.home.cli("db", "structure", "--tables", "room", *options).output
        assert f"  trigger {fired.trigger}" in table.splitlines()
        for asked in ((), ("--tables", fired.trigger)):
            told = fired.home.cli("db", "structure", *asked, *options)
            assert 0 == told.exit_code, told
            assert f"trigger {fired.trigger} on room" in told.output.splitlines()
            assert "AFTER INSERT" in told.output
    gone = fired.home.cli("db", "structure", "--tables", "nowhere")
    assert "nowhere: there is no such table, view, routine or trigger" in gone.output


def test_an_account_that_may_not_see_them_is_told_the_rest(home: Home, maria: Server) -> None:
    """MySQL shows a trigger to whoever may have triggers on its table; nothing fails."""
    with maria.another("fired", *ROOM, NEXT, *FIRED["mysql"]) as own:
        setup = ("db", "setup", "--name", "shop", "--url", own.url(), "--password-stdin")
        assert 0 == home.cli(*setup, stdin=f"{PASSWORD}\n").exit_code
        told = home.cli("db", "structure", "--fresh")
    assert (0, True, False) == (told.exit_code, "table room" in told.output, "noted" in told.output)


def test_what_is_printed_is_read_as_the_tables_that_it_tells_of(fired: Fired) -> None:
    """A session in which it was printed knows each table's columns."""
    told = fired.home.cli("db", "structure", "--fresh").output
    call = ToolCall(tool="Bash", input={"command": "learnt db structure --fresh"}, response=told)
    more = {"other.room", "of"} if fired.server == "postgres" else set()
    assert {"room", "log", "dear", "id", "rate", *more} == set(queried(call).entities)
