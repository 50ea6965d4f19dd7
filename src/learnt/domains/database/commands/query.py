"""`db query`: one statement that only reads."""

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from learnt.bootstrap import domain_home
from learnt.core.records import JsonValue
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands import group
from learnt.domains.database.servers.answers import QueryRows, answer
from learnt.errors import StatementFailed, UsageError
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.screen import fitting, table

if TYPE_CHECKING:
    from learnt.domains.database.servers.connections import Connection

_LOOK_SECONDS = 2.0  # for each thing that is asked of tables whose columns are missing
_WIDEST = 60  # columns of a terminal for one cell


class QueryRefused(NamedTuple):
    """Why a statement was not run: it does not only read, or is not understood."""

    refused: str


class QueryFailed(NamedTuple):
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
    from learnt.domains.database.servers.connections import named

    home = domain_home(call.who.settings)
    connection = named(home, name)
    with group.extra():
        from learnt.domains.database.gate.statements import judge
        from learnt.domains.database.gate.verdicts import Denied

        verdict = judge(text, connection.address.dialect)
        if isinstance(verdict, Denied):
            return call.answer(QueryRefused(verdict.in_words), _say_refused, 1)
        session = group.session_with(home, connection, timeout)
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
    from learnt.domains.database.schema.objects import missing

    click.echo(f"learnt: {plain(shown.failed)}", err=True)
    if missing(shown.failed) is not None:
        click.echo("What there is: `learnt db structure`, of one table with --tables.", err=True)


def _look_anew(home: DomainHome, connection: "Connection", sql: str, message: str) -> None:
    """Have what is kept of the tables be as they are now, so that what cites them drifts at once.

    Nobody asked for it: it is short, comes after the answer, and never says anything.
    """
    from learnt.domains.database.schema.looking import look_anew
    from learnt.domains.guarded import attempt

    source, none = group.structure_source(home, connection, _LOOK_SECONDS), list[str]()
    attempt("database", lambda: [*look_anew(source, sql, message)], none, quiet=True)


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
    return fitting(text, _WIDEST)
