"""What the `db` commands share: the extra they need, and the session with a named database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from learnt.domain_ports import DomainHome
from learnt.domains.database.servers.sessions import EXTRA, Limits, begun
from learnt.errors import EnvironmentTrouble
from learnt.surfaces.cli.context import plain

if TYPE_CHECKING:
    from learnt.domains.database.servers.connections import Connection
    from learnt.domains.database.servers.sessions import Session

PASSWORDS = "database/passwords"
NAME = click.option("--name", default="", metavar="NAME", help="The database (else the only one).")
TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3_600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the server may work on it.",
)


@contextmanager
def extra() -> Iterator[None]:
    """A package that is missing is named, with how to install it."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA and "pq wrapper" not in str(error):
            raise
        raise EnvironmentTrouble(
            f"`learnt db` needs a package that is not installed ({package or 'psycopg'}): "
            'pipx install "learnt[database]", or pip install "learnt[database]" where Learnt is. '
            "Nothing was asked; every other command works without it."
        ) from error


def session_with(home: DomainHome, connection: "Connection", seconds: float) -> "Session":
    """A session with the kept password."""
    at = connection.address
    password = None if at.dialect == "sqlite" else home.passwords(PASSWORDS).read(connection.name)
    return begun(at, password, Limits(seconds=seconds))


def warned(connection: "Connection") -> None:
    """Say on standard error what the account could do besides reading, and who may read along."""
    from learnt.domains.database.servers.rights import warning

    if said := warning(connection):
        click.secho(plain(said), fg="yellow", err=True)
    if connection.in_the_open:
        more = "?ssl_mode=required" if connection.address.dialect == "mysql" else "?sslmode=require"
        click.secho(
            f"What goes to {connection.address.place} and back is not encrypted: whoever is "
            f"between can read it. The URL may ask for it ({more}).",
            fg="yellow",
            err=True,
        )
