"""What a sentence of a person's says of tables and of asking them."""

import pytest

from learnt.domains.database.observed.spoken import asks, kind_of_fact


@pytest.mark.parametrize(
    ("text", "named", "kind"),
    [
        ("the primary key never changes", False, "schema"),
        ("主键是雪花号", False, "schema"),
        ("film has 1,000 rows", True, "data_snapshot"),
        ("film has 1,000 rows", False, ""),
        ("film is a view", True, "schema"),
        ("film is a view", False, ""),
        ("rentals must never be deleted", True, ""),
    ],
)
def test_how_tables_are_arranged_is_a_fact_of_structure(text: str, named: bool, kind: str) -> None:
    """Also where no table is named, if it speaks of keys."""
    assert kind == kind_of_fact(text, named=named)


@pytest.mark.parametrize(
    ("text", "whether"),
    [("an index is ignored", True), ("slow query", True), ("a CTE is inlined", True),
     ("Queries are cached", True), ("group by is slow", True), ("慢查要加提示", True),
     ("联表很慢", True), ("mvn hangs behind the proxy", False), ("indexer", False),
     ("重启容器", False)],
)  # fmt: skip
def test_experience_with_queries_is_told_from_other(text: str, whether: bool) -> None:
    """In either language; a part of a word is no word."""
    assert whether is asks(text)
