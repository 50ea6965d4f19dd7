"""The gate under attack: statements written with sight of it, and statements that take long."""

import json
import time
from pathlib import Path

import pytest

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed
from learnt.domains.database.servers.connections import Dialect
from tests.support.cases import chosen
from tests.support.gate_proof import let_through

FILE = Path(__file__).parents[1] / "data" / "sql_attacks" / "statements_attacks.jsonl"
DIALECTS: tuple[Dialect, ...] = ("mysql", "postgres", "sqlite")


def test_no_attack_gets_through() -> None:
    """Not one, in any dialect it is written for."""
    through = [
        (dialect, one["sql"])
        for one in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
        for dialect in one["dialects"]
        if let_through(judge(one["sql"], dialect))
    ]
    assert [] == through


NESTED = {
    "brackets": ("(", "1", ")"),
    "calls": ("abs(", "1", ")"),
    "subqueries": ("(SELECT ", "1", ")"),
    "arrays": ("ARRAY[", "1", "]"),
    "cases": ("CASE WHEN 1 THEN ", "1", " END"),
    "casts": ("CAST(", "1", " AS CHAR)"),
    "types": ("a::int(", "1", ")"),
    "windows": ("sum(", "1", ") OVER (PARTITION BY 1)"),
    "signs": ("- ", "1", ""),
    "quotes": ("'\\", "", ""),
    "comments": ("/* ", "1", ""),
    "closed comments": ("/**/ ", "1", ""),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
@pytest.mark.parametrize("depth", chosen([40, 110, 2_000, 50_000], 110, 50_000))
def test_what_is_nested_is_answered_soon(
    dialect: Dialect, nested: tuple[str, str, str], depth: int
) -> None:
    """Also of 200,000 characters; by itself the parser tries some nestings endlessly."""
    before, middle, after = nested
    begun_at = time.monotonic()
    for head in ("SELECT ", "EXPLAIN ", "SHOW ", "EXPLAIN SELECT "):
        judge(head + before * depth + middle + after * depth, dialect)
    assert 8 > time.monotonic() - begun_at


@pytest.mark.parametrize(
    ("dialect", "sql", "written"),
    [
        ("mysql", "SHOW GRANTS", "SHOW GRANTS"),
        ("mysql", "show grants for 'a'@'%'", "SHOW grants for 'a'@'%'"),
        ("mysql", "SHOW OPEN TABLES WHERE In_use > 0", "SHOW OPEN TABLES WHERE In_use > 0"),
        ("mysql", "SHOW BINARY LOGS", "SHOW BINARY LOGS"),
        ("mysql", "SHOW COUNT(*) WARNINGS", "SHOW COUNT(*) WARNINGS"),
        ("mysql", "SHOW TABLES LIKE 'a . b'", "SHOW TABLES LIKE 'a . b'"),
        ("mysql", "DESC shop.room name", "DESCRIBE shop.room name"),
        ("mysql", "SELECT 1 FROM t FOR SYSTEM_TIME ALL", "SELECT 1 FROM t FOR SYSTEM_TIME ALL"),
        ("mysql", "SELECT a REGEXP 'x' FROM dual", "SELECT a REGEXP 'x' FROM dual"),
        ("mysql", "VALUES (1, 2), (3, 4)", "VALUES (1, 2), (3, 4)"),
        ("mysql", "SELECT MEDIAN(a) OVER () FROM t", "SELECT MEDIAN(a) OVER () FROM t"),
        ("postgres", "show /* x */ time zone", "SHOW time zone"),
        ("postgres", "EXPLAIN (ANALYZE, COSTS OFF) TABLE t", None),
        (
            "postgres",
            "SELECT a::inet <<= b FROM t",
            "SELECT CAST(a AS INET) OPERATOR(<<=) b FROM t",
        ),
        ("postgres", "SELECT 1_000", "SELECT 1000"),
        (
            "postgres",
            "SELECT string_agg(DISTINCT a, ',' ORDER BY a) FROM t",
            "SELECT STRING_AGG(DISTINCT a, ',' ORDER BY a) FROM t",
        ),
        ("postgres", "SELECT pg_catalog.lower('A')", "SELECT pg_catalog.lower('A')"),
        ("postgres", "SELECT xpath('/a', '<a/>'::xml)", None),
        ("postgres", "SELECT pg_get_ruledef(1), pg_get_partkeydef(2)", None),
        ("sqlite", "PRAGMA main.table_info('t')", "PRAGMA main.table_info('t')"),
        ("sqlite", "PRAGMA integrity_check(5)", "PRAGMA integrity_check(5)"),
        ("sqlite", "PRAGMA freelist_count", "PRAGMA freelist_count"),
        ("sqlite", "SELECT * FROM pragma_foreign_key_check", None),
        ("sqlite", "SELECT CAST('5' AS NUMERIC)", "SELECT CAST('5' AS NUMERIC)"),
    ],
)
def test_what_reads_is_written_as_it_was_meant(
    dialect: Dialect, sql: str, written: str | None
) -> None:
    """Forms that were refused, or that the parser would write as what a server does not know."""
    judged = judge(sql, dialect)
    assert isinstance(judged, Allowed), judged
    assert written in (None, judged.sql)
