"""What `db setup` begins besides the connection: the ledger, the domain, the kept structure."""

import shlex
from typing import TYPE_CHECKING

import click

from learnt.bootstrap import begun, opened, settings_file
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands.session import extra
from learnt.domains.database.commands.structure import place
from learnt.errors import EnvironmentTrouble, LearntError
from learnt.surfaces.cli.context import Caller, plain

if TYPE_CHECKING:
    from learnt.domains.database.servers.connections import Connection

DOMAIN = "database"


def begin(who: Caller, kept: DomainHome, found: "Connection", seconds: float) -> bool:
    """Begin what is not there yet, and say so; whether anything was done or failed."""
    done = [_ledger(who), _domain(who), _structure(kept, found, seconds)]
    return any(done)


def _ledger(who: Caller) -> bool:
    if begun(who.settings):
        return False
    with opened(who.settings):
        click.echo(plain(f"What is learnt will be kept in {who.home}."))
    return True


def _domain(who: Caller) -> bool:
    """Have config.toml name the domain; where that cannot be done, a person is told the line."""
    from learnt.domains.enabling import enabling

    file = settings_file(who.settings)
    try:
        text = file.read() or ""
        edited = enabling(text, DOMAIN)
        if edited == text:
            return False
        if isinstance(edited, str):
            file.write(edited)
            click.echo(plain(f"The domain {DOMAIN} is enabled in {file.name}."))
            return True
        why = f"{file.name} was left as it is: {edited.why}."
        line = edited.line
    except EnvironmentTrouble as error:
        why, line = str(error), f'enabled = ["{DOMAIN}"]'
    said = f"{why} To enable the domain write into it, below [domains]: {line}"
    click.secho(plain(said), fg="yellow", err=True)
    return True


def _structure(kept: DomainHome, found: "Connection", seconds: float) -> bool:
    """Look at it once. The set-up counts without."""
    later = f"learnt db structure --name {shlex.quote(found.name)} --fresh"
    try:
        with extra():
            from learnt.domains.database.schema.first_look import first_look

            looked = first_look(place(kept, seconds), found)
    except LearntError as error:
        said = f"Its structure could not be looked at; {found.name} is set up all the same. {error}"
        click.secho(plain(f"{said} Later: {later}"), fg="yellow", err=True)
        return True
    if looked is None:
        return False
    if looked.described < looked.there:
        click.echo(
            plain(
                f"Its tables, views and routines are kept by name ({looked.there}), with all that "
                f"is told of {looked.described}. For the others: {later}"
            )
        )
    else:
        click.echo(plain(f"Its structure is kept; tables, views and routines: {looked.there}."))
    return True
