"""A little database of this repository's own, and what is asked of it: a workshop for bicycles.

It is in SQLite, so that the walk-through can be played where there is neither Sakila nor a server.
"""

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from learnt.domains.database.servers.connections import address
from tools.investigation import Database
from tools.scripts import TOOL, USER, Round, Said, Script, Task

_SCHEMA = (
    "CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL)",
    "CREATE TABLE bike (bike_id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owner,"
    " sort TEXT NOT NULL, frame_number TEXT)",
    "CREATE TABLE mechanic (mechanic_id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, bike_id INTEGER NOT NULL REFERENCES bike,"
    " mechanic_id INTEGER NOT NULL REFERENCES mechanic, promised TEXT NOT NULL, given_back TEXT,"
    " cents INTEGER NOT NULL, state TEXT NOT NULL, old_ticket TEXT)",
    "CREATE VIEW open_repairs AS SELECT repair_id, bike_id FROM repair WHERE given_back IS NULL",
)
_STATES = ("paid", "paid", "paid", "waits", "warranty")


def _rows() -> Iterator[tuple[str, tuple[object, ...]]]:
    towns = ("Ulm", "Jena", "Gera")
    for n in range(1, 13):
        yield "INSERT INTO owner VALUES (?, ?, ?)", (n, f"owner {n}", towns[n % 3])
    for n in range(1, 21):
        sort = ("city", "race", "cargo")[n % 3]
        yield "INSERT INTO bike VALUES (?, ?, ?, ?)", (n, 1 + n % 12, sort, f"F{n:04}")
    for n in range(1, 4):
        yield "INSERT INTO mechanic VALUES (?, ?)", (n, f"mechanic {n}")
    for n in range(1, 41):
        back = None if n % 8 == 0 else f"2026-01-{1 + (n * 7) % 28:02}"
        promised = f"2026-01-{1 + (n * 5) % 28:02}"
        row = (n, 1 + n % 20, 1 + n % 3, promised, back, 1_500 + 100 * n, _STATES[n % 5], None)
        yield "INSERT INTO repair VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row


@contextmanager
def workshop() -> Iterator[Database]:
    """The workshop's file, for as long as it is asked."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "workshop.db"
        with closing(sqlite3.connect(path)) as connection:
            for order in _SCHEMA:
                connection.execute(order)
            for order, row in _rows():
                connection.execute(order, row)
            connection.commit()
        place = address(f"sqlite:///{path}")
        yield Database(
            address=place,
            looking=place,
            password=None,
            change=lambda orders: _change(path, orders),
        )


def _change(path: Path, orders: Sequence[str]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for order in orders:
            connection.execute(order)
        connection.commit()


_OWNED = "repair r JOIN bike b ON r.bike_id = b.bike_id JOIN owner o ON b.owner_id = o.owner_id"
_PATH = ("repair", "repair.bike_id", "bike", "bike.owner_id")
_LATE = ("repair", "repair.given_back", "repair.promised")
_STATE = ("repair", "repair.state")
_TICKET = ("repair", "repair.old_ticket")

FIRST = Round(0, (
    Task("Which towns do the owners of repaired bikes come from?", (
        "SELECT owner_id FROM repair LIMIT 1",
        "PRAGMA table_info(repair)",
        "PRAGMA table_info(bike)",
        f"SELECT o.town, COUNT(*) FROM {_OWNED} GROUP BY o.town ORDER BY 1",
    ), (
        Said("schema", "A repair leads to its owner by repair.bike_id and bike.owner_id, not by "
             "repair.owner_id", TOOL, (0, 1, 2), _PATH, expected="in"),
        Said("data_snapshot", "Most owners come from Jena today"),
        Said("procedure", "I looked at three tables and ran a query"),
    )),
    Task("Which repairs were given back late?", (
        "PRAGMA table_info(repair)",
        "SELECT COUNT(*) FROM repair WHERE given_back > promised",
    ), (
        Said("schema", "A repair is late when repair.given_back is after repair.promised", TOOL,
             (0,), _LATE, expected="in"),
        Said("schema", "mechanic.name is the name of the mechanic"),
        Said("procedure", "Perhaps the mechanics are slower on Mondays"),
    )),
    Task("In which states can a repair be?", (
        "SELECT DISTINCT state FROM repair WHERE repair_id < 4",
    ), (
        Said("schema", "The states of a repair, repair.state, are 'paid' and 'waits'",
             TOOL, (0,), _STATE, expected="in"),
    )),
    Task("Do repairs have an old ticket?", (
        "SELECT COUNT(*) FROM repair WHERE old_ticket IS NOT NULL",
        "SELECT COUNT(*) FROM repair WHERE old_ticket IS NULL",
    ), (
        Said("schema", "repair.old_ticket is always NULL, nobody uses it", TOOL, (0,),
             _TICKET, ("table:repair",), expected="in"),
    )),
))  # fmt: skip

SECOND = Round(7, (
    Task("Which repairs were moved over with an old ticket?", (
        "SELECT COUNT(*) FROM repair WHERE old_ticket > ''",
    ), (
        Said("procedure", "I will ask the owner about it"),
    )),
    Task("Which states of a repair are there?", (
        "SELECT DISTINCT state FROM repair ORDER BY 1",
    ), (
        Said("schema", "The states of a repair, repair.state, are a set of 3 possible values: "
             "'paid', 'waits', 'warranty'", TOOL, (0,), _STATE, expected="right"),
        Said("procedure", "We should rename the states next year"),
    ), ("paid", "waits", "warranty")),
    Task("How many repairs did the workshop take in?", (
        "SELECT COUNT(*) FROM repair",
    ), (
        Said("data_snapshot", "repair has 40 rows, one for each that was taken in", USER, (),
             ("repair",), expected="in"),
        Said("data_snapshot", "Right now 5 repairs are open"),
    )),
    Task("Which late repairs belong to owners from Ulm?", (
        "PRAGMA table_info(repair)",
        "PRAGMA table_info(bike)",
        f"SELECT COUNT(*) FROM {_OWNED} WHERE r.given_back > r.promised AND o.town = 'Ulm'",
    ), (
        Said("schema", "A repair is late when repair.given_back is after repair.promised", TOOL,
             (0,), _LATE, expected="known"),
        Said("schema", "A repair leads to its owner by repair.bike_id and bike.owner_id, not by "
             "repair.owner_id", TOOL, (0, 1), _PATH, expected="known"),
    )),
))  # fmt: skip

THIRD = Round(14, (
    Task("How many repairs are there in the books?", (
        "SELECT COUNT(*) FROM repair",
    ), (
        Said("data_snapshot", "There are 60 repairs in the books this morning"),
    )),
    Task("What does a repair under warranty cost its owner?", (
        "SELECT MIN(cents), MAX(cents) FROM repair WHERE state = 'warranty'",
    ), (
        Said("business_rule", "A repair under warranty costs its owner nothing, whatever "
             "repair.cents says", USER, (), ("repair.cents",), expected="in"),
        Said("business_rule", "A repair under warranty costs its owner repair.cents"),
        Said("data_range", "repair.cents lies between 1500 and 5500"),
    )),
), "the workshop took in 20 more repairs.", (
    "INSERT INTO repair (bike_id, mechanic_id, promised, cents, state) SELECT bike_id,"
    " mechanic_id, '2026-02-01', cents, 'waits' FROM repair WHERE repair_id <= 20",
))  # fmt: skip

FOURTH = Round(21, (
    Task("How many repairs did the workshop take in by now?", (
        "SELECT COUNT(*) FROM repair",
    ), (
        Said("data_snapshot", "repair has 60 rows, one for each that was taken in", TOOL, (0,),
             ("repair",)),
        Said("data_snapshot", "repair has 60 rows, not 40 rows", USER, (), ("repair",),
             expected="right"),
    )),
    Task("Do repairs still have an old ticket?", (
        "SELECT COUNT(*) FROM repair WHERE old_ticket IS NOT NULL",
        "PRAGMA table_info(repair)",
    ), (
        Said("schema", "There is no repair.old_ticket any more", TOOL, (0, 1), _TICKET,
             ("table:repair",), expected="right"),
        Said("schema", "repair.given_back 晚于 repair.promised，维修就算逾期", TOOL, (1,), _LATE,
             expected="known"),
    ), ("state",)),
), "the owner dropped the column repair.old_ticket.", (
    "ALTER TABLE repair DROP COLUMN old_ticket",
))  # fmt: skip

FIFTH = Round(28, (
    Task("Which owners wait for a late repair?", (
        "PRAGMA table_info(repair)",
        "PRAGMA table_info(bike)",
        f"SELECT o.name FROM {_OWNED} WHERE r.given_back > r.promised ORDER BY 1 LIMIT 3",
    ), (
        Said("schema", "A repair is late as soon as repair.given_back is after repair.promised",
             TOOL, (0,), _LATE, expected="known"),
        Said("schema", "A repair leads to its owner by bike.owner_id and repair.bike_id, not by "
             "repair.owner_id", TOOL, (0, 1), _PATH, expected="known"),
        Said("procedure", "Great, everything is answered"),
    )),
    Task("Which states can a repair have?", (
        "SELECT DISTINCT state FROM repair ORDER BY 1",
    ), (
        Said("schema", "A repair has one of 3 states in repair.state: 'paid', 'waits', 'warranty'",
             TOOL, (0,), _STATE, expected="known"),
    ), ("paid", "waits", "warranty")),
))  # fmt: skip

WORKSHOP = Script(
    name="workshop",
    what="a little SQLite database of a workshop for bicycles",
    rounds=(FIRST, SECOND, THIRD, FOURTH, FIFTH),
    last_day=35,
)
