"""A database's structure as records, and which object a server says is not there."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from learnt.core.records import Record

# Kinds with columns. A materialized view shows what was there at its last refresh.
RELATIONS: Final = ("table", "foreign table", "view", "materialized view")


class ObjectName(Record):
    """A table, view, routine or trigger by its kind and name alone."""

    kind: str
    name: str


class RelationColumn(Record):
    """A column; its type is in the server's words, empty where none was declared."""

    name: str
    type: str = ""
    nullable: bool = True
    default: str | None = None
    comment: str | None = None


class ForeignKey(Record):
    """Columns that refer to columns of the table `to`."""

    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]


class TableIndex(Record):
    """An index over columns or expressions."""

    name: str = ""
    columns: tuple[str, ...] = ()
    unique: bool = False


class TableOrView(Record):
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


class Routine(Record):
    """A procedure or a function, with its text as far as the account may see it."""

    kind: str
    name: str
    definition: str | None = None
    returns: str | None = None


class Trigger(Record):
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
    columns = (
        RelationColumn(
            name=str(column["name"]),
            type="" if str(column.get("type")) == "NULL" else str(column.get("type")),
            nullable=bool(column.get("nullable", True)),
            default=optional(column.get("default")),
            comment=optional(column.get("comment")),
        )
        for column in reflected["columns"]
    )
    keys = (
        ForeignKey(
            columns=tuple(map(str, key["constrained_columns"])),
            to=".".join(filter(None, (key.get("referred_schema"), key["referred_table"]))),
            to_columns=tuple(map(str, key["referred_columns"])),
        )
        for key in reflected.get("foreign_keys", ())
    )
    indexes = (
        TableIndex(
            name=str(index.get("name") or ""),
            columns=tuple(map(str, index.get("expressions") or index.get("column_names") or ())),
            unique=bool(index.get("unique")),
        )
        for index in reflected.get("indexes", ())
    )
    return TableOrView(
        kind=kind,
        name=name,
        comment=reflected.get("comment"),
        columns=tuple(columns),
        primary_key=tuple(reflected.get("primary_key", ())),
        foreign_keys=tuple(keys),
        indexes=tuple(indexes),
        definition=reflected.get("definition"),
    )


def optional(text: object) -> str | None:
    """A text that a server may leave out."""
    return None if text is None else str(text)


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


_MOST: Final = 10_000  # characters looked at from each end: a traceback has the error last
_NAME: Final = r"([^\n]{1,600}?)"

_SETTLED_COLUMN: Final = re.compile(r'"(.+)" of relation "(.+)"')
_SQLITE_ADVICE: Final = re.compile(r'"(.+)" - should this be a string literal in single-quotes\?')
_SQLITE_CODE: Final = re.compile(r" \(\d{1,4}\)$")

_ESCAPED: Final = re.compile(r"\\(['\"])")
_QUOTE: Final = re.compile(r"(?<![A-Za-z])'|'(?![A-Za-z])")
_CLAUSE: Final = re.compile(r"[A-Za-z][A-Za-z _/]*")


class Missing(Record):
    """What is not there. One of them may be empty; a column's table may be an alias.

    A table has its schema with it where PostgreSQL names one, never MySQL's database or SQLite's
    `main`. Servers write names without quoting them: of `a.b.c` it is not known where a name ends.
    """

    table: str = ""
    column: str = ""


def missing(message: str) -> Missing | None:
    """What is missing, by the first such message in a text; None where there is none.

    MySQL, MariaDB, PostgreSQL and SQLite are understood in English; MySQL and MariaDB in every
    language where the number of the error stands before it.

    >>> missing("Unknown column 'r.rate' in 'field list'")
    Missing(table='r', column='rate')
    >>> missing("ERROR 1054 (42S22) at line 1: Champ 'r.rate' inconnu dans SELECT")
    Missing(table='r', column='rate')
    """
    text = message if len(message) <= 2 * _MOST else f"{message[:_MOST]}\n{message[-_MOST:]}"
    return min(_matches(text), key=itemgetter(0), default=(0, None))[1]


def _matches(text: str) -> Iterator[tuple[int, Missing]]:
    """Of each sort of message the first, and where in the text it stands."""
    for pattern, read in _MESSAGES:
        for match in pattern.finditer(text):
            if (gone := read(match[1])) is not None:
                yield match.start(), gone
                break
    for pattern, read_name in _NUMBERED:
        for match in pattern.finditer(text):
            if name := _first_quoted(next(filter(None, match.groups()))):
                yield match.start(match.lastindex or 0), read_name(name)
                break


def _first_quoted(message: str) -> str:
    """What stands first in quotes, by which servers name what is missing in every language.

    Empty where it is not sure where the name ends. An apostrophe between two letters is no quote.
    """
    _, *parts = _QUOTE.split(_ESCAPED.sub(r"\1", message))
    sure = len(parts) == 2 or (len(parts) == 4 and _CLAUSE.fullmatch(parts[2]) is not None)
    return parts[0] if sure else ""


def _typed_column(name: str) -> Missing:
    """A column as the statement has it, perhaps with its table, perhaps with that one's database.

    >>> _typed_column("shop.room.rate"), _typed_column("rate")
    (Missing(table='room', column='rate'), Missing(table='', column='rate'))
    """
    before, _, column = name.rpartition(".")
    if not (before and column):
        return Missing(column=name)
    return Missing(table=before.partition(".")[2] or before, column=column)


def _mysql_table(name: str) -> Missing:
    """A table with its database before it: MySQL always says it."""
    database, _, own = name.partition(".")
    return Missing(table=own or database)


def _postgres_column(name: str) -> Missing | None:
    """A column in quotes, or after its table and a dot; whatever else was said is no message."""
    name = name.replace('\\"', '"')  # as JSON has it
    if (settled := _SETTLED_COLUMN.fullmatch(name)) is not None:
        return Missing(table=settled[2], column=settled[1])
    if len(name) > 2 and name[0] == name[-1] == '"':
        return Missing(column=name[1:-1])
    table, _, column = name.rpartition(".")
    return Missing(table=table, column=column) if table and column else None


def _sqlite_column(name: str) -> Missing:
    advised = _SQLITE_ADVICE.fullmatch(name)
    return _typed_column(_sqlite_name(advised[1] if advised else name))


def _sqlite_name(name: str) -> str:
    """A name up to its line's end, without the code that the shell says after it."""
    return _SQLITE_CODE.sub("", name.rstrip()) or name


_MESSAGES: Final[tuple[tuple["re.Pattern[str]", Callable[[str], Missing | None]], ...]] = (
    # A driver's error printed as a tuple has a backslash before its quotes.
    (re.compile(rf"\bUnknown column \\?'{_NAME}\\?' in \\?'"), _typed_column),
    (re.compile(rf"\bTable \\?'{_NAME}\\?' doesn\\?'t exist(?! in engine)"), _mysql_table),
    (re.compile(rf"\bcolumn {_NAME} does not exist"), _postgres_column),
    (re.compile(rf'\brelation \\?"{_NAME}\\?" does not exist'), lambda name: Missing(table=name)),
    (re.compile(rf"\bno such column: {_NAME}(?=\n|$)"), _sqlite_column),
    (
        re.compile(rf"\bno such table: {_NAME}(?=\n|$)"),
        lambda name: Missing(table=_sqlite_name(name).removeprefix("main.")),
    ),
)

# The error's number with its state: by mysql's client and most drivers, by PHP's, as Python prints
# a tuple (also within JSON), and by name.
_AS_WRITTEN: Final = (
    r"\b{number} \({state}\)(?: at line \d+(?: in file: '[^'\n]*')?)?: ([^\n]{{1,1000}})"
    r"|\[{state}\][^\n]{{0,60}}? {number} ([^\n]{{1,1000}})"
    r"""|\({number}, \\?"((?:[^"\\\n]|\\'){{1,1000}})\\?"\)"""
    r"""|\({number}, '((?:[^'\\\n]|\\.){{1,1000}})'\)"""
    r"|\b{name}: ([^\n]{{1,1000}})"
)
_NUMBERED: Final[tuple[tuple["re.Pattern[str]", Callable[[str], Missing]], ...]] = tuple(
    (re.compile(_AS_WRITTEN.format(number=number, state=state, name=name)), read)
    for number, state, name, read in (
        (1054, "42S22", "ER_BAD_FIELD_ERROR", _typed_column),
        (1146, "42S02", "ER_NO_SUCH_TABLE", _mysql_table),
    )
)
