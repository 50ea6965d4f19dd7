"""`db structure` and `db index`: what a database holds, from the server or as it was seen."""

from typing import TYPE_CHECKING

import click

from learnt.bootstrap import domain_home
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands.session import NAME, TIMEOUT, extra, session_with
from learnt.errors import UsageError
from learnt.surfaces.cli.context import HOME, JSON, caller, plain, print_json

if TYPE_CHECKING:
    from learnt.domains.database.schema.looking import Looked, Place
    from learnt.domains.database.servers.connections import Connection

OFFLINE = click.option("--offline", is_flag=True, help="What was kept, of any age; ask no server.")
FRESH = click.option("--fresh", is_flag=True, help="Ask the server, whatever is kept.")


def place(home: DomainHome, seconds: float) -> "Place":
    """Where structure is kept, and how its server is reached."""
    from learnt.domains.database.schema.looking import Place

    return Place(home=home, begin=lambda connection: session_with(home, connection, seconds))


def _named(home: DomainHome, name: str, *, offline: bool, fresh: bool) -> "Connection":
    from learnt.domains.database.servers.connections import named

    if offline and fresh:
        raise UsageError("Either --offline or --fresh, not both. Nothing was asked.")
    return named(home, name)


@click.command()
@NAME
@click.option(
    "--tables", default="", metavar="A,B", help="These alone; a name as `index` shows it."
)
@OFFLINE
@FRESH
@TIMEOUT
@JSON
@HOME
def structure(
    name: str,
    tables: str,
    timeout: float,
    *,
    offline: bool,
    fresh: bool,
    as_json: bool,
    home: str | None,
) -> int:
    """Tables with their columns, keys and indexes, views and routines with their definitions.

    What was seen within the hour comes from what is kept, with its age; else the server is asked.
    A name that nothing has is exit 1.
    """
    kept = domain_home(caller(home).settings)
    connection = _named(kept, name, offline=offline, fresh=fresh)
    asked = [one for word in tables.split(",") if (one := word.strip())] if tables else None
    with extra():
        from learnt.domains.database.schema.looking import structure as look

        looked = look(place(kept, timeout), connection, asked, offline=offline, fresh=fresh)
    if as_json:
        print_json({
            "objects": list(looked.objects),
            "missing": list(looked.missing),
            "age_seconds": looked.seen.seconds if looked.seen else 0,
        })
    else:
        from learnt.domains.database.schema.objects import lines

        for told in looked.objects:
            click.echo(plain("\n".join(lines(told))))
        none = "nothing of it is kept" if offline else "there is no such table, view or routine"
        for gone in looked.missing:
            click.secho(f"{plain(gone)}: {none}", fg="yellow")
        _say_age(looked)
    _say_unkept(looked)
    return 1 if looked.missing else 0


@click.command()
@NAME
@OFFLINE
@FRESH
@TIMEOUT
@JSON
@HOME
def index(
    name: str, timeout: float, *, offline: bool, fresh: bool, as_json: bool, home: str | None
) -> int:
    """All tables, views and routines by name."""
    kept = domain_home(caller(home).settings)
    connection = _named(kept, name, offline=offline, fresh=fresh)
    with extra():
        from learnt.domains.database.schema.looking import objects

        looked = objects(place(kept, timeout), connection, offline=offline, fresh=fresh)
    if as_json:
        print_json({
            "objects": list(looked.objects),
            "age_seconds": looked.seen.seconds if looked.seen else 0,
        })
    else:
        for one in looked.objects:
            click.echo(plain(f"{one['kind']}  {one['name']}"))
        _say_age(looked)
    _say_unkept(looked)
    return 0


def _say_unkept(looked: "Looked") -> None:
    if looked.unkept:
        said = f"Shown is what the server says; it could not be kept. {looked.unkept}"
        click.secho(plain(said), fg="yellow", err=True)


def _say_age(looked: "Looked") -> None:
    if looked.moved:
        click.secho(
            "Another server or database answers under this name than before; what was kept of the "
            "other is not used.",
            fg="yellow",
            err=True,
        )
    if looked.seen is not None:
        click.echo(f"As seen {looked.seen.age} ago; --fresh asks the server.", err=True)
