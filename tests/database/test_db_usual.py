"""Questions as people write them: none is refused, and none becomes another on its way."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed
from learnt.domains.database.servers.connections import (
    DbAddress,
    DbSession,
    Dialect,
    Limits,
    address,
    begun,
)
from learnt.errors import StatementFailed
from tests.support import hotel
from tests.support.database_servers import PASSWORD, Server

FILE = Path(__file__).parents[1] / "data" / "sql_statements" / "statements_usual.jsonl"
STATEMENTS: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()
]
FUNCTION = "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n"


def test_no_usual_question_is_refused() -> None:
    """Not one, by the server that it is written for."""
    refused = [
        (dialect, one["sql"])
        for one in STATEMENTS
        for dialect in one["dialects"]
        if not isinstance(judge(one["sql"], dialect), Allowed)
    ]
    assert [] == refused


@contextmanager
def opened(dialect: Dialect, folder: Path, server: Server | None) -> Iterator[DbAddress]:
    """The hotel, in a database of its own."""
    if server is None:
        file = folder / "hotel.db"
        with closing(sqlite3.connect(file)) as connection:
            for order in hotel.SQLITE:
                connection.execute(order)
            connection.commit()
        yield address(f"sqlite:///{file}")
        return
    orders = (*hotel.MARIADB, FUNCTION) if dialect == "mysql" else hotel.POSTGRES
    with server.another("hotel", *orders) as own:
        yield address(own.url())


def rows(session: DbSession, sql: str) -> list[str]:
    """All rows of an answer."""
    with session.reading(sql) as found:
        return [repr(row) for row in found.rows]


@pytest.mark.parametrize("dialect", ["mysql", "postgres", "sqlite"])
def test_what_the_gate_writes_gives_the_same_rows(
    dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """As the question by itself, unless that gives other rows each time."""
    others, ran = [], 0
    shared = {"mysql": "maria", "postgres": "elephant"}.get(dialect)
    server = request.getfixturevalue(shared) if shared else None
    with opened(dialect, tmp_path, server) as at:
        password = None if dialect == "sqlite" else PASSWORD
        with closing(begun(at, password, Limits(seconds=10))) as session:
            for one in STATEMENTS:
                if dialect not in one["dialects"]:
                    continue
                judged = judge(one["sql"], dialect)
                assert isinstance(judged, Allowed)
                try:
                    told = rows(session, one["sql"])
                except StatementFailed:
                    continue  # an older server does not know it
                ran += 1
                if judged.sql == one["sql"]:
                    continue  # nothing was rewritten, and EXPLAIN's times are others each time
                if told != rows(session, judged.sql) and told == rows(session, one["sql"]):
                    others.append((one["sql"], judged.sql))
    assert [] == others
    assert 100 < ran
