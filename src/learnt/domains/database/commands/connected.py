"""`db list` and `db remove`: the databases that are set up, and one of them forgotten."""

from typing import NamedTuple

import click

from learnt.bootstrap import domain_home
from learnt.domains.database.commands.group import rights
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection
from learnt.errors import Refused
from learnt.surfaces.cli.columns import table
from learnt.surfaces.cli.context import YES, Call, command, confirm, plain


class SetUpDatabases(NamedTuple):
    """The databases that are set up, by name."""

    databases: tuple[Connection, ...]


@command("list", answers=SetUpDatabases)
def list_(call: Call) -> int:
    """The databases that are set up, each with where it is; none is asked."""
    every = tuple(connections.every(domain_home(call.who.settings)))
    return call.answer(SetUpDatabases(every), _say)


def _say(shown: SetUpDatabases) -> None:
    rows = [("name", "server", "besides reading", "where")]
    for each in shown.databases:
        version, more = each.identity.get("version", ""), rights(each.could_write)
        where = f"{each.address.url}{', not encrypted' if each.in_the_open else ''}"
        rows.append((each.name, version, more, where))
    lines = table([[plain(cell) for cell in row] for row in rows])
    none = "No database is set up yet: learnt db setup."
    click.echo("\n".join(map(str.rstrip, lines)) if shown.databases else none)


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
    connection = connections.named(home, name)
    question = f"Forget {name} ({connection.address.place}) and its password?"
    if not confirm(plain(question), call.who, yes=yes):
        raise Refused(f"{name} stays set up. Without a question: --yes.")
    Cache(home, connection).drop()
    home.passwords(connections.PASSWORDS).remove(name)
    home.files(connections.CONNECTIONS).remove(name)
    done = f"{name} is forgotten, with its password and structure. What was learnt of it stays."
    return call.answer(RemovedDatabase(name), done)
