"""The types of columns, as their server calls them.

SQLAlchemy's own words leave out what a fact may rest on: a sign, a time zone, an enumeration's
values, what an array is of; and some types it doesn't know.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.engine import Connection

if TYPE_CHECKING:
    from sqlalchemy import Inspector

Name = tuple[str | None, str]  # schema (None: the usual one) and name
Told = Mapping[str, Any]  # what SQLAlchemy tells of a table or view

_AT_ONCE: Final = 500  # a statement's parameters have an end
_POSTGRES: Final = (
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
    " FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
    " WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relname IN :names AND "
)
_ASKED: Final = {
    "mysql": (
        "SELECT table_name, column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name IN :names"
    ),
    "postgresql": f"{_POSTGRES}pg_table_is_visible(c.oid) AND n.nspname <> 'pg_catalog'",
    "sqlite": (
        "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_xinfo(m.name) c"
        " WHERE m.name IN :names"
    ),
}
_IN_SCHEMA: Final = f"{_POSTGRES}n.nspname = :schema"


def typed(inspector: "Inspector", told: Mapping[Name, Told]) -> Mapping[Name, Told]:
    """The same, with the server's words for types: a question for some hundred tables a schema."""
    own: dict[tuple[Name, str], str] = {}
    for schema in dict.fromkeys(schema for schema, _ in told):
        names = [name for (at, name), one in told.items() if at == schema and one["columns"]]
        for start in range(0, len(names), _AT_ONCE):
            own |= _asked(inspector, schema, names[start : start + _AT_ONCE])
    return {name: {**one, "columns": _columns(name, one, own)} for name, one in told.items()}


def _columns(name: Name, told: Told, own: Mapping[tuple[Name, str], str]) -> Sequence[Told]:
    return [
        {**one, "type": own.get((name, str(one["name"])), one["type"])} for one in told["columns"]
    ]


def _asked(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[tuple[Name, str], str]:
    query = _IN_SCHEMA if schema else _ASKED[inspector.dialect.name]
    given = {"names": names} | ({"schema": schema} if schema else {})
    asked = text(query).bindparams(bindparam("names", expanding=True))
    connection = inspector.bind
    assert isinstance(connection, Connection)
    return {
        ((schema, str(table)), str(column)): str(sort)
        for table, column, sort in connection.execute(asked, given)
    }
