"""`db`: databases, asked and never written to."""

import click

from learnt.surfaces.cli.lazily import LazyGroup

_HERE = "learnt.domains.database.commands"
_KNOWN = {
    "setup": (f"{_HERE}.setup:setup", "Name a database, try it, keep how it is reached."),
    "query": (f"{_HERE}.query:query", "Ask one statement that only reads."),
    "structure": (
        f"{_HERE}.structure:structure",
        "Tables, columns, keys, indexes, views, routines.",
    ),
    "index": (f"{_HERE}.structure:index", "The list of all objects."),
}


@click.group(cls=LazyGroup, known=_KNOWN)
def db() -> None:
    """Ask databases: MySQL, MariaDB, PostgreSQL, SQLite. Nothing is ever written to one.

    A statement runs if it is understood and only reads, in a transaction that the server itself
    holds to reading, for as long as --timeout allows. Needs the extra `database`:
    pipx install "learnt[database]".
    """
