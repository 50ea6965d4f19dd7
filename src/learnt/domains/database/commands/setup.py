"""`db setup`, `list` and `remove`: a database tried and kept by a name, and forgotten."""

import shlex
import sys
from contextlib import closing
from importlib import resources
from pathlib import Path
from urllib.parse import quote

import click

from learnt.bootstrap import begun as home_begun
from learnt.bootstrap import domain_home, opened, settings_file
from learnt.core.records import Record
from learnt.domain_ports import DomainHome
from learnt.domains.database.commands import group
from learnt.domains.database.domain import NAME, SKILL
from learnt.domains.database.schema.cache import Cache, first_look, source_of
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection, DbAddress, Limits, begun
from learnt.errors import Conflict, EnvironmentTrouble, LearntError, Refused, UsageError
from learnt.formats.config_toml import with_setting
from learnt.surfaces.cli.context import YES, Call, Caller, command, confirm, plain
from learnt.surfaces.cli.screen import table

_SERVERS = ("mysql", "postgresql", "sqlite")


@command()
@click.option("--name", default="", metavar="NAME", help="What to call it.")
@click.option("--url", default="", metavar="URL", help="Where it is, without a password.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@group.TIMEOUT
@YES
def setup(
    call: Call, name: str, url: str, timeout: float, *, password_stdin: bool, yes: bool
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
    who = call.who
    if not (name and url) and not who.interactive:
        raise UsageError("Without a terminal it takes --name and --url. Nothing was kept.")
    name = connections.checked_name(name or click.prompt("Name of the database"))
    at = connections.address(url or _prompted_url())
    home = domain_home(who.settings, make=True)
    before = connections.kept_connection(home, name)
    if before is not None and before.address != at:
        question = f"{name} is {before.address.url} now. Replace it?"
        if not confirm(plain(question), who, yes=yes):
            raise Conflict(f"{name} stays {before.address.url}. To replace it: --yes.")
    same = before is not None and before.address == at
    password = _password(home, who, at, name if same else "", from_input=password_stdin)
    with group.extra():
        connection = _tried(name, at, password, timeout)
    steps = [
        _keep(home, connection, password),
        _begin_ledger(who),
        _enable_domain(who),
        _look_once(home, connection, timeout),
    ]
    if any(steps):
        click.echo(plain(f'Try: learnt db query --name {shlex.quote(name)} "SELECT 1"'))
        if not (who.settings.home / "installed.json").is_file():
            click.echo("After `learnt init`, Claude Code sees what is known about it.")
        skill = resources.files(SKILL.package) / SKILL.folder
        told = f"An agent investigates it by the skill {SKILL.name}: npx skills add {skill}"
        click.echo(plain(told))
    else:
        click.echo(plain(f"{name} is set up already, as it was."))
    group.warn_of_account(connection)
    return 0


def _prompted_url() -> str:
    kind = click.prompt("Server", type=click.Choice(_SERVERS))
    if kind == "sqlite":
        return f"sqlite:///{quote(str(Path(click.prompt('File')).expanduser().resolve()))}"
    host = click.prompt("Host", default="localhost")
    usual = connections.PORTS["mysql" if kind == "mysql" else "postgres"]
    port = click.prompt("Port", default=usual, type=click.IntRange(1, 65_535))
    user, database = (quote(click.prompt(asked), safe="") for asked in ("User", "Database"))
    return f"{kind}://{user}@{host}:{port}/{database}"


def _password(
    home: DomainHome, who: Caller, at: DbAddress, before: str, *, from_input: bool
) -> str | None:
    if at.dialect == "sqlite":
        return None
    if from_input:
        return sys.stdin.readline().rstrip("\r\n") or None
    kept = home.passwords(connections.PASSWORDS).read(before) if before else None
    if kept is not None or not who.interactive:
        return kept
    typed = click.prompt("Password (empty: none)", hide_input=True, default="", show_default=False)
    return str(typed) or None


def _tried(name: str, at: DbAddress, password: str | None, seconds: float) -> Connection:
    # A part of the extra that is not installed is noticed here, before anything is kept.
    from learnt.domains.database.schema import reflection  # noqa: F401  # needs SQLAlchemy

    with closing(begun(at, password, Limits(seconds=seconds))) as session:
        return Connection(
            name=name,
            address=at,
            identity=session.identity(),
            could_write=session.could_write(),
            in_the_open=connections.in_the_open(at, encrypted=session.encrypted()),
        )


# Each step below says what it does, and gives whether it did anything, or failed to.


def _keep(home: DomainHome, connection: Connection, password: str | None) -> bool:
    name, passwords, where = connection.name, home.passwords(connections.PASSWORDS), ""
    before = connections.kept_connection(home, name)
    if password is None:
        passwords.remove(name)
    elif passwords.read(name) != password:
        where = passwords.write(name, password)
    version = connection.identity.get("version", "")
    click.echo(plain(f"{connection.address.place} answers{f' ({version})' if version else ''}."))
    if before == connection and not where:
        return False
    click.echo(plain(f"Kept as {name} in {connections.keep(home, connection)}, no password in it."))
    if where:
        click.echo(plain(f"The password is in {where}."))
    return True


def _begin_ledger(who: Caller) -> bool:
    if home_begun(who.settings):
        return False
    with opened(who.settings):
        click.echo(plain(f"What is learnt will be kept in {who.settings.home}."))
    return True


def _enable_domain(who: Caller) -> bool:
    """Have config.toml name the domain; where that cannot be done, say the line to a person."""
    file, named = settings_file(who.settings), who.settings.domains
    if NAME in named:
        return False
    try:
        edited = with_setting(file.read() or "", "domains", "enabled", [*named, NAME])
        if isinstance(edited, str):
            file.write(edited)
            click.echo(plain(f"The domain {NAME} is enabled in {file.name}."))
            return True
        why, line = f"{file.name} was left as it is: {edited.why}.", edited.line
    except EnvironmentTrouble as error:
        why, line = str(error), f'enabled = ["{NAME}"]'
    group.warn(f"{why} To enable the domain write into it, below [domains]: {line}")
    return True


def _look_once(home: DomainHome, connection: Connection, seconds: float) -> bool:
    """Look at the structure. The set-up counts without."""
    later = f"learnt db structure --name {shlex.quote(connection.name)} --fresh"
    try:
        with group.extra():
            looked = first_look(source_of(home, connection, seconds))
    except LearntError as error:
        group.warn(
            f"Its structure could not be looked at; {connection.name} is set up all the same. "
            f"{error} Later: {later}"
        )
        return True
    if looked is None:
        return False
    there, described = looked
    shown = f"Its structure is kept; tables, views, routines and triggers: {there}."
    if described < there:
        shown = (
            f"Its tables, views, routines and triggers are kept by name ({there}), and "
            f"the structure of {described} of them. For the others: {later}"
        )
    click.echo(plain(shown))
    return True


class SetUpDatabases(Record):
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
        version, more = each.identity.get("version", ""), group.rights(each.could_write)
        where = f"{each.address.url}{', not encrypted' if each.in_the_open else ''}"
        rows.append((each.name, version, more, where))
    lines = table([[plain(cell) for cell in row] for row in rows])
    none = "No database is set up yet: learnt db setup."
    click.echo("\n".join(map(str.rstrip, lines)) if shown.databases else none)


class RemovedDatabase(Record):
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
