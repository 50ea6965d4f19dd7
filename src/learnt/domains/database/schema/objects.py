"""Tables, views and routines as they are told: the shape of what is known of a database."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from learnt.core.json_values import JsonObject

# Kinds with columns. A materialized view shows what was there at its last refresh.
RELATIONS: Final = ("table", "foreign table", "view", "materialized view")


def folded(name: str) -> str:
    """A name as servers compare it that ignore its case.

    >>> folded("Film_É")
    'film_É'
    """
    return name.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def table(name: str, kind: str, told: Mapping[str, Any]) -> JsonObject:
    """A table or view, from what SQLAlchemy's inspector tells of it.

    >>> table("t", "table", {"columns": [{"name": "a", "type": "INTEGER", "nullable": False}]})[
    ...     "columns"
    ... ]
    [{'name': 'a', 'type': 'INTEGER', 'nullable': False, 'default': None, 'comment': None}]
    """
    return {
        "kind": kind,
        "name": name,
        "comment": told.get("comment"),
        "columns": [_column(one) for one in told.get("columns", ())],
        "primary_key": list(told.get("primary_key", ())),
        "foreign_keys": [_foreign(one) for one in told.get("foreign_keys", ())],
        "indexes": [_index(one) for one in told.get("indexes", ())],
        "definition": told.get("definition"),
    }


def _column(told: Mapping[str, Any]) -> JsonObject:
    default, comment, sort = told.get("default"), told.get("comment"), str(told["type"])
    return {
        "name": str(told["name"]),
        "type": "" if sort == "NULL" else sort,  # a column of no declared type
        "nullable": bool(told.get("nullable", True)),
        "default": None if default is None else str(default),
        "comment": None if comment is None else str(comment),
    }


def _foreign(told: Mapping[str, Any]) -> JsonObject:
    schema = told.get("referred_schema")
    target = str(told["referred_table"])
    return {
        "columns": list(map(str, told["constrained_columns"])),
        "to": f"{schema}.{target}" if schema else target,
        "to_columns": list(map(str, told["referred_columns"])),
    }


def _index(told: Mapping[str, Any]) -> JsonObject:
    columns = told.get("expressions") or told.get("column_names") or ()
    return {
        "name": str(told.get("name") or ""),
        "columns": [str(one) for one in columns],
        "unique": bool(told.get("unique")),
    }


def lines(told: JsonObject) -> Sequence[str]:
    """An object, for people.

    >>> lines({"kind": "table", "name": "t", "columns": [], "primary_key": ["a"]})
    ['table t', '  key (a)']
    """
    found = [f"{told['kind']} {told['name']}{_remark(told.get('comment'))}"]
    for column in _all(told, "columns"):
        null = "" if column["nullable"] else " not null"
        default = f" default {column['default']}" if column["default"] is not None else ""
        found.append(
            f"  {column['name']}  {column['type']}".rstrip()
            + f"{null}{default}{_remark(column['comment'])}"
        )
    if key := told.get("primary_key"):
        found.append(f"  key {_names(key)}")
    for one in _all(told, "foreign_keys"):
        found.append(f"  {_names(one['columns'])} -> {one['to']} {_names(one['to_columns'])}")
    for one in _all(told, "indexes"):
        unique = "unique " if one["unique"] else ""
        found.append(f"  {unique}index {one['name']} {_names(one['columns'])}")
    # A remark or a default of several lines would be read as columns.
    found = ["\\n".join(line.splitlines()) for line in found]
    if definition := told.get("definition"):
        found.extend(f"  | {line}" for line in str(definition).strip().splitlines())
    return found


def _all(told: JsonObject, name: str) -> Sequence[Mapping[str, Any]]:
    value = told.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _names(value: object) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else ""


def _remark(comment: object) -> str:
    return f"  -- {comment}" if comment else ""
