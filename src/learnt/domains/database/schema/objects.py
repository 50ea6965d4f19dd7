"""A database's structure as records: what there is by kind, and how people are shown them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

# Kinds with columns. A materialized view shows what was there at its last refresh.
RELATIONS: Final = ("table", "foreign table", "view", "materialized view")


class ObjectName(NamedTuple):
    """A table, view, routine or trigger by its kind and name alone."""

    kind: str
    name: str


class RelationColumn(NamedTuple):
    """A column; its type is in the server's words, empty where none was declared."""

    name: str
    type: str = ""
    nullable: bool = True
    default: str | None = None
    comment: str | None = None


class ForeignKey(NamedTuple):
    """Columns that refer to columns of the table `to`."""

    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]


class TableIndex(NamedTuple):
    """An index over columns or expressions."""

    name: str = ""
    columns: tuple[str, ...] = ()
    unique: bool = False


class TableOrView(NamedTuple):
    """A table or a view; `definition` is the text of a view, `triggers` are named."""

    kind: str
    name: str
    comment: str | None = None
    columns: tuple[RelationColumn, ...] = ()
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    indexes: tuple[TableIndex, ...] = ()
    definition: str | None = None
    triggers: tuple[str, ...] = ()


class Routine(NamedTuple):
    """A procedure or a function, with its text as far as the account may see it."""

    kind: str
    name: str
    definition: str | None = None
    returns: str | None = None


class Trigger(NamedTuple):
    """What a server does by itself when a table or view is written to."""

    kind: str
    name: str
    table: str
    definition: str | None = None


Described = TableOrView | Routine | Trigger


def folded(name: str) -> str:
    """A name as servers compare it that ignore its case.

    >>> folded("Film_É")
    'film_É'
    """
    return name.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def relation(name: str, kind: str, reflected: Mapping[str, Any]) -> TableOrView:
    """A table or view, from what SQLAlchemy's inspector tells of it.

    >>> relation("t", "table", {"columns": [{"name": "a", "type": "INTEGER"}]}).columns[0]
    RelationColumn(name='a', type='INTEGER', nullable=True, default=None, comment=None)
    """
    return TableOrView(
        kind=kind,
        name=name,
        comment=reflected.get("comment"),
        columns=tuple(map(_column, reflected["columns"])),
        primary_key=tuple(reflected.get("primary_key", ())),
        foreign_keys=tuple(map(_foreign_key, reflected.get("foreign_keys", ()))),
        indexes=tuple(map(_index, reflected.get("indexes", ()))),
        definition=reflected.get("definition"),
    )


def _column(reflected: Mapping[str, Any]) -> RelationColumn:
    default, comment, type_ = (reflected.get(key) for key in ("default", "comment", "type"))
    return RelationColumn(
        name=str(reflected["name"]),
        type="" if str(type_) == "NULL" else str(type_),
        nullable=bool(reflected.get("nullable", True)),
        default=None if default is None else str(default),
        comment=None if comment is None else str(comment),
    )


def _foreign_key(reflected: Mapping[str, Any]) -> ForeignKey:
    return ForeignKey(
        columns=tuple(map(str, reflected["constrained_columns"])),
        to=".".join(filter(None, (reflected.get("referred_schema"), reflected["referred_table"]))),
        to_columns=tuple(map(str, reflected["referred_columns"])),
    )


def _index(reflected: Mapping[str, Any]) -> TableIndex:
    columns = reflected.get("expressions") or reflected.get("column_names") or ()
    return TableIndex(
        name=str(reflected.get("name") or ""),
        columns=tuple(map(str, columns)),
        unique=bool(reflected.get("unique")),
    )


def lines(shown: Described) -> Sequence[str]:
    """An object, for people.

    >>> lines(TableOrView("table", "t", primary_key=("a",)))
    ['table t', '  key (a)']
    """
    head = f"{shown.kind} {shown.name}"
    if isinstance(shown, Trigger):
        head = f"{head} on {shown.table}"
    text = _relation_lines(head, shown) if isinstance(shown, TableOrView) else [head]
    # A remark or a default of several lines would be read as columns.
    text = ["\\n".join(line.splitlines()) for line in text]
    return text + [f"  | {line}" for line in (shown.definition or "").strip().splitlines()]


def _relation_lines(head: str, shown: TableOrView) -> list[str]:
    text = [head + _remark(shown.comment)]
    for column in shown.columns:
        null = "" if column.nullable else " not null"
        default = f" default {column.default}" if column.default is not None else ""
        declared = f"  {column.name}  {column.type}".rstrip()
        text.append(f"{declared}{null}{default}{_remark(column.comment)}")
    if shown.primary_key:
        text.append(f"  key {_names(shown.primary_key)}")
    for key in shown.foreign_keys:
        text.append(f"  {_names(key.columns)} -> {key.to} {_names(key.to_columns)}")
    for index in shown.indexes:
        unique = "unique " if index.unique else ""
        text.append(f"  {unique}index {index.name} {_names(index.columns)}")
    return text + [f"  trigger {trigger}" for trigger in shown.triggers]


def _names(names: Sequence[str]) -> str:
    return f"({', '.join(names)})"


def _remark(comment: str | None) -> str:
    return f"  -- {comment}" if comment else ""
