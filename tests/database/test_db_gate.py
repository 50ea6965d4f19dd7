"""The gate: the labelled statements it was tuned on, and what a real server holds besides it."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnt.domains.database.commands.query import answer
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import REASONS, Allowed, Denied
from learnt.domains.database.servers.connections import Dialect
from learnt.errors import StatementFailed
from tests.support.asking import opened
from tests.support.database_servers import Server
from tests.support.gate_proof import let_through

FILE = Path(__file__).parents[1] / "data" / "sql_statements" / "statements_dev.jsonl"
STATEMENTS: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()
]


def labelled(label: str) -> list[tuple[str, Dialect]]:
    return [
        (one["sql"], dialect)
        for one in STATEMENTS
        if one["label"] == label
        for dialect in one["dialects"]
    ]


def test_nothing_that_must_not_run_gets_through() -> None:
    """Not one of the statements labelled so, in any dialect."""
    through = [one for one in labelled("refuse") if let_through(judge(*one))]
    assert [] == through
    assert 100 < len(labelled("refuse"))


@pytest.mark.parametrize(
    "disguise",
    [
        str.lower,
        str.upper,
        lambda sql: sql.replace(" ", "/**/"),
        lambda sql: sql.replace(" ", "\n\t"),
        lambda sql: f"SELECT 1; {sql}",
        lambda sql: f"SELECT 1 UNION {sql}",
        lambda sql: f"EXPLAIN ANALYZE FORMAT=JSON {sql}",
        lambda sql: f"{sql} LIMIT ROWS EXAMINED 5",
        lambda sql: f"/* SELECT */ {sql} -- SELECT",
    ],
)
def test_a_disguise_lets_nothing_through(disguise: Callable[[str], str]) -> None:
    """Other letters, other gaps, behind or within a question."""
    by_design = {"malformed", "empty", "client_command", "unicode_trick", "nesting"}
    through = [
        one["sql"]
        for one in STATEMENTS
        if one["label"] == "refuse" and one["class"] not in by_design
        for dialect in one["dialects"]
        if let_through(judge(disguise(one["sql"]), dialect))
    ]
    assert [] == through


def test_investigations_are_let_through() -> None:
    """97 of 100 at least."""
    asked = labelled("allow")
    allowed = [one for one in asked if let_through(judge(*one))]
    assert len(allowed) >= 0.97 * len(asked), set(asked) - set(allowed)


def test_what_is_let_through_is_let_through_again() -> None:
    """What the gate wrote is a statement that it reads the same way."""
    for sql, dialect in labelled("allow"):
        first = judge(sql, dialect)
        assert isinstance(first, Allowed)
        again = judge(first.sql, dialect)
        assert isinstance(again, Allowed), sql
        assert first.sql == again.sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1;DELETE FROM t",
        "SELECT/**/1;DROP/**/TABLE t",
        "SELECT * FROM t INTO OUTFILE '/any/file'",
        "SELECT SLEEP(99)",
        "SELECTED",
        "/*!50000 drop table t */",
        "select load_file('/etc/passwd')",
        "select @a:=1",
        "SET GLOBAL max_connections = 1",
        "SELECT 1 LIMIT ROWS EXAMINED 5; DROP TABLE t",
        "SELECT SLEEP(9) LIMIT ROWS EXAMINED 5",
        "SELECT " + "(" * 2_000 + "1" + ")" * 2_000,
        "SELECT " + "-" * 500 + "1",
        "SELECT '" + "x" * 30_000 + "'",
        "SELECT 1\x00",
        "",
    ],
)
def test_what_others_let_through_is_refused(sql: str) -> None:
    """Of the seeds' guard and of public lists; each with a reason in words."""
    judged = judge(sql, "mysql")
    assert isinstance(judged, Denied)
    assert judged.in_words.startswith(REASONS[judged.reason])


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW CREATE TABLE t",
        "SELECT REPLACE(a,'x','y') FROM t",
        "SELECT 'please delete me'",
        "WITH c AS (SELECT 1) SELECT * FROM c",
        "SELECT updated_at FROM t",
        "EXPLAIN SELECT 1",
        "SELECT COUNT(*) FROM rental LIMIT ROWS EXAMINED 10000",
        "(SELECT 1)",
        "-- first\nSELECT 1",
    ],
)
def test_what_others_refuse_is_let_through(sql: str) -> None:
    """It only reads."""
    assert isinstance(judge(sql, "mysql"), Allowed)


def test_the_gate_says_nothing_by_itself(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The parser's own warnings repeat the statement: they are kept back."""
    with caplog.at_level(logging.WARNING):
        judge("OPTIMIZE TABLE secret_name", "mysql")
    assert ("", "") == tuple(capfd.readouterr())
    assert "secret_name" not in caplog.text


def test_allowed_statements_leave_a_server_as_it_was(server: Server) -> None:
    """Each that the gate lets through is run by an account that may write; nothing is changed."""
    dialect: Dialect = "mysql" if server.scheme == "mysql" else "postgres"
    before = (
        server.run("SELECT * FROM room ORDER BY 1"),
        server.run("SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2"),
    )
    ran = 0
    with opened(server.url("writer"), seconds=1) as session:
        for sql, spoken in labelled("allow") + labelled("refuse"):
            judged = judge(sql, dialect)
            if spoken != dialect or isinstance(judged, Denied):
                continue
            try:
                answer(session, judged, limit=100)
            except StatementFailed as error:
                assert "syntax" not in str(error), (sql, judged)  # its tables are not here
            ran += 1
    assert 20 < ran
    assert before == (
        server.run("SELECT * FROM room ORDER BY 1"),
        server.run("SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2"),
    )


# By an account that may only read these write nothing even where the gate is not asked. What the
# server would still do for it is left to the gate alone: to wait, and to hold a lock by name.
GATE_ALONE = ("sleep", "get_lock", "benchmark")


@pytest.mark.slow
def test_refused_statements_write_nothing_where_the_gate_is_bypassed(maria: Server) -> None:
    """The other two layers by themselves: a reading account in a transaction that only reads."""
    before = maria.run("SELECT * FROM room ORDER BY 1"), maria.run("SELECT * FROM booking")
    with opened(maria.url(), seconds=1) as session:
        for sql, spoken in labelled("refuse"):
            if spoken != "mysql" or any(word in sql.lower() for word in GATE_ALONE):
                continue
            try:
                with session.reading(sql) as found:
                    list(zip(range(10), found.rows, strict=False))
            except StatementFailed:
                continue
    assert before == (
        maria.run("SELECT * FROM room ORDER BY 1"),
        maria.run("SELECT * FROM booking"),
    )


@pytest.mark.parametrize(
    "sql", ["SELECT 1\uff1bDROP TABLE t", "SELECT \uff33LEEP(1)", "ANALYZE TABLE t", "ANALYZE t"]
)
def test_what_looks_like_another_is_refused(sql: str) -> None:
    """A full-width sign outside of quotes; a command that looks like a plan."""
    assert isinstance(judge(sql, "mysql"), Denied)


def test_signs_in_quotes_and_comments_are_nobodys_code() -> None:
    """Whatever their width."""
    found = judge("SELECT '\uff1b' AS x -- \uff1b", "mysql")
    assert isinstance(found, Allowed)
    assert "\uff1b" in found.sql
