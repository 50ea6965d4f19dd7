"""All labelled statements asked of real servers, by an account that may do all: nothing changes."""

from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.asking import opened
from tests.support.database_servers import mariadb, postgres
from tests.support.gate_proof import (
    SECONDS,
    Told,
    Watched,
    WatchedFile,
    WatchedMariadb,
    WatchedPostgres,
    asked_by_writer,
    labelled,
    proof,
)

DATA = Path(__file__).parents[1] / "data"
STATEMENTS = [
    *labelled(DATA / "sql_statements" / "statements_dev.jsonl"),
    *labelled(DATA / "sql_attacks" / "statements_attacks.jsonl"),
]


def held(told: list[Told]) -> None:
    """Nothing to refuse got through, nothing changed, nothing refused was heard of.

    But for what names types of one's own: the server tells whether those run anything.
    """
    for one in told:
        assert 20 < one.asked
        assert [] == list(one.changed)
        assert (0, 0) == (one.effects, one.refused_but_heard)
        assert SECONDS > one.slowest
    allow, refuse = told
    assert 0 == refuse.through - refuse.by_types
    assert 0.97 <= allow.through / allow.asked
    assert allow.answered >= 0.5 * allow.through


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("scheme", ["mysql", "postgresql"])
def test_no_statement_has_an_effect_on_a_server(scheme: str) -> None:
    """Tables, sequences, objects, locks, settings, files; and the server's log of what it heard."""
    with ExitStack() as stack:
        server = stack.enter_context(mariadb() if scheme == "mysql" else postgres())
        made = WatchedMariadb if scheme == "mysql" else WatchedPostgres
        watched: Watched = stack.enter_context(closing(made(server)))
        session = stack.enter_context(asked_by_writer(server))
        held(proof(watched, session, STATEMENTS))


@pytest.mark.slow
def test_no_statement_has_an_effect_on_a_file(tmp_path: Path) -> None:
    """Nor on what lies beside it."""
    watched = WatchedFile(tmp_path / "shop.db")
    with opened(f"sqlite:///{watched.file}", None, seconds=SECONDS) as session:
        held(proof(watched, session, STATEMENTS))


@pytest.mark.slow
def test_the_watch_sees_what_is_done() -> None:
    """A row, a sequence, a setting, a lock by name, a file, and a statement that was heard."""
    with ExitStack() as stack:
        server = stack.enter_context(mariadb())
        watched = stack.enter_context(closing(WatchedMariadb(server)))
        for order in (
            "UPDATE film SET length = 5",
            "SELECT NEXTVAL(s)",
            "SET GLOBAL max_connections = 77",
            "SELECT 1 INTO OUTFILE 'shop/made.txt'",
            "CREATE USER somebody",
        ):
            before = watched.state()
            server.run(order)
            assert before != watched.state(), order
        before, heard = watched.state(), watched.heard()
        with asked_by_writer(server) as session, session.reading("SELECT GET_LOCK('x', 0)") as had:
            list(had.rows)
            assert heard < watched.heard()
            assert not watched.locks or before != watched.state()
