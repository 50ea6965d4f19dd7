"""Types that SQLAlchemy has no full word for, as the server calls them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.engine import Connection

if TYPE_CHECKING:
    from sqlalchemy import Inspector

Name = tuple[str | None, str]  # schema (None: the usual one) and name
Told = Mapping[str, Any]  # what SQLAlchemy tells of a table or view

# Of an array or a domain it says only that it is one, an enumeration is a VARCHAR to it, and of
# some others it says nothing.
_UNSAID: Final = {
    "postgresql": frozenset({"null", "ARRAY", "DOMAIN", "enum"}),
    "mysql": frozenset({"null"}),
}
_OF_MYSQL: Final = (
    "SELECT table_name, column_name, column_type FROM information_schema.columns"
    " WHERE table_schema = DATABASE() AND table_name IN :names"
)
_OF_POSTGRES: Final = (
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
    " FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
    " WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relname IN :names AND "
)
_USUAL: Final = "pg_table_is_visible(c.oid) AND n.nspname <> 'pg_catalog'"


def typed(inspector: "Inspector", told: Mapping[Name, Told]) -> Mapping[Name, Told]:
    """The same, with the server's own words for such types: one question a schema, or none."""
    dialect = inspector.dialect.name
    unsaid = _UNSAID.get(dialect, frozenset())
    names = [name for name, one in told.items() if any(_is_in(c, unsaid) for c in one["columns"])]
    own: dict[tuple[Name, str], str] = {}
    for schema in dict.fromkeys(schema for schema, _ in names):
        own |= _asked(inspector, schema, [name for at, name in names if at == schema])
    return {
        **told,
        **{
            name: {
                **told[name],
                "columns": [
                    {**one, "type": own.get((name, str(one["name"])), one["type"])}
                    if _is_in(one, unsaid)
                    else one
                    for one in told[name]["columns"]
                ],
            }
            for name in names
        },
    }


def _is_in(column: Mapping[str, Any], unsaid: frozenset[str]) -> bool:
    return column["type"].__visit_name__ in unsaid


def _asked(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[tuple[Name, str], str]:
    query, given = _OF_MYSQL, {"names": names}
    if inspector.dialect.name == "postgresql":
        query = _OF_POSTGRES + ("n.nspname = :schema" if schema else _USUAL)
        given |= {"schema": schema} if schema else {}
    asked = text(query).bindparams(bindparam("names", expanding=True))
    connection = inspector.bind
    assert isinstance(connection, Connection)
    return {
        ((schema, str(table)), str(column)): str(sort)
        for table, column, sort in connection.execute(asked, given)
    }
