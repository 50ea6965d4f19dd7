"""What a sentence of a person's says of tables and of asking them."""

import pytest

from learnt.core.knowledge.signals import Measured, Spoken, Vote, vote
from learnt.domains.database.observed.spoken import all_rows, asks, kind_of_fact


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


AGAINST = Vote(good=False, hard=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("film has 1000 rows", AGAINST),
        ("film表有1000行", AGAINST),
        ("film: 178 are rated G", None),
        ("film grows by 50 rows a day", None),
        ("film_id goes up to 1200", None),
        ("film has over 1000 rows", None),
        ("film has 1000 rows per store", None),
        ("on 2024-05-01 film had 1000 rows", None),
        ("film has 1000 rows in 2005", None),
        ("film has 1000 rows, at least", None),
        ("film does not have 1000 rows", None),
        ("film no longer has 1000 rows", None),
        ("film is archived once it has 1000 rows", None),
    ],
)
def test_the_number_of_all_rows_is_compared_with_no_other_number(
    text: str, expected: Vote | None
) -> None:
    """A text says as such how many rows there are; of a day gone by it is history."""
    snapshot = Spoken(kind="data_snapshot", text=text, names=("film",))
    counted = Measured(value=2_000, kinds=(snapshot.kind,), entities=("film",), reads=all_rows)
    assert expected == vote(counted, snapshot, [], [])
