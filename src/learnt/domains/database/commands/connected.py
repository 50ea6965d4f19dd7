"""`db list` and `db remove`: the databases that are set up, and one of them forgotten."""

from collections.abc import Mapping
from typing import NamedTuple

import click

from learnt.bootstrap import domain_home
from learnt.domains.database.commands.group import rights
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.servers import connections
from learnt.errors import Refused
from learnt.surfaces.cli.columns import table
from learnt.surfaces.cli.context import YES, Call, command, confirm, plain


class SetUpDatabase(NamedTuple):
    """A database by its name: where it is, its server as it was last seen, how much is kept of it.

    `could_write` is what the account could do besides reading.
    """

    name: str
    url: str
    server: Mapping[str, str]
    could_write: str
    objects: int


class SetUpDatabases(NamedTuple):
    """The databases that are set up, by name."""

    databases: tuple[SetUpDatabase, ...]


@command("list", answers=SetUpDatabases)
def list_(call: Call) -> int:
    """The databases that are set up, each with where it is; none is asked."""
    home = domain_home(call.who.settings)
    rows = [
        SetUpDatabase(
            each.name,
            each.address.url,
            each.identity,
            each.could_write,
            len(Cache(home, each).objects()),
        )
        for each in connections.every(home)
    ]
    return call.answer(SetUpDatabases(tuple(rows)), _say)


def _say(shown: SetUpDatabases) -> None:
    rows = [("name", "where", "server", "objects kept", "besides reading")]
    for each in shown.databases:
        version, more = each.server.get("version", ""), rights(each.could_write)
        rows.append((each.name, each.url, version, str(each.objects), more))
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
    question = f"Forget {connection.name} ({connection.address.place}) and its password?"
    if not confirm(plain(question), call.who, yes=yes):
        raise Refused(f"{name} stays set up. Without a question: --yes.")
    Cache(home, connection).drop()
    home.passwords(connections.PASSWORDS).remove(connection.name)
    home.files(connections.CONNECTIONS).remove(connection.name)
    said = f"{name} is forgotten, with its password and structure. What was learnt of it stays."
    return call.answer(RemovedDatabase(connection.name), said)
