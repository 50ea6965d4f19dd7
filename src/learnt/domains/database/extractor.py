"""What a question to a database shows of what is known: seed 000's hard and soft signals.

It is read from the question and its answer alone. A number is of a table's rows, or of those with
one value; an answer without rows tells only of the one value that was sought.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from learnt.core.json_values import JsonValue
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.domain_ports import NOTHING, Extracted, ToolCall
from learnt.domains.database.missing import missing
from learnt.domains.database.observed.asked import Asked, asked
from learnt.domains.database.observed.results import Came, came, column_names

if TYPE_CHECKING:
    from learnt.domains.database.observed.mentions import Column, Counted, Mentions

# What a statement that ran says is so, what a number, and what an answer without rows.
RUNS: Final = ("schema", "query_pattern")
NUMBERS: Final = ("data_snapshot", "data_range")
LISTS: Final = ("schema", "business_rule", "data_range")
MOST_VALUES: Final = 50
_JOINED: Final = 3  # tables: how two are joined stands in their foreign key
_COLUMNS_TABLE: Final = "columns"  # of the information schema: its rows tell of another table


def queried(call: ToolCall) -> Extracted:
    """What a call shows, if it asked a database one thing; of any other call nothing.

    >>> said = '{"columns": ["count"], "rows": [[4800]], "row_count": 1, "truncated": false}'
    >>> given = {"sql": "select count(*) from t_room"}
    >>> found = queried(ToolCall(tool="mcp__shop__query", input=given, response=said))
    >>> found.entities, found.signals[1].value
    (('t_room',), 4800.0)
    """
    question = asked(call)
    if question is None:
        return NOTHING
    answer = came(call.response, failed=call.failed)
    if answer.refused:
        return NOTHING
    if question.tables or not question.sql:
        return _of_structure(question, answer)
    # The parser comes with the extra; without it there is nothing to ask databases with.
    from learnt.domains.database.observed.mentions import mentions

    named = mentions(question.sql, question.dialect)
    if named is None:
        return _of_description(question, answer)
    if seen := _listing(named, answer):
        return _shaped(question, seen)
    signals = tuple(_failed(named, answer) if answer.failed else _ran(named, answer))
    facts = tuple(_facts(named, answer)) if signals and not answer.failed else ()
    about = (*named.names, *([question.database] if question.database else ()))
    return Extracted(entities=about, signals=signals, facts=facts)


def _of_structure(question: Asked, answer: Came) -> Extracted:
    """The shapes of tables that were looked at, and that others are not there."""
    if answer.failed:
        return NOTHING
    shapes = dict(answer.shapes or {})
    columns = column_names(answer)
    if columns and len(question.tables) == 1:
        shapes[question.tables[0]] = columns
    gone = tuple(
        Worked(good=False, kinds=RUNS, entities=(name,), naming=(name,)) for name in answer.gone
    )
    found = _shaped(question, shapes)
    about = (*found.entities, *answer.gone)
    return Extracted(entities=about, signals=(*found.signals, *gone)) if about else NOTHING


def _shaped(question: Asked, shapes: "dict[str, tuple[str, ...]]") -> Extracted:
    if not shapes:
        return NOTHING
    names = [name for table, columns in shapes.items() for name in (table, *columns)]
    signals = [Shaped(whole=table, parts=columns, kinds=RUNS) for table, columns in shapes.items()]
    about = (*names, *([question.database] if question.database else ()))
    return Extracted(entities=about, signals=tuple(signals))


def _of_description(question: Asked, answer: Came) -> Extracted:
    """`DESCRIBE t`, `SHOW COLUMNS FROM t`, `PRAGMA table_info(t)`."""
    from learnt.domains.database.observed.descriptions import described

    table, columns = described(question.sql), column_names(answer)
    return _shaped(question, {table: columns}) if table and columns else NOTHING


def _listing(named: "Mentions", answer: Came) -> dict[str, tuple[str, ...]]:
    """A table with its columns, where the information schema was asked for those of one table."""
    if _COLUMNS_TABLE not in map(str.casefold, named.tables) or named.sought is None:
        return {}
    column, table = named.sought
    columns = column_names(answer)
    return {table: columns} if columns and column.name.casefold() == "table_name" else {}


def _failed(named: "Mentions", answer: Came) -> Iterator[Signal]:
    """Only a table or column that is not there speaks against what names it."""
    gone = missing(answer.failed)
    if gone is None:
        return
    if gone.table and not gone.column:
        bare = gone.table.rpartition(".")[2]
        yield Worked(good=False, kinds=RUNS, naming=tuple({gone.table, bare}))
        return
    table = named.aliases.get(gone.table, gone.table)
    of = [one for one in named.columns if one.name.casefold() == gone.column.casefold()]
    tables = {table} if table else {one.table for one in of if one.table}
    naming = (gone.column, *(f"{one}.{gone.column}" for one in sorted(tables)))
    yield Worked(good=False, kinds=RUNS, naming=naming)


def _ran(named: "Mentions", answer: Came) -> Iterator[Signal]:
    if answer.rows == ():
        if named.sought is not None:
            column, value = named.sought
            yield FoundNone(value=value, kinds=LISTS, naming=column.names)
        return  # what was asked for may be wrong, or there is none: nobody can tell
    yield Worked(good=True, kinds=RUNS)
    if named.counted is not None and answer.rows is not None and answer.whole:
        yield from _numbers(named.counted, answer.rows)


def _numbers(counted: "Counted", rows: Sequence[Sequence[JsonValue]]) -> Iterator[Signal]:
    """The numbers that were counted, each with whose it is."""
    if counted.by is not None:
        for value, number in [row for row in rows if len(row) == 2][:MOST_VALUES]:
            if isinstance(value, str) and value:
                yield from _number(counted.table, counted.by, (value,), number)
    elif len(rows) == 1 and len(rows[0]) == 1:
        column, words = counted.column, counted.words
        if counted.where is not None:
            column, words = counted.where[0], (counted.where[1],)
        yield from _number(counted.table, column, words, rows[0][0])


def _number(
    table: str, column: "Column | None", words: tuple[str, ...], number: JsonValue
) -> Iterator[Signal]:
    value = _value(number)
    if value is not None:
        names = column.names if column is not None else ()
        yield Measured(
            value=value, kinds=NUMBERS, entities=(table, *names), naming=names, saying=words
        )


def _value(number: JsonValue) -> float | None:
    """A number, also where a server of tools writes it as a text."""
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        return None
    try:
        return float(number)
    except ValueError:
        return None


def _facts(named: "Mentions", answer: Came) -> Iterator[Fact]:
    """How three tables and more are joined, once rows came of it."""
    if not answer.rows:
        return
    tables = tuple(sorted({one.table for pair in named.joins for one in pair}))
    if len(tables) < _JOINED or len(named.joins) < len(tables) - 1:
        return
    joins = [
        f"{left.table}.{left.name} = {right.table}.{right.name}" for left, right in named.joins
    ]
    through = ", ".join(f"`{table}`" for table in tables[:-1])
    text = f"{through} and `{tables[-1]}` are joined by " + " and ".join(f"`{j}`" for j in joins)
    columns = {one.name for pair in named.joins for one in pair}
    yield Fact(text=f"{text}.", kind="query_pattern", entities=(*tables, *sorted(columns))[:8])
