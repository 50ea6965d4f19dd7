"""A database's structure, asked of the server through SQLAlchemy over a session that only reads."""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Connection, ObjectKind
from sqlalchemy.exc import NoSuchTableError, SAWarning, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from learnt.core.json_values import JsonObject
from learnt.domains.database import lists
from learnt.domains.database.schema.objects import folded, table
from learnt.domains.database.schema.own_types import Name, Told, typed
from learnt.domains.database.servers.dialects import Dialect
from learnt.domains.database.servers.sessions import Session, failed

if TYPE_CHECKING:
    from sqlalchemy import Inspector

_DRIVERS: Final[Mapping[Dialect, str]] = {
    "mysql": "mysql+pymysql://",
    "postgres": "postgresql+psycopg://",
    "sqlite": "sqlite://",
}
_SYSTEMS_OWN: Final = frozenset({
    "information_schema",
    "mysql",
    "performance_schema",
    "sys",
    "pg_catalog",
    "pg_toast",
})
_MOST_NAMED: Final = 1_000  # beyond it all are asked for: a statement's parameters have an end
_STORED: Final = ObjectKind.TABLE | ObjectKind.MATERIALIZED_VIEW  # a table of any kind


@contextmanager
def _inspecting(session: Session) -> "Iterator[Inspector]":
    engine = create_engine(
        _DRIVERS[session.dialect], creator=session.raw, poolclass=StaticPool, echo=False
    )
    try:
        # What SQLAlchemy does not know is asked of the server; nobody needs to be warned.
        with warnings.catch_warnings(), engine.connect() as connection:
            warnings.simplefilter("ignore", SAWarning)
            yield inspect(connection)
    except SQLAlchemyError as error:
        raise failed(str(getattr(error, "orig", None) or error).partition("\n")[0][:300]) from None
    finally:
        engine.dispose(close=False)


def listed(session: Session) -> Sequence[JsonObject]:
    """All objects, by name: tables and views of every schema, then routines."""
    with _inspecting(session) as inspector:
        found: list[JsonObject] = [
            {"kind": kind, "name": _said((schema, name))}
            for kind, schema, names in _relations(inspector, session.dialect)
            for name in sorted(names)
        ]
    return found + [{"kind": one["kind"], "name": one["name"]} for one in routines(session)]


def _relations(
    inspector: "Inspector", dialect: Dialect
) -> Iterator[tuple[str, str | None, Sequence[str]]]:
    """The names of every schema's tables and views, by their kind."""
    asks: dict[str, Callable[[str | None], Sequence[str]]] = {
        "table": inspector.get_table_names,
        "view": inspector.get_view_names,
    }
    if dialect == "postgres":
        from sqlalchemy.dialects.postgresql.base import PGInspector

        asks["materialized view"] = inspector.get_materialized_view_names
        if isinstance(inspector, PGInspector):
            asks["foreign table"] = inspector.get_foreign_table_names
    for schema in _schemas(inspector, dialect):
        for kind, ask in asks.items():
            yield kind, schema, ask(schema)


def _schemas(inspector: "Inspector", dialect: Dialect) -> Sequence[str | None]:
    if dialect != "postgres":
        return [None]
    usual = inspector.default_schema_name
    others = (
        name
        for name in inspector.get_schema_names()
        if name not in _SYSTEMS_OWN and name != usual and not name.startswith("pg_")
    )
    return [None, *sorted(others)]


def _said(name: Name) -> str:
    return f"{name[0]}.{name[1]}" if name[0] else name[1]


def described(
    session: Session, names: Sequence[str] | None = None
) -> tuple[Sequence[JsonObject], Sequence[str]]:
    """Tables and views, all or those named, and the names that nothing has."""
    with _inspecting(session) as inspector:
        there: dict[str, tuple[str, Name]] = {
            _said((schema, name)): (kind, (schema, name))
            for kind, schema, some in _relations(inspector, session.dialect)
            for name in some
        }
        called = _called(inspector, list(there) if names is None else names, there)
        wanted = list(dict.fromkeys(called.values()))
        told = _told(inspector, [there[name] for name in wanted])
    found = [
        table(name, there[name][0], told[there[name][1]])
        for name in wanted
        if there[name][1] in told
    ]
    seen = {str(one["name"]) for one in found}
    return found, [name for name in names or () if called.get(name) not in seen]


def _called(
    inspector: "Inspector", names: Sequence[str], there: Collection[str]
) -> Mapping[str, str]:
    """The names that something has, each with how the server writes it."""
    exact = {name: name for name in names if name in there}
    if len(exact) == len(set(names)) or not _ignores_case(inspector):
        return exact
    meant = {folded(name): name for name in there}
    return {name: meant[folded(name)] for name in names if folded(name) in meant} | exact


def _ignores_case(inspector: "Inspector") -> bool:
    """Whether a table may be named in other capitals."""
    if inspector.dialect.name != "mysql":
        return inspector.dialect.name == "sqlite"
    connection = inspector.bind
    assert isinstance(connection, Connection)
    return connection.execute(text("SELECT @@lower_case_table_names")).scalar() != 0


def _told(inspector: "Inspector", wanted: Sequence[tuple[str, Name]]) -> Mapping[Name, Told]:
    """What is told of tables and views. Nothing is of one dropped meanwhile."""
    found = dict(_tables(inspector, [name for kind, name in wanted if kind != "view"]))
    for name in [name for kind, name in wanted if kind.endswith("view")]:
        view = _view(inspector, name, found.pop(name, None))
        found |= {name: view} if view is not None else {}
    return typed(inspector, found)


def _tables(inspector: "Inspector", wanted: Sequence[Name]) -> Mapping[Name, Told]:
    """What is told of tables, each thing asked of all in a schema together.

    PostgreSQL takes as long for one as for hundreds. Nothing is told of one dropped meanwhile.
    """
    told: dict[Name, Told] = {}
    for schema in dict.fromkeys(schema for schema, _ in wanted):
        names = [name for at, name in wanted if at == schema]
        try:
            told |= _together(inspector, schema, names)
        except (SQLAlchemyError, AssertionError) as error:
            if not _is_of_one(error):
                raise
            for name in names:
                told |= _alone(inspector, (schema, name))
    return told


def _alone(inspector: "Inspector", name: Name) -> Mapping[Name, Told]:
    """What is told of one table; that it is there where its columns cannot be told."""
    try:
        return _together(inspector, name[0], [name[1]])
    except (SQLAlchemyError, AssertionError) as error:
        if not _is_of_one(error):
            raise
        return {name: {"columns": ()}}


def _is_of_one(error: Exception) -> bool:
    """Whether it is one table's own: SQLite has not its module, or SQLAlchemy can't read its text.

    >>> _is_of_one(AssertionError("create table not found in"))
    True
    """
    return isinstance(error, AssertionError) or "no such module: " in str(error)


def _together(
    inspector: "Inspector", schema: str | None, names: Sequence[str]
) -> Mapping[Name, Told]:
    told: dict[Name, Told] = {}
    some = names if len(names) <= _MOST_NAMED else None
    columns = inspector.get_multi_columns(schema, some, kind=_STORED)
    keys = inspector.get_multi_pk_constraint(schema, some, kind=_STORED)
    foreign = inspector.get_multi_foreign_keys(schema, some, kind=_STORED)
    indexes = inspector.get_multi_indexes(schema, some, kind=_STORED)
    comments = _comments(inspector, schema, some)
    for name in ((schema, own) for own in names):
        if all(name in one for one in (columns, keys, foreign, indexes)):
            told[name] = {
                "columns": columns[name],
                "primary_key": list(map(str, keys[name].get("constrained_columns") or ())),
                "foreign_keys": foreign[name],
                "indexes": indexes[name],
                "comment": comments.get(name, {}).get("text"),
            }
    return told


def _view(inspector: "Inspector", name: Name, stored: Told | None) -> Told | None:
    """What is told of a view, each by itself: one that is broken takes none with it."""
    schema, own = name
    told = stored or {"columns": _views_columns(inspector, own, schema)}
    try:
        return {**told, "definition": inspector.get_view_definition(own, schema)}
    except NoSuchTableError:  # dropped meanwhile
        return None


def _views_columns(inspector: "Inspector", name: str, schema: str | None) -> list[Any]:
    try:
        return list(inspector.get_columns(name, schema))
    except SQLAlchemyError:  # on what is gone; a session that is gone fails at its definition
        return []


def _comments(
    inspector: "Inspector", schema: str | None, names: Sequence[str] | None
) -> Mapping[Name, Mapping[str, Any]]:
    try:
        return inspector.get_multi_table_comment(schema, names, kind=_STORED)
    except NotImplementedError:  # SQLite has none
        return {}


def routines(session: Session) -> Sequence[JsonObject]:
    """Procedures and functions with their definitions, as far as the account sees them."""
    if session.dialect == "sqlite":
        return []
    with session.reading(lists.text("queries", f"{session.dialect} routines")) as found:
        return [
            {
                "kind": str(kind),
                "name": str(name),
                "definition": None if body is None else str(body),
                "returns": None if returns is None else str(returns),
            }
            for kind, name, body, returns in found.rows
        ]
