"""A database's structure, asked of the server through SQLAlchemy over a session that only reads."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import NoSuchTableError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from learnt.core.json_values import JsonObject
from learnt.domains.database.schema.objects import table
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
_ROUTINES: Final[Mapping[Dialect, str]] = {
    "mysql": (
        "SELECT LOWER(routine_type), routine_name, routine_definition, dtd_identifier"
        " FROM information_schema.routines WHERE routine_schema = DATABASE() ORDER BY 2"
    ),
    "postgres": (
        "SELECT CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END,"
        " CASE n.nspname WHEN current_schema() THEN '' ELSE n.nspname || '.' END"
        " || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',"
        " CASE WHEN p.prokind IN ('f', 'p') THEN pg_get_functiondef(p.oid) END,"
        " pg_get_function_result(p.oid)"
        " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 2"
    ),
}
Name = tuple[str | None, str]  # schema (None: the usual one) and name


@contextmanager
def _inspecting(session: Session) -> "Iterator[Inspector]":
    engine = create_engine(
        _DRIVERS[session.dialect], creator=session.raw, poolclass=StaticPool, echo=False
    )
    try:
        with engine.connect() as connection:
            yield inspect(connection)
    except SQLAlchemyError as error:
        raise failed(str(getattr(error, "orig", None) or error).partition("\n")[0][:300]) from None
    finally:
        engine.dispose(close=False)


def listed(session: Session) -> Sequence[JsonObject]:
    """All objects, by name: tables and views of every schema, then routines."""
    with _inspecting(session) as inspector:
        found: list[JsonObject] = []
        for schema in _schemas(inspector, session.dialect):
            names = {"table": inspector.get_table_names(schema)}
            names["view"] = inspector.get_view_names(schema)
            found.extend(
                {"kind": kind, "name": _said((schema, name))}
                for kind, some in names.items()
                for name in sorted(some)
            )
    return found + [{"kind": one["kind"], "name": one["name"]} for one in routines(session)]


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
        there: dict[str, tuple[str, Name]] = {}
        for schema in _schemas(inspector, session.dialect):
            for kind, some in (
                ("table", inspector.get_table_names(schema)),
                ("view", inspector.get_view_names(schema)),
            ):
                there |= {_said((schema, name)): (kind, (schema, name)) for name in some}
        wanted = list(there) if names is None else [name for name in names if name in there]
        found = [
            told
            for name in wanted
            if (told := _described(inspector, name, *there[name])) is not None
        ]
    seen = {str(one["name"]) for one in found}
    return found, [name for name in names or () if name not in seen]


def _described(inspector: "Inspector", said: str, kind: str, name: Name) -> JsonObject | None:
    schema, own = name
    try:
        told: dict[str, Any] = {}
        if kind == "view":
            told["columns"] = _views_columns(inspector, own, schema)
            told["definition"] = inspector.get_view_definition(own, schema)
        else:
            told["columns"] = inspector.get_columns(own, schema)
            key = inspector.get_pk_constraint(own, schema)
            told["primary_key"] = [str(one) for one in key.get("constrained_columns") or ()]
            told["foreign_keys"] = inspector.get_foreign_keys(own, schema)
            told["indexes"] = inspector.get_indexes(own, schema)
            told["comment"] = _comment(inspector, own, schema)
    except NoSuchTableError:  # dropped meanwhile
        return None
    return table(said, kind, told)


def _views_columns(inspector: "Inspector", name: str, schema: str | None) -> list[Any]:
    try:
        return list(inspector.get_columns(name, schema))
    except SQLAlchemyError:  # on what is gone; a session that is gone fails at its definition
        return []


def _comment(inspector: "Inspector", name: str, schema: str | None) -> str | None:
    try:
        return inspector.get_table_comment(name, schema).get("text")
    except NotImplementedError:  # SQLite has none
        return None


def routines(session: Session) -> Sequence[JsonObject]:
    """Procedures and functions with their definitions, as far as the account sees them."""
    query = _ROUTINES.get(session.dialect)
    if query is None:
        return []
    with session.reading(query) as found:
        return [
            {
                "kind": str(kind),
                "name": str(name),
                "definition": None if body is None else str(body),
                "returns": None if returns is None else str(returns),
            }
            for kind, name, body, returns in found.rows
        ]
