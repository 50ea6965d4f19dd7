"""`db structure` and `db index`: what a database holds, from the server or as it was seen."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from learnt.bootstrap import domain_home
from learnt.core.records import Record
from learnt.domains.database.commands.group import NAME, TIMEOUT, extra, structure_source, warn
from learnt.domains.database.schema.objects import ObjectName, Routine, TableOrView, Trigger, lines
from learnt.errors import UsageError
from learnt.formats.answers import filled
from learnt.surfaces.cli.context import Call, command, plain

if TYPE_CHECKING:
    from learnt.domains.database.schema.cache import Looked
    from learnt.domains.database.schema.looking import StructureSource, Take

A = TypeVar("A")
OFFLINE = click.option("--offline", is_flag=True, help="What was kept, of any age; ask no server.")
FRESH = click.option("--fresh", is_flag=True, help="Ask the server, whatever is kept.")


class Structure(Record):
    """Objects of a database; the names that nothing has; the age of what was kept, else 0."""

    objects: tuple[TableOrView | Routine | Trigger, ...]
    missing: tuple[str, ...]
    age_seconds: int


class ObjectIndex(Record):
    """All objects of a database by name; the age of what was kept, else 0."""

    objects: tuple[ObjectName, ...]
    age_seconds: int


@command(answers=Structure)
@NAME
@click.option(
    "--tables", default="", metavar="A,B", help="These alone; a name as `index` shows it."
)
@OFFLINE
@FRESH
@TIMEOUT
def structure(
    call: Call, name: str, tables: str, timeout: float, *, offline: bool, fresh: bool
) -> int:
    """Tables with columns, keys and indexes; views, routines and triggers with their definitions.

    What was seen within the hour comes from what is kept, with its age; else the server is asked.
    A name that nothing has is exit 1.
    """
    source, take = _source(call, name, timeout, offline=offline, fresh=fresh)
    asked = list(filter(None, map(str.strip, tables.split(",")))) if tables else None
    with extra():
        from learnt.domains.database.schema.looking import structure as look

        looked = look(source, asked, take)

    def say(shown: Structure) -> None:
        for described in shown.objects:
            click.echo(plain("\n".join(lines(described))))
        none = "there is no such table, view, routine or trigger"
        none = "nothing of it is kept" if offline else none
        for gone in shown.missing:
            click.secho(f"{plain(gone)}: {none}", fg="yellow")

    return _answer(call, looked, filled(Structure, looked), say, 1 if looked.missing else 0)


@command(answers=ObjectIndex)
@NAME
@OFFLINE
@FRESH
@TIMEOUT
def index(call: Call, name: str, timeout: float, *, offline: bool, fresh: bool) -> int:
    """All tables, views, routines and triggers by name."""
    source, take = _source(call, name, timeout, offline=offline, fresh=fresh)
    with extra():
        from learnt.domains.database.schema.looking import objects

        looked = objects(source, take)

    def say(shown: ObjectIndex) -> None:
        for listed in shown.objects:
            click.echo(plain(f"{listed.kind}  {listed.name}"))

    return _answer(call, looked, filled(ObjectIndex, looked), say)


def _source(
    call: Call, name: str, seconds: float, *, offline: bool, fresh: bool
) -> "tuple[StructureSource, Take]":
    from learnt.domains.database.servers.connections import named

    if offline and fresh:
        raise UsageError("Either --offline or --fresh, not both. Nothing was asked.")
    home = domain_home(call.who.settings)
    source = structure_source(home, named(home, name), seconds)
    return source, "any" if offline else "none" if fresh else "young"


def _answer(
    call: Call, looked: "Looked[Any]", answer: A, say: Callable[[A], None], code: int = 0
) -> int:
    """Print an answer, and what a person should know of how old it is and where it is from."""

    def say_all(shown: A) -> None:
        say(shown)
        if looked.moved:
            warn(
                "Another server or database answers under this name than before; what was kept of "
                "the other is not used."
            )
        if looked.seconds is not None:
            click.echo(f"As seen {looked.age} ago; --fresh asks the server.", err=True)

    call.answer(answer, say_all)
    if looked.unkept:
        warn(f"Shown is what the server says; it could not be kept. {looked.unkept}")
    return code
