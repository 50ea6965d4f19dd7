"""`db query`: one statement that only reads."""

import sys
from typing import TYPE_CHECKING

import click

from learnt.bootstrap import domain_home
from learnt.core.json_values import JsonValue
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands.session import NAME, TIMEOUT, extra, session_with, warned
from learnt.domains.database.commands.structure import place
from learnt.errors import StatementFailed, UsageError
from learnt.surfaces.cli.columns import fitting, table
from learnt.surfaces.cli.context import HOME, JSON, caller, plain, print_json

if TYPE_CHECKING:
    from learnt.domains.database.gate.verdicts import Refused
    from learnt.domains.database.servers.answers import Answer
    from learnt.domains.database.servers.connections import Connection

_LOOK_SECONDS = 2.0  # for each thing that is asked of tables whose columns are missing
_WIDEST = 60  # columns of a terminal for one cell


@click.command()
@NAME
@click.option("--sql", required=True, metavar="SQL", help="The statement; - reads it from input.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    metavar="ROWS",
    help="How many rows to show; more are not fetched.",
)
@TIMEOUT
@JSON
@HOME
def query(
    name: str, sql: str, limit: int, timeout: float, *, as_json: bool, home: str | None
) -> int:
    """Ask one statement that only reads, and show what it gives.

    As JSON: {"columns", "rows", "row_count", "truncated"}, or {"refused": reason} for a statement
    that does not only read, or {"failed": reason} for one that the server could not run (exit 1
    for both). Long cells are cut, binary ones shown as their length and beginning.
    """
    text = sys.stdin.read() if sql == "-" else sql
    if not text.strip():
        raise UsageError("There is no statement. Nothing was asked.")
    from learnt.domains.database.servers.connections import named

    kept = domain_home(caller(home).settings)
    connection = named(kept, name)
    with extra():
        from learnt.domains.database.gate.statements import judge
        from learnt.domains.database.gate.verdicts import Refused
        from learnt.domains.database.servers.answers import answer

        judged = judge(text, connection.address.dialect)
        if isinstance(judged, Refused):
            return _refused(judged, as_json=as_json)
        session = session_with(kept, connection, timeout)
    try:
        found = answer(session, judged, limit=limit)
    except StatementFailed as error:
        _say_failed(error, as_json=as_json)
        _look_anew(kept, connection, judged.sql, str(error))
        return error.exit_code
    finally:
        session.close()
    if as_json:
        print_json(found.as_json)
        return 0
    warned(connection)
    _show(found)
    return 0


def _refused(refused: "Refused", *, as_json: bool) -> int:
    if as_json:
        print_json({"refused": refused.said})
    else:
        click.echo(f"Refused: {plain(refused.said)}. Nothing was asked.", err=True)
    return 1


def _say_failed(error: StatementFailed, *, as_json: bool) -> None:
    if as_json:
        print_json({"failed": str(error)})
    else:
        from learnt.domains.database.schema.missing import missing

        click.echo(f"learnt: {plain(str(error))}", err=True)
        if missing(str(error)) is not None:
            click.echo(
                "What there is: `learnt db structure`, of one table with --tables.", err=True
            )
    sys.stdout.flush()


def _look_anew(kept: DomainHome, connection: "Connection", sql: str, said: str) -> None:
    """Have what is kept of the tables be as they are now, so that what cites them drifts at once.

    Nobody asked for it: it is short, comes after the answer, and never says anything.
    """
    from learnt.domains.database.schema.after_failure import look_anew
    from learnt.domains.guarded import attempt

    at, none = place(kept, _LOOK_SECONDS), list[str]()
    attempt("database", lambda: [*look_anew(at, connection, sql, said)], none, quiet=True)


def _show(found: "Answer") -> None:
    lines = table([[_flat(value) for value in row] for row in [found.columns, *found.rows]])
    for number, line in enumerate(lines):
        click.secho(line.rstrip(), bold=number == 0)
    count = len(found.rows)
    more = "; there is more (--limit, or a narrower question)" if found.truncated else ""
    click.echo(f"{count} row{'' if count == 1 else 's'}{more}")


def _flat(value: JsonValue) -> str:
    text = "NULL" if value is None else plain(str(value)).replace("\n", "\\n").replace("\t", "\\t")
    return fitting(text, _WIDEST)
