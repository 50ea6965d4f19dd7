"""`db query`, `structure` and `index`: what a database holds, and what a statement gives.

Rows are cut so that neither memory nor a reader is filled.
"""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final, TypeVar

import click
from msgspec.structs import replace

from learnt.bootstrap import domain_home
from learnt.core.records import JsonValue, Record
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands import group
from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.schema import cache
from learnt.domains.database.schema.objects import (
    ObjectName,
    Routine,
    TableOrView,
    Trigger,
    lines,
    missing,
)
from learnt.domains.database.servers.connections import (
    Connection,
    DbSession,
    Rows,
    named,
    session_with,
)
from learnt.errors import StatementFailed, UsageError
from learnt.formats.answers import filled
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.screen import fitting, table

A = TypeVar("A")
Cell = bool | int | float | str | None
MOST_CHARACTERS: Final = 200_000  # of a whole answer
_WIDEST: Final = 200  # characters of a cell
_COLUMNS: Final = 500
_SHOWN_BYTES: Final = 16
_EXACT: Final = 2**53  # beyond it programs read another number
_LOOK_SECONDS = 2.0  # for each thing that is asked of tables whose columns are missing
_SHOWN_WIDE = 60  # columns of a terminal for one cell


class QueryRows(Record):
    """The rows that a statement gave; `truncated` where there were more, or one was too long.

    `ran` is the statement as it was run, where that is written otherwise than it was asked.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    row_count: int
    truncated: bool
    ran: str = ""


class QueryRefused(Record):
    """Why a statement was not run: it does not only read, or is not understood."""

    refused: str


class QueryFailed(Record):
    """Why the server could not run a statement."""

    failed: str


@command(answers=QueryRows | QueryRefused | QueryFailed)
@click.argument("statement", default="", metavar="[SQL]")
@group.NAME
@click.option("--sql", default="", metavar="SQL", help="The statement; - reads it from input.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    metavar="ROWS",
    help="How many rows to show; more are not fetched.",
)
@group.TIMEOUT
def query(call: Call, statement: str, name: str, sql: str, limit: int, timeout: float) -> int:
    """Ask one statement that only reads, and show what it gives.

    As JSON: {"columns", "rows", "row_count", "truncated", "ran"}, or {"refused": reason} for a
    statement that does not only read, or {"failed": reason} for one that the server could not run
    (exit 1 for both). Long cells are cut, binary ones shown as their length and beginning. "ran" is
    the statement as it was run, where it was written otherwise; empty where it was not.
    """
    if statement and sql:
        raise UsageError("Give the statement once: as a word, or with --sql. Nothing was asked.")
    sql = statement or sql
    text = sys.stdin.read() if sql == "-" else sql
    if not text.strip():
        raise UsageError("There is no statement. Nothing was asked.")
    home = domain_home(call.who.settings)
    connection = named(home, name)
    with group.extra():
        from learnt.domains.database.gate.statements import judge

        verdict = judge(text, connection.address.dialect)
        if isinstance(verdict, Denied):
            return call.answer(QueryRefused(verdict.in_words), _say_refused, 1)
        session = session_with(home, connection, timeout)
    try:
        rows = answer(session, verdict, limit=limit)
    except StatementFailed as error:
        code = call.answer(QueryFailed(str(error)), _say_failed, error.exit_code)
        sys.stdout.flush()
        _look_anew(home, connection, verdict.sql, str(error))
        return code
    finally:
        session.close()
    if isinstance(rows, Denied):
        return call.answer(QueryRefused(rows.in_words), _say_refused, 1)
    return call.answer(rows, _say_rows)


def _say_refused(shown: QueryRefused) -> None:
    click.echo(f"Refused: {plain(shown.refused)}. Nothing was asked.", err=True)


def _say_failed(shown: QueryFailed) -> None:
    click.echo(f"learnt: {plain(shown.failed)}", err=True)
    if missing(shown.failed) is not None:
        click.echo("What there is: `learnt db structure`, of one table with --tables.", err=True)


def _look_anew(home: DomainHome, connection: Connection, sql: str, message: str) -> None:
    """Have what is kept of the tables be as they are now, so that what cites them drifts at once.

    Nobody asked for it: it is short, comes after the answer, and never says anything.
    """
    with suppress(Exception):
        cache.look_anew(cache.source_of(home, connection, _LOOK_SECONDS), sql, message)


def _say_rows(shown: QueryRows) -> None:
    if shown.ran:
        click.echo(f"It was run as: {plain(shown.ran)}", err=True)
    lines = table([[_flat(value) for value in row] for row in (shown.columns, *shown.rows)])
    for number, line in enumerate(lines):
        click.secho(line.rstrip(), bold=number == 0)
    more = "; there is more (--limit, or a narrower question)" if shown.truncated else ""
    click.echo(f"{shown.row_count} row{'' if shown.row_count == 1 else 's'}{more}")


def _flat(value: JsonValue) -> str:
    text = "NULL" if value is None else plain(str(value)).replace("\n", "\\n").replace("\t", "\\t")
    return fitting(text, _SHOWN_WIDE)


def answer(session: DbSession, allowed: Allowed, *, limit: int) -> QueryRows | Denied:
    """What a statement gives; Denied where it leads to what may not run, as the server tells."""
    from learnt.domains.database.gate.statements import placed

    ready = placed(session, allowed)
    if isinstance(ready, Denied):
        return ready
    with session.reading(ready.sql) as answered:
        found = taken(answered, limit)
    return replace(found, ran=ready.sql) if ready.otherwise else found


def taken(answered: Rows, limit: int) -> QueryRows:
    """The first rows, as they come: what is not shown is never fetched.

    >>> taken(Rows(["n"], iter([(1,), (2,), (3,)])), 2)
    QueryRows(columns=['n'], rows=[[1], [2]], row_count=2, truncated=True, ran='')
    """
    rows: list[list[Cell]] = []
    size, truncated = 0, len(answered.columns) > _COLUMNS
    for row in answered.rows:
        shown = list(map(cell, row[:_COLUMNS]))
        size += sum(len(str(value)) for value in shown)
        if len(rows) >= limit or size > MOST_CHARACTERS:
            truncated = True
            break
        rows.append(shown)
    return QueryRows(list(map(cut, answered.columns[:_COLUMNS])), rows, len(rows), truncated)


def cell(value: object) -> Cell:
    """One value as JSON has it; bytes as their number and their beginning.

    >>> cell(b"\\x00\\xff"), cell(2**60), cell("a" * 300)[-20:]
    ('2 bytes: 00ff', '1152921504606846976', 'aa… (300 characters)')
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _EXACT else cut(_digits(value))
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        shown = bytes(value[:_SHOWN_BYTES]).hex()
        return f"{len(value)} bytes: {shown}{'…' if len(value) > _SHOWN_BYTES else ''}"
    if isinstance(value, Decimal):
        return cut(format(value, "f") if abs(value.adjusted()) < _WIDEST else str(value))
    if isinstance(value, timedelta):
        return _time(value)
    if isinstance(value, list | tuple):
        return cut(json.dumps([cell(item) for item in value], ensure_ascii=False))
    return cut(str(value))


def _time(value: timedelta) -> str:
    """A time as a server writes it, which knows no days in one.

    >>> _time(timedelta(hours=-838, minutes=-59, seconds=-59)), _time(timedelta(seconds=9.5))
    ('-838:59:59', '00:00:09.500000')
    """
    seconds, part = divmod(abs(value), timedelta(seconds=1))
    minutes, second = divmod(seconds, 60)
    fraction = f".{part.microseconds:06}" if part else ""
    sign = "-" if value < timedelta() else ""
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}:{second:02}{fraction}"


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # Python writes no number of thousands of digits
        return f"{value:#x}"


def cut(text: str) -> str:
    """A text, cut where it is too long, with how long it was.

    >>> cut("short")
    'short'
    """
    if len(text) <= _WIDEST:
        return text
    return f"{text[:_WIDEST]}… ({len(text)} characters)"


OFFLINE = click.option("--offline", is_flag=True, help="What was kept, of any age; ask no server.")
FRESH = click.option("--fresh", is_flag=True, help="Ask the server, whatever is kept.")


class Structure(Record):
    """Objects of a database; the names that nothing has; the age of what was kept, else 0."""

    objects: tuple[TableOrView | Routine | Trigger, ...]
    missing: tuple[str, ...]
    age_seconds: int


class ObjectIndex(Record):
    """All objects of a database by name; the age of what was kept, else 0."""

    objects: tuple[ObjectName, ...]
    age_seconds: int


@command(answers=Structure)
@group.NAME
@click.option(
    "--tables", default="", metavar="A,B", help="These alone; a name as `index` shows it."
)
@OFFLINE
@FRESH
@group.TIMEOUT
def structure(
    call: Call, name: str, tables: str, timeout: float, *, offline: bool, fresh: bool
) -> int:
    """Tables with columns, keys and indexes; views, routines and triggers with their definitions.

    What was seen within the hour comes from what is kept, with its age; else the server is asked.
    A name that nothing has is exit 1.
    """
    source, take = _source(call, name, timeout, offline=offline, fresh=fresh)
    asked = list(filter(None, map(str.strip, tables.split(",")))) if tables else None
    with group.extra():
        looked = cache.structure(source, asked, take)

    def say(shown: Structure) -> None:
        for described in shown.objects:
            click.echo(plain("\n".join(lines(described))))
        none = "there is no such table, view, routine or trigger"
        none = "nothing of it is kept" if offline else none
        for gone in shown.missing:
            click.secho(f"{plain(gone)}: {none}", fg="yellow")

    return _answer(call, looked, filled(Structure, looked), say, 1 if looked.missing else 0)


@command(answers=ObjectIndex)
@group.NAME
@OFFLINE
@FRESH
@group.TIMEOUT
def index(call: Call, name: str, timeout: float, *, offline: bool, fresh: bool) -> int:
    """All tables, views, routines and triggers by name."""
    source, take = _source(call, name, timeout, offline=offline, fresh=fresh)
    with group.extra():
        looked = cache.objects(source, take)

    def say(shown: ObjectIndex) -> None:
        for listed in shown.objects:
            click.echo(plain(f"{listed.kind}  {listed.name}"))

    return _answer(call, looked, filled(ObjectIndex, looked), say)


def _source(
    call: Call, name: str, seconds: float, *, offline: bool, fresh: bool
) -> tuple[cache.StructureSource, cache.Take]:
    if offline and fresh:
        raise UsageError("Either --offline or --fresh, not both. Nothing was asked.")
    home = domain_home(call.who.settings)
    source = cache.source_of(home, named(home, name), seconds)
    return source, "any" if offline else "none" if fresh else "young"


def _answer(
    call: Call, looked: cache.Looked[Any], answer: A, say: Callable[[A], None], code: int = 0
) -> int:
    """Print an answer, and what a person should know of how old it is and where it is from."""

    def say_all(shown: A) -> None:
        say(shown)
        if looked.moved:
            group.warn(
                "Another server or database answers under this name than before; what was kept of "
                "the other is not used."
            )
        if looked.seconds is not None:
            click.echo(f"As seen {looked.age} ago; --fresh asks the server.", err=True)

    call.answer(answer, say_all)
    if looked.unkept:
        group.warn(f"Shown is what the server says; it could not be kept. {looked.unkept}")
    return code
