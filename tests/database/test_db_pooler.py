"""A PostgreSQL behind PgBouncer, which lets nobody set up a session."""

from collections.abc import Iterator

import psycopg
import pytest

from learnt.domains.database.commands.query import QueryRows
from learnt.errors import StatementFailed
from tests.support.asking import ask, described, opened
from tests.support.database_servers import PASSWORD, Server, pooler


@pytest.fixture(scope="module")
def pooled(elephant: Server) -> Iterator[Server]:
    with pooler(elephant) as server:
        yield server


def test_it_takes_no_orders_for_a_session(pooled: Server) -> None:
    """So what is tested here is what poolers do."""
    with pytest.raises(psycopg.OperationalError, match="unsupported startup parameter"):
        psycopg.connect(
            host="127.0.0.1", port=pooled.port, user="reader", password=PASSWORD, dbname="shop",
            options="-c statement_timeout=1000",
        )  # fmt: skip


def test_questions_are_answered(pooled: Server) -> None:
    """One after another, though each may come to another session."""
    with opened(pooled.url()) as session:
        for _ in range(3):
            answer = ask(session, "SELECT name FROM room ORDER BY id")
            assert isinstance(answer, QueryRows)
            assert [["套房"], ["single"]] == answer.rows
        found, missing = described(session, ["room", "gone"])
        assert (["room"], ["gone"]) == ([one["name"] for one in found], missing)


def test_nothing_is_written_and_the_clock_runs(pooled: Server, elephant: Server) -> None:
    """By each transaction's own settings, for an account that may do all, past the gate too."""
    with opened(pooled.url("writer"), seconds=0.3) as session:
        deletes = "DELETE FROM public.room"
        with pytest.raises(StatementFailed, match="read-only"), session.reading(deletes):
            pass
        with pytest.raises(StatementFailed, match=r"0\.3 s"), session.reading("SELECT pg_sleep(9)"):
            pass
        with session.reading("SHOW standard_conforming_strings") as found:
            assert [("on",)] == list(found.rows)
    assert [(2,)] == elephant.run("SELECT count(*) FROM room")


def test_nobody_after_it_finds_its_settings(pooled: Server) -> None:
    """The session goes on to somebody else, who may write and take their time."""
    with opened(pooled.url("owner"), seconds=0.3) as session:
        ask(session, "SELECT 1")
        session.raw().rollback()
        (row,) = pooled.run("SELECT current_setting('statement_timeout')")
    assert ("0",) == row
