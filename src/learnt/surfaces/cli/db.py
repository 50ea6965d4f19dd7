"""`db`: databases, asked and never written to."""

import click

from learnt.surfaces.cli.lazily import LazyGroup

_KNOWN = {
    "setup": ("db_setup:setup", "Name a database, try it, keep how it is reached."),
    "query": ("db_query:query", "Ask one statement that only reads."),
    "structure": ("db_structure:structure", "Tables, columns, keys, indexes, views, routines."),
    "index": ("db_structure:index", "The list of all objects."),
}


@click.group(cls=LazyGroup, known=_KNOWN)
def db() -> None:
    """Ask databases: MySQL, MariaDB, PostgreSQL, SQLite. Nothing is ever written to one.

    A statement runs if it is understood and only reads, in a transaction that the server itself
    holds to reading, for as long as --timeout allows. Needs the extra `database`:
    pipx install "learnt[database]".
    """
