"""`db setup`: a database by a name, tried before it is kept."""

import shlex
import sys
from typing import TYPE_CHECKING

import click

from learnt.bootstrap import domain_home
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands.beginning import begin
from learnt.domains.database.commands.session import PASSWORDS, TIMEOUT, extra, warned
from learnt.errors import Conflict, UsageError
from learnt.surfaces.cli.context import (
    HOME,
    YES,
    Caller,
    caller,
    confirm,
    plain,
)

if TYPE_CHECKING:
    from learnt.domains.database.servers.addresses import Address
    from learnt.domains.database.servers.connections import Connection

_PORTS = {"mysql": 3306, "postgresql": 5432}


@click.command()
@click.option("--name", default="", metavar="NAME", help="What to call it.")
@click.option("--url", default="", metavar="URL", help="Where it is, without a password.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@TIMEOUT
@YES
@HOME
def setup(
    name: str, url: str, timeout: float, *, password_stdin: bool, yes: bool, home: str | None
) -> int:
    """Name a database, try it, and keep how it is reached. On a terminal it asks for all it needs.

    \b
    URLs: mysql://user@host:3306/database   (MariaDB, too; ?ssl_mode=required, ?ssl_ca=FILE,
                                           ?unix_socket=FILE)
          postgresql://user@host/database   (?sslmode=require, ?sslrootcert=FILE)
          sqlite:////the/whole/path.db

    The password is asked for without being shown, or read with --password-stdin, and kept in the
    system's keyring if there is one, else in a file of mode 0600. Nothing is kept of a database
    that can't be reached.

    Then knowledge begins: the home's ledger is made, the domain `database` enabled in its
    config.toml, and the structure looked at once. What is there already stays as it is.
    """
    from learnt.domains.database.servers.addresses import address
    from learnt.domains.database.servers.connections import checked_name, known

    who = caller(home)
    if not (name and url) and not who.interactive:
        raise UsageError("Without a terminal it takes --name and --url. Nothing was kept.")
    name = checked_name(name or click.prompt("Name of the database"))
    at = address(url or _asked_url())
    kept = domain_home(who.settings, make=True)
    before = known(kept, name)
    if before is not None and before.address != at:
        question = f"{name} is {before.address.url} now. Replace it?"
        if not confirm(plain(question), who, yes=yes):
            raise Conflict(f"{name} stays {before.address.url}. To replace it: --yes.")
    same = before is not None and before.address == at
    password = _password(kept, who, at, name if same else "", from_input=password_stdin)
    with extra():
        found = _tried(name, at, password, timeout)
    is_new = _keep(kept, found, password)
    if not begin(who, kept, found, timeout) | is_new:
        click.echo(plain(f"{name} is set up already, as it was."))
    else:
        _say_next(who, name)
    warned(found)
    return 0


def _asked_url() -> str:
    kind = click.prompt("Server", type=click.Choice(["mysql", "postgresql", "sqlite"]))
    if kind == "sqlite":
        from pathlib import Path
        from urllib.parse import quote

        file = Path(click.prompt("File")).expanduser().resolve()
        return f"sqlite:///{quote(str(file))}"
    from urllib.parse import quote

    host = click.prompt("Host", default="localhost")
    port = click.prompt("Port", default=_PORTS[kind], type=click.IntRange(1, 65_535))
    user = click.prompt("User")
    database = click.prompt("Database")
    return f"{kind}://{quote(user, safe='')}@{host}:{port}/{quote(database, safe='')}"


def _password(
    home: DomainHome, who: Caller, at: "Address", before: str, *, from_input: bool
) -> str | None:
    if at.dialect == "sqlite":
        return None
    if from_input:
        return sys.stdin.readline().rstrip("\r\n") or None
    found = home.passwords(PASSWORDS).read(before) if before else None
    if found is not None or not who.interactive:
        return found
    said = click.prompt("Password (empty: none)", hide_input=True, default="", show_default=False)
    return str(said) or None


def _tried(name: str, at: "Address", password: str | None, seconds: float) -> "Connection":
    from learnt.domains import enabling  # noqa: F401  # is tried before anything is kept
    from learnt.domains.database.schema import structure  # noqa: F401  # all of the extra
    from learnt.domains.database.servers.addresses import in_the_open
    from learnt.domains.database.servers.connections import Connection
    from learnt.domains.database.servers.sessions import Limits, begun

    session = begun(at, password, Limits(seconds=seconds))
    try:
        return Connection(
            name=name,
            address=at,
            identity=session.identity(),
            could_write=session.could_write(),
            in_the_open=in_the_open(at, encrypted=session.encrypted()),
        )
    finally:
        session.close()


def _keep(home: DomainHome, found: "Connection", password: str | None) -> bool:
    """Keep how it is reached, and say so; whether that was anything new."""
    from learnt.domains.database.servers.connections import keep, known

    before, passwords = known(home, found.name), home.passwords(PASSWORDS)
    where = ""
    if password is None:
        passwords.remove(found.name)
    elif passwords.read(found.name) != password:
        where = passwords.write(found.name, password)
    version = found.identity.get("version", "")
    click.echo(plain(f"{found.address.place} answers{f' ({version})' if version else ''}."))
    if before == found and not where:
        return False
    click.echo(plain(f"Kept as {found.name} in {keep(home, found)}, no password in it."))
    if where:
        click.echo(plain(f"The password is in {where}."))
    return True


def _say_next(who: Caller, name: str) -> None:
    from importlib import resources

    from learnt.domains.database.domain import SKILL

    click.echo(plain(f'Try: learnt db query --name {shlex.quote(name)} --sql "SELECT 1"'))
    if not (who.home / "installed.json").is_file():
        click.echo("Claude Code is told what is known of it after `learnt init`.")
    skill = resources.files(SKILL.package) / SKILL.folder
    click.echo(plain(f"An agent investigates it by the skill {SKILL.name}: npx skills add {skill}"))
