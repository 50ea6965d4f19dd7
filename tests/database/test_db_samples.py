"""Three public schemas on a real MariaDB: all that they are made of is found."""

import pytest

from learnt.core.records import JsonObject, JsonValue, member, text_of
from learnt.domains.database.commands.query import QueryRows
from learnt.domains.database.schema.reflection import routines
from tests.support.asking import ask, described, listed, opened
from tests.support.database_servers import Server

pytestmark = pytest.mark.slow  # they take some seconds to load


def structure(server: Server, database: str) -> list[JsonObject]:
    """All tables and views of a database."""
    with opened(server.url("reader", database)) as session:
        return list(described(session)[0])


def keys(table: JsonObject) -> list[tuple[str, ...]]:
    """Its foreign keys, each of one column: table, column, table, column."""
    told = table.get("foreign_keys")
    return [
        (
            str(table["name"]),
            *_texts(key, "columns"),
            text_of(member(key, "to")),
            *_texts(key, "to_columns"),
        )
        for key in (told if isinstance(told, list) else ())
    ]


def _texts(key: JsonValue, name: str) -> list[str]:
    value = member(key, name)
    return [text_of(one) for one in value] if isinstance(value, list) else []


@pytest.mark.parametrize(
    ("database", "tables", "views"), [("sakila", 16, 7), ("northwind", 20, 0), ("Chinook", 11, 0)]
)
def test_every_foreign_key_is_told_as_the_server_knows_it(
    samples: Server, database: str, tables: int, views: int
) -> None:
    """Which columns lead to which of what table."""
    found = structure(samples, database)
    kinds = [one["kind"] for one in found]
    assert (tables, views) == (kinds.count("table"), kinds.count("view"))
    told = {one for each in found for one in keys(each)}
    known = samples.run(
        "SELECT table_name, column_name, referenced_table_name, referenced_column_name"
        " FROM information_schema.key_column_usage"
        f" WHERE table_schema = '{database}' AND referenced_table_name IS NOT NULL"
    )
    assert known
    assert set(known) == told


def test_routines_are_told_with_their_text(samples: Server) -> None:
    """To an account that may see them; they are in the list of all to every other."""
    with opened(samples.url("owner", "sakila")) as session:
        found = {one.name: str(one.definition) for one in routines(session)}
        names = {str(one["name"]) for one in listed(session)}
    assert 6 == len(found)
    assert "return_date IS NULL" in found["inventory_in_stock"]
    assert set(found) <= names


def test_a_question_over_views_on_joins_is_answered(samples: Server) -> None:
    """Of sixteen thousand rentals."""
    with opened(samples.url("reader", "sakila")) as session:
        found = ask(session, "SELECT category, total_sales FROM sales_by_film_category LIMIT 3")
    assert isinstance(found, QueryRows)
    assert [3, 2] == [len(found.rows), len(found.columns)]
