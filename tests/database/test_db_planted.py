"""Questions asked where somebody planted objects: nothing of theirs runs, and honest ones do."""

from collections.abc import Mapping
from contextlib import ExitStack, closing
from typing import Any

import pytest

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.servers.connections import Limits, address
from learnt.domains.database.servers.mysql import MysqlSession
from tests.support.asking import ask
from tests.support.database_servers import (
    PASSWORD,
    NotHere,
    Server,
    mariadb,
    postgres,
    systems_own,
)
from tests.support.planted import cases, tried

EVERY = {case["id"]: case for case in cases("dev")}
# Give rows and no query of theirs tells of an effect: an operator that is not called, a dictionary
# that the server reads words from.
UNTOLD = {"kite-pg-h-134", "kite-pg-h-150"}
OF_VIEWS = ("kite-my-h-024", "kite-my-h-025", "kite-my-ok-023")
QUICK = (
    "kite-pg-h-033",  # an implicit cast
    "kite-pg-h-043",  # a view behind a view
    "kite-pg-h-048",  # a policy
    "kite-pg-h-155",  # the order of a type
    "kite-pg-ok-023",  # types of one's own that run nothing
    "kite-pg-ok-033",  # a table named in a text
    "kite-pg-ok-038",
)


def held(server: Server | None, every: list[Mapping[str, Any]]) -> None:
    """No effect, for either account, and all honest ones gave rows."""
    came = list(tried(server, every))
    assert [] == [one.case["id"] for one in came if one.effect and one.case["id"] not in UNTOLD]
    assert [] == [
        (one.case["id"], one.told) for one in came if one.case["honest"] and one.how != "ran"
    ]


def test_nothing_planted_runs_in_postgresql(elephant: Server) -> None:
    """Casts, views, policies, orders; and what is like them and harmless is answered."""
    held(elephant, [EVERY[name] for name in QUICK])


def test_nothing_planted_runs_in_mariadb(maria: Server) -> None:
    """Locks and files behind views; a plain view behind a view is answered."""
    held(maria, [EVERY[name] for name in OF_VIEWS])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT json_storage_size(1)",
        "SELECT json_storage_size(id) FROM room",
        "SELECT n FROM called",
        "SELECT n FROM further",
    ],
)
def test_a_function_that_the_server_has_not_is_somebodys(maria: Server, sql: str) -> None:
    """It is refused by itself, on a table and in a view, though another server has the name."""
    made = (
        "CREATE TABLE room (id INT)",
        "CREATE FUNCTION json_storage_size(n INT) RETURNS INT DETERMINISTIC RETURN n",
        "CREATE VIEW called AS SELECT json_storage_size(id) AS n FROM room",
        "CREATE VIEW further AS SELECT n FROM called",
    )
    with (
        maria.another("planted", *made) as own,
        closing(MysqlSession(address(own.url("owner")), PASSWORD, Limits())) as session,
    ):
        found = ask(session, sql)
        assert isinstance(found, Denied)
        assert {"own", "behind"} & {found.reason}


def test_what_lies_beside_a_question_does_not_stop_it(elephant: Server) -> None:
    """A table whose check calls somebody's function is none of a question about another."""
    beside = (
        "CREATE FUNCTION public.fine(n int) RETURNS boolean LANGUAGE sql AS 'SELECT n > 0'",
        "CREATE TABLE public.other (n int CHECK (public.fine(n)))",
        "CREATE TABLE public.room (id int PRIMARY KEY)",
    )
    asked = {"id": "beside", "setup": beside, "statement": "SELECT id FROM room"}
    held(elephant, [{**asked, "honest": True, "effect": None}])


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("engine", ["postgresql", "mariadb", "sqlite"])
def test_nothing_planted_runs(engine: str) -> None:
    """The whole half that is there to tune on, on servers of its own."""
    with ExitStack() as stack:
        server = None
        if engine == "mariadb":
            server = stack.enter_context(mariadb())
        elif engine == "postgresql":
            try:
                server = stack.enter_context(postgres(programs=systems_own()))
            except NotHere as reason:
                pytest.skip(f"its extensions are the system's: {reason}")
        held(server, [case for case in EVERY.values() if case["engine"] == engine])


@pytest.mark.parametrize(
    "sql", ["SELECT 2 ^-1", "SELECT a ||-1 FROM t", "SELECT 5 %-3", "SELECT @-5"]
)
def test_what_the_server_reads_as_another_operator_is_refused(sql: str) -> None:
    """PostgreSQL reads `^-` as one operator; the parser reads two."""
    assert isinstance(judge(sql, "postgres"), Denied)


@pytest.mark.parametrize(
    "sql, otherwise",
    [
        ("select  a /* x */ from t b", False),
        ("SELECT 1 +++ 2", True),
        ("SELECT a::int FROM t", True),
        ("SELECT 'a' FROM t", False),
    ],
)
def test_what_is_written_otherwise_is_said(sql: str, otherwise: bool) -> None:
    """Case, gaps, comments and AS are no difference; every other word or sign is."""
    judged = judge(sql, "postgres")
    assert isinstance(judged, Allowed)
    assert otherwise == judged.otherwise
