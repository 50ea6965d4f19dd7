"""Which tables and columns a sentence of a person's speaks of."""

import pytest

from learnt.domains.database.observed.spoken import asks, kind_of_fact, spoken


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the rental table's return_date is NULL while the film is out", "rental return_date"),
        ("Remember: in table t_order the status column 9 is void", "t_order"),
        ("the customer table has one row per email address", "customer"),
        ("`users` table: the amount column is in cents", "users"),
        ("SELECT 1 FROM film JOIN inventory USING (film_id)", "film inventory film_id"),
        ("join rental to inventory on inventory_id", "rental inventory inventory_id"),
        ("the customer table has both active and activebool", "customer"),
        ("we count where bookings.status = 'CHECKED_OUT'", "bookings.status"),
        ("use t_stay.paid in src/t_stay.py, not `sales` table's paid()", "sales t_stay.paid"),
        ("the hotel.room view leaves out rows that were deleted", "hotel.room"),
        ("rental 表的 return_date 为空表示还没还", "rental return_date"),
        ("t_room表的rate字段单位是分", "t_room"),
        ("我们的 room 表里 state=3 表示维修", "room"),
    ],
)  # fmt: skip
def test_tables_are_told_with_the_columns_beside_them(text: str, names: str) -> None:
    """However it is said that they are tables, in English and in Chinese; columns if spelt so."""
    assert tuple(names.split()) == spoken(text)


@pytest.mark.parametrize(
    "text",
    [
        "add the route to the routing table",
        "put the results in a table below, one row a client",
        "this table has no primary key",
        "the kitchen table is too big",
        "which column is it?",
        "staging listens on 8443",
        "列出所有的列",
        "这个表示什么",
        "",
    ],
)
def test_other_sentences_name_no_table(text: str) -> None:
    """Of tables that are none of a database's, or have no name."""
    assert () == spoken(text)


def test_a_column_alone_is_not_enough() -> None:
    """Nobody knows whose it is: what any text's names give is left as it is."""
    assert () == spoken("the amount column is in cents")


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
