"""What somebody made in a PostgreSQL database is never found by the name of the server's own."""

from collections.abc import Iterator

import psycopg
import pytest

from learnt.domains.database.commands.query import QueryRows
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.servers.connections import Limits, address
from learnt.domains.database.servers.postgres import PostgresSession
from learnt.errors import StatementFailed
from tests.support.asking import ask
from tests.support.database_servers import PASSWORD, Server

RAN = "a planted body ran"
_BODY = f"LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{RAN}'; END $$"
PLANTED = (
    "CREATE SCHEMA trap",
    "CREATE TABLE trap.paper (id int, word text)",
    "INSERT INTO trap.paper VALUES (1, 'one')",
    f"CREATE FUNCTION trap.lower(int) RETURNS text {_BODY}",
    f"CREATE FUNCTION trap.any_value(int) RETURNS int {_BODY}",
    f"CREATE FUNCTION trap.seen(trap.paper) RETURNS int {_BODY}",
    f"CREATE FUNCTION trap.same(trap.paper, trap.paper) RETURNS boolean {_BODY}",
    "CREATE OPERATOR trap.= (LEFTARG = trap.paper, RIGHTARG = trap.paper, FUNCTION = trap.same)",
    f"CREATE FUNCTION trap.sum(trap.paper, int) RETURNS int {_BODY}",
    "CREATE OPERATOR trap.+ (LEFTARG = trap.paper, RIGHTARG = int, FUNCTION = trap.sum)",
    "GRANT USAGE ON SCHEMA trap TO reader",
    "GRANT SELECT ON trap.paper TO reader",
    "ALTER ROLE reader SET search_path = trap, public",
)
ATTACKS = (
    "SELECT lower(id) FROM paper",
    "SELECT any_value(id) FROM paper",
    "SELECT p.seen FROM paper p",
    "SELECT 1 FROM paper a, paper b WHERE a = b",
    "SELECT 1 FROM paper a, paper b WHERE a IN (b)",
    "SELECT NULLIF(a, b) FROM paper a, paper b",
    "SELECT CASE a WHEN b THEN 1 END FROM paper a, paper b",
    "SELECT p + 1 FROM paper p",
)


@pytest.fixture(scope="module")
def trapped(elephant: Server) -> Iterator[Server]:
    """A database in which functions and operators lie in wait under the server's own names."""
    elephant.run(*PLANTED)
    yield elephant
    elephant.run("ALTER ROLE reader RESET search_path", "DROP SCHEMA trap CASCADE")


def session(server: Server) -> PostgresSession:
    return PostgresSession(address(server.url()), PASSWORD, Limits())


@pytest.mark.parametrize("sql", ATTACKS)
def test_no_code_of_ones_own_runs(trapped: Server, sql: str) -> None:
    """A question that names the server's own gets that, or an error of the server."""
    asking = session(trapped)
    try:
        found = ask(asking, sql)
        assert isinstance(found, QueryRows | Denied)
    except StatementFailed as error:
        assert RAN not in str(error)
    finally:
        asking.close()


def test_the_traps_work(trapped: Server) -> None:
    """Without the session's care each planted name is found: else the test above shows nothing."""
    ran = 0
    for sql in ATTACKS:
        with trapped.owned() as connection:
            try:
                connection.execute("SET search_path = trap, public")
                connection.execute(sql)
            except psycopg.errors.RaiseException as error:
                ran += RAN in str(error)
    assert ran == len(ATTACKS)


@pytest.mark.parametrize(
    "sql, rows",
    [
        ("SELECT word FROM paper", [["one"]]),
        ("WITH paper AS (SELECT 2 AS id) SELECT id FROM paper", [[2]]),
        ("WITH x AS (SELECT id FROM paper) SELECT x.id, paper.word FROM x, paper", [[1, "one"]]),
        ('SELECT p.word FROM "paper" p JOIN trap.paper q ON p.id = q.id', [["one"]]),
        ("SELECT name FROM ROOM ORDER BY id LIMIT 1", [["套房"]]),
        ("SELECT count(*) FROM pg_class WHERE relname = 'paper'", [[1]]),
    ],
)
def test_tables_are_found_as_the_account_finds_them(
    trapped: Server, sql: str, rows: list[list[object]]
) -> None:
    """A table without a schema is the first of its name in the account's own search path."""
    asking = session(trapped)
    found = ask(asking, sql)
    asking.close()
    assert isinstance(found, QueryRows)
    assert found.rows == rows


def test_a_plan_names_its_tables_too(trapped: Server) -> None:
    """EXPLAIN of a question resolves its tables as the question does."""
    asking = session(trapped)
    found = ask(asking, "EXPLAIN (COSTS off) SELECT * FROM paper")
    asking.close()
    assert isinstance(found, QueryRows)
    assert "Seq Scan on paper" in str(found.rows)


def test_names_given_by_with_are_no_tables() -> None:
    """A name given by WITH stays as it is where it is known, and nowhere else."""
    sql = (
        "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3), "
        "b AS (SELECT * FROM a) SELECT * FROM b, (WITH c AS (SELECT 1) SELECT * FROM c) d, c"
    )
    judged = judge(sql, "postgres")
    assert isinstance(judged, Allowed)
    assert judged.uses.relations == {("", "c")}
    outer = judge("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b", "postgres")
    assert isinstance(outer, Allowed)
    assert outer.uses.relations == {("", "b")}
    assert outer.placed is not None
    assert outer.placed({"b": "x"}, {}) == (
        'WITH a AS (SELECT * FROM "x".b), b AS (SELECT 1) SELECT * FROM a, b'
    )
