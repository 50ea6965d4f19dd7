"""`db list` and `db remove`: the databases that are set up, and one of them forgotten."""

from collections.abc import Mapping
from typing import NamedTuple

import click

from learnt.bootstrap import domain_home
from learnt.domains.database.commands.group import rights
from learnt.domains.database.schema.cache import Cache, KeptObjects
from learnt.domains.database.schema.objects import ObjectName
from learnt.domains.database.servers.connections import (
    CONNECTIONS,
    PASSWORDS,
    Connection,
    every,
    named,
)
from learnt.errors import Refused
from learnt.surfaces.cli.columns import table
from learnt.surfaces.cli.context import YES, Call, command, confirm, plain


class SetUpDatabase(NamedTuple):
    """A database by its name: where it is, its server as it was last seen, what is kept of it.

    `could_write` is what the account could do besides reading; `objects` its tables, views and
    routines by the list that is kept, None where none is.
    """

    name: str
    url: str
    server: Mapping[str, str]
    could_write: str
    objects: int | None


class SetUpDatabases(NamedTuple):
    """The databases that are set up, by name."""

    databases: tuple[SetUpDatabase, ...]


@command("list", answers=SetUpDatabases)
def list_(call: Call) -> int:
    """The databases that are set up, each with where it is; none is asked."""
    home = domain_home(call.who.settings)
    rows = (_set_up(each, Cache(home, each).listed()) for each in every(home))
    return call.answer(SetUpDatabases(tuple(rows)), _say)


def _set_up(each: Connection, kept: KeptObjects[ObjectName] | None) -> SetUpDatabase:
    objects = None if kept is None else len(kept.objects)
    return SetUpDatabase(each.name, each.address.url, each.identity, each.could_write, objects)


def _say(shown: SetUpDatabases) -> None:
    if not shown.databases:
        click.echo("No database is set up yet: learnt db setup.")
        return
    rows = [("name", "where", "server", "objects kept", "besides reading")]
    for each in shown.databases:
        kept = "none" if each.objects is None else str(each.objects)
        server = each.server.get("version", "")
        rows.append((each.name, each.url, server, kept, rights(each.could_write)))
    for number, line in enumerate(table([[plain(cell) for cell in row] for row in rows])):
        click.secho(line.rstrip(), bold=number == 0)


class RemovedDatabase(NamedTuple):
    """The database that is set up no more."""

    removed: str


@command(answers=RemovedDatabase)
@click.argument("name")
@YES
def remove(call: Call, name: str, *, yes: bool) -> int:
    """Forget how a database is reached: its URL, its password and its structure.

    The database itself is not touched, and what was learnt of it stays.
    """
    home = domain_home(call.who.settings)
    connection = named(home, name)
    question = f"Forget {connection.name} ({connection.address.place}) and its password?"
    if not confirm(plain(question), call.who, yes=yes):
        raise Refused(f"{name} stays set up. Without a question: --yes.")
    Cache(home, connection).drop()
    home.passwords(PASSWORDS).remove(connection.name)
    home.files(CONNECTIONS).remove(connection.name)
    return call.answer(
        RemovedDatabase(connection.name),
        f"{connection.name} is forgotten: its URL, its password and its structure. What was learnt "
        f"of it stays: `learnt recall {connection.name}`.",
    )
