"""`db`: databases, asked and never written to; and what its commands share."""

from contextlib import AbstractContextManager
from typing import Final

import click

from learnt.domains.database.servers.connections import EXTRA, Connection
from learnt.surfaces.cli.commands import LazyGroup
from learnt.surfaces.cli.context import needing, plain

NAME = click.option("--name", default="", metavar="NAME", help="The database (else the only one).")
TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3_600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the server may work on it.",
)
_HERE: Final = "learnt.domains.database.commands"
_COMMANDS: Final = {
    "setup": (f"{_HERE}.setup:setup", "Name a database, try it, keep how it is reached."),
    "list": (f"{_HERE}.setup:list_", "The databases that are set up; none is asked."),
    "remove": (f"{_HERE}.setup:remove", "Forget how a database is reached."),
    "query": (f"{_HERE}.query:query", "Ask one statement that only reads."),
    "structure": (
        f"{_HERE}.query:structure",
        "Tables, columns, keys, indexes, views, routines, triggers.",
    ),
    "index": (f"{_HERE}.query:index", "The list of all objects."),
}


@click.group(cls=LazyGroup, own=_COMMANDS)
def db() -> None:
    """Ask databases: MySQL, MariaDB, PostgreSQL, SQLite. Nothing is ever written to one.

    A statement runs if it is understood and only reads, in a transaction that the server itself
    holds to reading, for as long as --timeout allows. Needs the extra `database`.
    """


def extra() -> AbstractContextManager[None]:
    """A package that is missing is named, with how to install it: raises EnvironmentTrouble."""
    return needing(EXTRA, "`learnt db`", "database", "pq wrapper")


def warn(text: str) -> None:
    """Say something on standard error that a person should look at."""
    click.secho(plain(text), fg="yellow", err=True)


def warn_of_account(connection: Connection) -> None:
    """Say what the account could do besides reading, and who may read along."""
    name, address = connection.name, connection.address
    if connection.could_write and address.dialect == "sqlite":
        warn(
            f"You can write the file of {name} as well. Learnt only reads; a file that you can do "
            "no more with is safer."
        )
    elif connection.could_write:
        warn(
            f"The account of {name} can do more than read: {rights(connection.could_write)}. "
            "Learnt only reads; an account that can do no more is safer."
        )
    if connection.in_the_open:
        more = "?ssl_mode=required" if address.dialect == "mysql" else "?sslmode=require"
        warn(
            f"What goes to {address.place} and back is not encrypted: whoever is between can read "
            f"it. The URL may ask for it ({more})."
        )


def rights(could_write: str) -> str:
    """What an account could do besides reading, as it ends a sentence.

    >>> rights("anything: a superuser"), rights("ALL PRIVILEGES on *.*; DROP on `shop`.`room`")
    ('anything, as a superuser', 'anything on the whole server; DROP on `shop`.`room`')
    """
    told = could_write.replace("anything: a superuser", "anything, as a superuser")
    told = told.replace("more than reading", "something that Learnt does not know")
    return told.replace("ALL PRIVILEGES on", "anything on").replace("on *.*", "on the whole server")
