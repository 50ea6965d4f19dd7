"""What a question to a database shows of what is known: seed 000's hard and soft signals.

It is read from the question and its answer alone. A number is of a table's rows, or of those with
one value; an answer without rows tells only of the one value that was sought.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.core.records import JsonValue
from learnt.domain_ports import NOTHING, Extracted, ToolCall
from learnt.domains.database.observed.questions import (
    Asked,
    QueryResult,
    asked,
    asks_database,
    column_names,
    read_result,
)
from learnt.domains.database.observed.spoken import all_rows
from learnt.domains.database.schema.objects import missing

if TYPE_CHECKING:
    from learnt.domains.database.observed.mentions import Counted, Mentions

# What a statement that ran says is so, what a number, and what an answer without rows.
RUNS: Final = ("schema", "query_pattern")
NUMBERS: Final = ("data_snapshot", "data_range")
LISTS: Final = ("schema", "business_rule", "data_range")
MOST_VALUES: Final = 50
_JOINED: Final = 3  # tables: how two are joined stands in their foreign key
# Clients that ask whichever database they are pointed at: a copy, an empty file.
_ANY_DATABASE: Final = frozenset({"mysql", "psql", "sqlite3"})
_USUAL: Final = frozenset({"public", "dbo", "main"})
_NOTHINGS: Final = frozenset({"0", "0.0", "None", "NULL", ""})
_NAME: Final = re.compile(r"[\w$]{1,64}")
_NUMBER: Final = re.compile(r"[-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?")
_QUOTES: Final = str.maketrans("", "", "\"'`[]")
_TABLE: Final = r"([^();\s]+)"
_DESCRIPTION: Final = re.compile(
    rf"\s*(?:DESC(?:RIBE)?\s+{_TABLE}|SHOW\s+(?:FULL\s+)?(?:COLUMNS|FIELDS)\s+(?:FROM|IN)\s+{_TABLE}"
    rf"|PRAGMA\s+table_x?info\s*\(\s*{_TABLE}\s*\))\s*;?\s*",
    re.IGNORECASE,
)
# SQLite's `table_info` leaves generated columns out.
_IN_PART: Final = re.compile(r"\s*PRAGMA\s+table_info\b", re.IGNORECASE)
_HINT: Final = re.compile(r'Perhaps you meant to reference the \w+ \W?"([^"\\]{1,200})\\?"')


def queried(call: ToolCall) -> Extracted:
    """What a call shows, if it asked a database one thing; of any other call nothing.

    A question that shows nothing is a question all the same: it failed for a slip of the pen, or
    found no rows.

    >>> reply = '{"columns": ["count"], "rows": [[4800]], "row_count": 1, "truncated": false}'
    >>> given = {"sql": "select count(*) from t_room"}
    >>> shown = queried(ToolCall(tool="mcp__shop__query", input=given, response=reply))
    >>> shown.entities, shown.signals[1].value
    (('t_room',), 4800.0)
    """
    return replace(_shown(call), own=True) if asks_database(call) else NOTHING


def _shown(call: ToolCall) -> Extracted:
    question = asked(call)
    if question is None:
        return NOTHING
    answer = read_result(call.response, failed=call.failed, of=question)
    if answer.refused:
        return NOTHING
    if question.tables or not question.sql:
        return _of_structure(question, answer)
    # The parser comes with the extra; without it there is nothing to ask databases with.
    from learnt.domains.database.observed.mentions import mentions

    named = mentions(question.sql, question.dialect)
    if named is None:
        shown = _listed(question, described(question.sql), answer)
        return _in_part(shown) if _IN_PART.match(question.sql) else shown
    if named.listing[1] and not answer.failed:
        return _listed(question, named.listing, answer)
    signals = tuple(
        _failed(question, named, answer) if answer.failed else _ran(question, named, answer)
    )
    facts = tuple(_facts(named, answer)) if signals and not answer.failed else ()
    database = _database(question, *named.databases.values())
    return Extracted(entities=(*named.names, *database), signals=signals, facts=facts)


def described(sql: str) -> tuple[str, str]:
    """The table whose columns a statement asks for, behind its database; else nothing.

    >>> described("DESCRIBE `shop`.`t_room`"), described("pragma table_info('film')")
    (('shop', 't_room'), ('', 'film'))
    >>> described("show full columns from sakila.film;"), described("describe film rating")
    (('sakila', 'film'), ('', ''))
    """
    form = _DESCRIPTION.fullmatch(sql.translate(_QUOTES))
    if form is None:
        return "", ""
    database, _, table = next(filter(None, form.groups())).rpartition(".")
    return database, table


def _database(question: Asked, *named: str) -> tuple[str, ...]:
    """The database that was asked, where the statement names no other."""
    other = any(_is_another(question, database) for database in named)
    return (question.database,) if question.database and not other else ()


def _is_another(question: Asked, database: str) -> bool:
    """Whether a statement names a database that may not be the one that was asked."""
    return database.casefold() not in {"", *_USUAL, question.database.casefold()}


def _of_structure(question: Asked, answer: QueryResult) -> Extracted:
    """The shapes of tables that were looked at, and that others are not there."""
    if answer.failed:
        return NOTHING
    columns, database = column_names(answer), _database(question)
    if columns and len(question.tables) == 1:
        shown = _shaped({question.tables[0]: columns}, *database)
        # What tools ask SQLite leaves generated columns out.
        return _in_part(shown) if question.dialect == "sqlite" else shown
    # Behind a dot it may be another database's table, which is not looked at.
    gone = tuple(
        Worked(good=False, kinds=RUNS, entities=(name, *database), naming=(name,))
        for name in answer.gone
        if "." not in name
    )
    shown = _shaped(answer.shapes or {}, *database)
    if not answer.shapes and not gone:
        return NOTHING
    about = (*shown.entities, *answer.gone, *database)
    return Extracted(entities=about, signals=(*shown.signals, *gone))


def _shaped(shapes: Mapping[str, tuple[str, ...]], *database: str) -> Extracted:
    names = [name for table, columns in shapes.items() for name in (table, *columns)]
    signals = [Shaped(whole=table, parts=columns, kinds=RUNS) for table, columns in shapes.items()]
    return Extracted(entities=(*names, *database), signals=tuple(signals)) if shapes else NOTHING


def _in_part(shown: Extracted) -> Extracted:
    """The same where a table may have columns that were not told."""
    signals = (replace(shape, firm=False) for shape in shown.signals if isinstance(shape, Shaped))
    return replace(shown, signals=tuple(signals))


def _listed(question: Asked, of: tuple[str, str], answer: QueryResult) -> Extracted:
    (database, table), columns = of, column_names(answer)
    if not table or not columns:
        return NOTHING
    return _shaped({table: columns}, *filter(None, (database, *_database(question, database))))


def _failed(question: Asked, named: "Mentions", answer: QueryResult) -> Iterator[Signal]:
    """Only a table or column that is not there speaks against what names it."""
    gone = missing(answer.failed)
    if gone is None or _only_written_otherwise(answer.failed, gone.table, gone.column):
        return
    if gone.column:
        naming = _gone_column(question, named, gone.table, gone.column)
    elif question.client in _ANY_DATABASE:
        return  # it may have asked a database that never had the table
    else:
        bare = gone.table.rpartition(".")[2]
        database = named.databases.get(bare, "")
        naming = (f"{database}.{bare}",) if database else tuple({gone.table, bare})
    if naming:
        yield Worked(good=False, kinds=RUNS, naming=naming)


def _only_written_otherwise(message: str, table: str, column: str) -> bool:
    """Whether the server has it with other capitals, and says so or would need quotes for it."""
    hint = _HINT.search(message)
    meant = hint[1].rpartition(".")[2] if hint is not None else ""
    name = column or table.rpartition(".")[2]
    return meant != name and meant.casefold() == name.casefold()


def _gone_column(question: Asked, named: "Mentions", called: str, column: str) -> tuple[str, ...]:
    """How an entry may name a column that is not there: with its table, where that is known."""
    alias, bare = named.aliases.get(called.casefold()), named.bare.get(column.casefold(), ())
    tables = filter(None, [alias]) if called else sorted(bare)
    databases = named.databases
    own = [table for table in tables if not _is_another(question, databases.get(table, ""))]
    return (column, *(f"{table}.{column}" for table in own)) if own else ()


def _ran(question: Asked, named: "Mentions", answer: QueryResult) -> Iterator[Signal]:
    if _is_empty(named, answer):
        counted = named.counted is not None and not named.counted.words
        # A sum of nothing, or of what is not known, is no sign that there are no rows.
        if named.sought is not None and answer.whole and (counted or not named.summed):
            column, value = named.sought
            if not _is_another(question, named.databases.get(column.table, "")):
                yield FoundNone(value=value, kinds=LISTS, naming=column.names)
    elif answer.ran:
        pairs = tuple((".".join(left), ".".join(right)) for left, right in named.joins)
        yield Worked(good=True, kinds=RUNS, of_parts=True, equal=pairs)
    else:
        return
    if named.counted is not None and answer.rows and answer.whole:
        yield from _numbers(question, named.counted, answer.rows)


def _is_empty(named: "Mentions", answer: QueryResult) -> bool:
    """Whether nothing was found: what was asked for may be wrong, or there is none."""
    if answer.rows is None:
        return False
    cells = [cell for row in answer.rows for cell in row]
    return not cells or (named.summed and all(str(cell) in _NOTHINGS for cell in cells))


def _numbers(
    question: Asked, counted: "Counted", rows: Sequence[Sequence[JsonValue]]
) -> Iterator[Signal]:
    if counted.by is not None:
        for value, number in [row for row in rows if len(row) == 2][:MOST_VALUES]:
            if isinstance(value, str) and value:
                yield from _number(question, replace(counted, where=(counted.by, value)), number)
    elif len(rows) == 1 and len(rows[0]) == 1:
        yield from _number(question, counted, rows[0][0])


def _number(question: Asked, counted: "Counted", number: JsonValue) -> Iterator[Signal]:
    value = _value(number)
    if value is None:
        return
    column, under = counted.where or (counted.column, "")
    names = column.names if column is not None else ()
    table = counted.table
    if _is_another(question, counted.database):
        # Another database may have a table of the name, with other rows.
        table = f"{counted.database}.{table}"
        names = tuple(f"{counted.database}.{name}" for name in names if "." in name)
    yield Measured(
        value=value,
        kinds=NUMBERS,
        entities=(table, *names, *_database(question)),
        naming=names,
        saying=() if under else counted.words,
        under=under,
        reads=None if names else all_rows,
    )


def _value(number: JsonValue) -> float | None:
    """A number, also where a server of tools or a client writes it as a text.

    >>> _value("4800"), _value(True), _value("1_000"), _value("nan")
    (4800.0, None, None, None)
    """
    plain = not isinstance(number, str) or _NUMBER.fullmatch(number.strip())
    if isinstance(number, bool) or not isinstance(number, int | float | str) or not plain:
        return None
    with suppress(OverflowError):  # a whole number may be longer than any float
        return float(number)
    return None


def _facts(named: "Mentions", answer: QueryResult) -> Iterator[Draft]:
    """How three tables and more are joined, once rows came of it."""
    joined = [column for pair in named.joins for column in pair]
    tables = sorted({column.table for column in joined})
    if not answer.rows or len(tables) < _JOINED or len(named.joins) < len(tables) - 1:
        return
    if not all(_NAME.fullmatch(name) for column in joined for name in column):
        return  # a name in quotes may be any sentence
    joins = [f"`{'.'.join(left)} = {'.'.join(right)}`" for left, right in named.joins]
    through = ", ".join(f"`{table}`" for table in tables[:-1])
    text = f"{through} and `{tables[-1]}` are joined by {' and '.join(joins)}."
    columns = sorted({column.name for column in joined})
    yield Draft(text=text, kind="query_pattern", entities=(*tables, *columns)[:8])
