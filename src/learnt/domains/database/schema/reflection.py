"""A database's structure, asked of the server through SQLAlchemy over a session that only reads.

Column types are asked of the server beside it. SQLAlchemy's own words leave out what a fact may
rest on: a sign, a time zone, an enumeration's values, what an array is of; some types it doesn't
know.
"""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, create_engine, inspect, text
from sqlalchemy.engine import Connection, ObjectKind
from sqlalchemy.exc import NoSuchTableError, SAWarning, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from learnt.domains.database import lists
from learnt.domains.database.schema import objects
from learnt.domains.database.servers.connections import DRIVERS, DbSession

if TYPE_CHECKING:
    from sqlalchemy import Inspector

SchemaAndName = tuple[str | None, str]  # the schema is None where it is the usual one
Reflected = Mapping[str, Any]  # what SQLAlchemy tells of a table or view

_SYSTEM_SCHEMAS: Final = frozenset(
    "information_schema mysql performance_schema sys pg_catalog pg_toast".split()
)
_MOST_NAMED: Final = 1_000  # beyond it all are asked for: a statement's parameters have an end
_TYPES_AT_ONCE: Final = 500  # likewise
_STORED: Final = ObjectKind.TABLE | ObjectKind.MATERIALIZED_VIEW  # a table of any kind
_POSTGRES_TYPES: Final = (
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
    " FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
    " WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relname IN :names AND "
)
_TYPES: Final = {
    "mysql": (
        "SELECT table_name, column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name IN :names"
    ),
    "postgresql": f"{_POSTGRES_TYPES}pg_table_is_visible(c.oid) AND n.nspname <> 'pg_catalog'",
    "sqlite": (
        "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_xinfo(m.name) c"
        " WHERE m.name IN :names"
    ),
}
_TYPES_IN_SCHEMA: Final = f"{_POSTGRES_TYPES}n.nspname = :schema"


@contextmanager
def _inspecting(session: DbSession) -> "Iterator[Inspector]":
    engine = create_engine(
        f"{DRIVERS[session.dialect]}://", creator=session.raw, poolclass=StaticPool, echo=False
    )
    try:
        # What SQLAlchemy does not know is asked of the server; nobody needs to be warned.
        with warnings.catch_warnings(), engine.connect() as connection:
            warnings.simplefilter("ignore", SAWarning)
            yield inspect(connection)
    except SQLAlchemyError as error:
        raise session.failed(getattr(error, "orig", None) or error) from None
    finally:
        engine.dispose(close=False)


def listed(session: DbSession) -> Sequence[objects.ObjectName]:
    """All objects, by name: tables and views of every schema, then routines, then triggers."""
    with _inspecting(session) as inspector:
        relations = [
            objects.ObjectName(kind, _qualified((schema, name)))
            for kind, schema, names in _relations(inspector)
            for name in sorted(names)
        ]
    others: list[objects.Routine | objects.Trigger] = [*routines(session), *triggers(session)]
    return relations + [objects.ObjectName(each.kind, each.name) for each in others]


def _relations(inspector: "Inspector") -> Iterator[tuple[str, str | None, Sequence[str]]]:
    from sqlalchemy.dialects.postgresql.base import PGInspector

    schemas: list[str | None] = [None]
    asks: dict[str, Callable[[str | None], Sequence[str]]] = {
        "table": inspector.get_table_names,
        "view": inspector.get_view_names,
    }
    if isinstance(inspector, PGInspector):
        asks["materialized view"] = inspector.get_materialized_view_names
        asks["foreign table"] = inspector.get_foreign_table_names
        others = {*inspector.get_schema_names()} - {inspector.default_schema_name}
        others -= _SYSTEM_SCHEMAS
        schemas += sorted(name for name in others if not name.startswith("pg_"))
    for schema in schemas:
        for kind, ask in asks.items():
            yield kind, schema, ask(schema)


def _qualified(place: SchemaAndName) -> str:
    return f"{place[0]}.{place[1]}" if place[0] else place[1]


def described(
    session: DbSession, names: Sequence[str] | None = None
) -> tuple[Sequence[objects.TableOrView], Sequence[str]]:
    """Tables and views, all or those named, and the names that nothing has."""
    with _inspecting(session) as inspector:
        there: dict[str, tuple[str, SchemaAndName]] = {
            _qualified((schema, name)): (kind, (schema, name))
            for kind, schema, group in _relations(inspector)
            for name in group
        }
        written = _as_written(inspector, list(there) if names is None else names, there)
        wanted = list(dict.fromkeys(written.values()))
        reflected = _reflected(inspector, [there[name] for name in wanted])
    relations = [
        objects.relation(name, there[name][0], reflected[there[name][1]])
        for name in wanted
        if there[name][1] in reflected
    ]
    described_names = {each.name for each in relations}
    return relations, [name for name in names or () if written.get(name) not in described_names]


def _as_written(
    inspector: "Inspector", names: Sequence[str], there: Collection[str]
) -> Mapping[str, str]:
    """The names that something has, each with how the server writes it."""
    exact = {name: name for name in names if name in there}
    ignores_case = inspector.dialect.name == "sqlite"
    if inspector.dialect.name == "mysql":
        query = text("SELECT @@lower_case_table_names")
        ignores_case = _connection(inspector).execute(query).scalar() != 0
    if len(exact) == len(set(names)) or not ignores_case:
        return exact
    by_folded = {objects.folded(name): name for name in there}
    return {
        name: by_folded[objects.folded(name)] for name in names if objects.folded(name) in by_folded
    } | exact


def _connection(inspector: "Inspector") -> Connection:
    assert isinstance(inspector.bind, Connection)
    return inspector.bind


def _reflected(
    inspector: "Inspector", wanted: Sequence[tuple[str, SchemaAndName]]
) -> Mapping[SchemaAndName, Reflected]:
    """What is told of tables and views. Nothing is of one dropped meanwhile."""
    reflected: dict[SchemaAndName, Reflected] = {}
    for schema in dict.fromkeys(schema for _, (schema, _) in wanted):
        names = [name for kind, (at, name) in wanted if at == schema and kind != "view"]
        reflected |= _tables(inspector, schema, names) if names else {}
    for place in [place for kind, place in wanted if kind.endswith("view")]:
        view = _view(inspector, place, reflected.pop(place, None))
        reflected |= {place: view} if view is not None else {}
    return _typed(inspector, reflected)


def _tables(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[SchemaAndName, Reflected]:
    """What is told of a schema's tables; that one is there where its columns cannot be told."""
    try:
        return _together(inspector, schema, names)
    except (SQLAlchemyError, AssertionError) as error:
        # SQLite lacks a table's module, or SQLAlchemy cannot read its text: that is its own alone.
        if not isinstance(error, AssertionError) and "no such module: " not in str(error):
            raise
    if len(names) == 1:
        return {(schema, names[0]): {"columns": ()}}
    each = (_tables(inspector, schema, [name]) for name in names)
    return {place: table for tables in each for place, table in tables.items()}


def _together(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[SchemaAndName, Reflected]:
    """Each thing is asked of all tables together: PostgreSQL takes as long for one as for all."""
    some = names if len(names) <= _MOST_NAMED else None
    columns = inspector.get_multi_columns(schema, some, kind=_STORED)
    keys = inspector.get_multi_pk_constraint(schema, some, kind=_STORED)
    foreign = inspector.get_multi_foreign_keys(schema, some, kind=_STORED)
    indexes = inspector.get_multi_indexes(schema, some, kind=_STORED)
    try:
        comments = inspector.get_multi_table_comment(schema, some, kind=_STORED)
    except NotImplementedError:  # SQLite keeps no comments, so its dialect cannot give any
        comments = {}
    there = columns.keys() & keys.keys() & foreign.keys() & indexes.keys()
    return {
        place: {
            "columns": columns[place],
            "primary_key": list(map(str, keys[place].get("constrained_columns") or ())),
            "foreign_keys": foreign[place],
            "indexes": indexes[place],
            "comment": comments[place]["text"] if place in comments else None,
        }
        for name in names
        if (place := (schema, name)) in there
    }


def _view(
    inspector: "Inspector", place: SchemaAndName, stored: Reflected | None
) -> Reflected | None:
    """What is told of a view, each by itself: one that is broken takes none with it."""
    schema, name = place
    columns: Sequence[Any] = ()
    if stored is None:
        # A view on what is gone has none; a session that is gone fails at the definition.
        with suppress(SQLAlchemyError):
            columns = inspector.get_columns(name, schema)
    try:
        definition = inspector.get_view_definition(name, schema)
    except NoSuchTableError:  # dropped meanwhile
        return None
    return {**(stored or {"columns": columns}), "definition": definition}


def _typed(
    inspector: "Inspector", reflected: Mapping[SchemaAndName, Reflected]
) -> Mapping[SchemaAndName, Reflected]:
    """The same, with the server's words for types: a question for some hundred tables a schema."""
    types: dict[tuple[SchemaAndName, str], str] = {}
    for schema in dict.fromkeys(schema for schema, _ in reflected):
        names = [
            name for (at, name), table in reflected.items() if at == schema and table["columns"]
        ]
        for start in range(0, len(names), _TYPES_AT_ONCE):
            types |= _types(inspector, schema, names[start : start + _TYPES_AT_ONCE])

    def columns(place: SchemaAndName) -> Sequence[Reflected]:
        return [
            {**column, "type": types.get((place, str(column["name"])), column["type"])}
            for column in reflected[place]["columns"]
        ]

    return {place: {**table, "columns": columns(place)} for place, table in reflected.items()}


def _types(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[tuple[SchemaAndName, str], str]:
    query = text(_TYPES_IN_SCHEMA if schema else _TYPES[inspector.dialect.name])
    given = {"names": names} | ({"schema": schema} if schema else {})
    rows = _connection(inspector).execute(
        query.bindparams(bindparam("names", expanding=True)), given
    )
    return {((schema, str(table)), str(column)): str(type_) for table, column, type_ in rows}


def routines(session: DbSession) -> Sequence[objects.Routine]:
    """Procedures and functions with their definitions, as far as the account sees them."""
    if session.dialect == "sqlite":
        return []
    with session.reading(lists.text("queries", f"{session.dialect} routines")) as answer:
        return [
            objects.Routine(str(kind), str(name), objects.optional(body), objects.optional(returns))
            for kind, name, body, returns in answer.rows
        ]


def triggers(session: DbSession) -> Sequence[objects.Trigger]:
    """Triggers with their definitions, as far as the account sees them."""
    query = text(lists.text("queries", f"{session.dialect} triggers"))
    with _inspecting(session) as inspector:
        return [
            objects.Trigger("trigger", str(name), str(table), objects.optional(definition))
            for name, table, definition in _connection(inspector).execute(query)
        ]
