"""`init`, `uninstall`: Learnt and the agent, put together and apart."""

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import click
from msgspec.structs import replace

from learnt.core.records import APART, Record
from learnt.errors import EnvironmentTrouble, Refused, UsageError
from learnt.formats.agents import hook_settings, mcp_settings
from learnt.formats.agents.dialects import BY_NAME, CLAUDE_CODE, Dialect, dialect_of
from learnt.stores import hook_files
from learnt.stores.atomic import write_atomically
from learnt.stores.home_folder import prepare
from learnt.stores.plain_files import bytes_of
from learnt.stores.text_files import DiskTextFile
from learnt.surfaces import agent_files, registering, worker_client
from learnt.surfaces.cli.context import YES, Call, command, plain, plain_path
from learnt.surfaces.registering import Registration


class Registered(Record):
    """An agent's settings file that calls Learnt.

    `backup` is where the settings are as they were before; `refused` why nothing was changed;
    `todo` what is left for a person to do; `server` what became of Learnt's MCP server there.
    """

    agent: str
    file: str
    changed: bool
    backup: str | None = None
    refused: str = ""
    todo: str = ""
    server: registering.Served | None = None
    after: Annotated[str, APART] = ""  # the text of the settings then


class SetUp(Record):
    """Agents that call Learnt, and the files beside their settings.

    `companions` are the files that were missing, `kept` those that are not Learnt's to change.
    """

    agents: tuple[Registered, ...]
    dry_run: bool
    companions: list[str]
    kept: list[str]


@command(answers=SetUp, project=True)
@click.option(
    "--agent",
    "names",
    type=click.Choice(list(BY_NAME)),
    multiple=True,
    help="May be given several times; without it those that are found, asked about on a terminal.",
)
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="All your projects, or this one alone.",
)
@click.option("--shared", is_flag=True, help="With --scope project: the entry your team shares.")
@click.option(
    "--allow-tools",
    is_flag=True,
    help=f"Your agents may use Learnt's {', '.join(mcp_settings.TOOLS)} without asking you.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@YES
def init(
    call: Call,
    names: tuple[str, ...],
    scope: str,
    *,
    shared: bool,
    allow_tools: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Have your agents call Learnt: its hooks go into their settings, with a backup.

    They get its MCP server as well, in your own settings alone.

    Safe to repeat. `learnt uninstall` takes out exactly what this put in. All of them share one
    memory.
    """
    if shared and scope != "project":
        raise UsageError("--shared goes with --scope project.")
    within = call.project if scope == "project" else None
    agents = [BY_NAME[name] for name in dict.fromkeys(names)] or _chosen(call, yes=yes or dry_run)
    if within is not None and not shared:
        only_shared = [agent.title for agent in agents if not agent.own]
        if only_shared and (names or len(only_shared) == len(agents)):
            raise UsageError(
                f"{' and '.join(only_shared)}: its settings of a project are its team's. Add "
                "--shared, or leave out --scope project. Nothing was changed."
            )
        agents = [agent for agent in agents if agent.own]
    if within is None and not (allow_tools or yes or dry_run):
        allow_tools = _allows(call, agents)
    registered = list[Registered]()
    how = {"shared": shared, "allow": allow_tools, "dry_run": dry_run}
    for agent in agents:
        try:
            registered.append(_register(call, agent, within, **how))
        except (Refused, EnvironmentTrouble) as error:
            if len(agents) == 1:
                raise
            file = str(agent_files.settings_file(agent, within, shared=shared))
            registered.append(Registered(agent.name, file, changed=False, refused=str(error)))
    called = [agent for agent, row in zip(agents, registered, strict=True) if not row.refused]
    wanted = registering.beside_settings(called, within, shared=shared)
    due = registering.due(call.home, wanted)
    kept = registering.put(call.home, wanted) if called and not dry_run else []
    answer = SetUp(agents=tuple(registered), dry_run=dry_run, companions=due, kept=kept)
    code = int(any(row.refused for row in registered))
    say = partial(_say_set_up, home=call.home, at_files=call.who.settings.at_files)
    return call.answer(answer, say, code)


def _chosen(call: Call, *, yes: bool) -> list[Dialect]:
    """The agents that are found, as far as their user wants; Claude Code where none is."""
    found = agent_files.found()
    if not found:
        said = "No agent is found here: this is for Claude Code; --agent names another."
        click.echo(said, err=True)
        return [CLAUDE_CODE]
    if yes or not call.who.interactive or len(found) == 1:
        return found
    asked = "{} is here. Have it call Learnt?"
    return [
        agent
        for agent in found
        if click.confirm(asked.format(agent.title), default=True, err=call.as_json)
    ]


def _allows(call: Call, agents: list[Dialect]) -> bool:
    """Whether agents may use three tools without asking: the person is asked, once for all."""
    earlier = next(
        (row for row in registering.record_of(call.home) if row.file == registering.ASKED), None
    )
    able = [agent.title for agent in agents if agent.tool]
    if earlier is not None or not able or not call.who.interactive:
        return earlier is not None and earlier.written == "yes"
    asked = (
        f"May {', '.join(able)} use Learnt's tools {', '.join(mcp_settings.TOOLS)} without asking "
        "you each time? They look things up, keep your words and compare notes; none decides "
        "anything."
    )
    said = "yes" if click.confirm(asked, default=False, err=call.as_json) else "no"
    prepare(call.home)
    row = Registration(file=registering.ASKED, created=False, written=said, kind="asked")
    registering.keep_record(call.home, [row])
    return said == "yes"


def _register(
    call: Call, agent: Dialect, within: Path | None, *, shared: bool, allow: bool, dry_run: bool
) -> Registered:
    """Register with one agent, in one of its settings files."""
    home = call.home
    path = agent_files.settings_file(agent, within, shared=shared)
    file = DiskTextFile(path, home / "backups")
    row = Registered(agent=agent.name, file=str(path), changed=False, todo=agent.todo)
    command = partial(hook_settings.command, hook_files.interpreter(), str(home))
    edit = registering.plan(
        file,
        agent,
        hook_settings.is_shared if shared else hook_settings.belongs_to(str(home)),
        hook_settings.shared_command if shared else command,
        at_files=call.who.settings.at_files,
    )
    if not dry_run:
        prepare(home)
        hook_files.set_up(home)
        registering.carry_out(home, file, edit, agent)
    off, mend = agent_files.hooks_off(agent, within or call.project)
    if off:
        row = replace(row, todo=f"{agent.title} runs no hooks: {off}. {mend} {agent.todo}".rstrip())
    row = replace(row, changed=edit.changes, after=edit.after)
    if edit.changes and edit.before is not None and not dry_run:
        backup = home / "backups" / file.keep_backup(edit.before)
        row = replace(row, backup=str(backup))
    if within is None:  # a project's settings name no server of one user's
        row = replace(row, server=registering.serve(home, agent, allow=allow, dry_run=dry_run))
    return row


def _say_registered(row: Registered, *, dry_run: bool) -> None:
    file, title = plain_path(row.file), BY_NAME[row.agent].title
    if row.refused:
        click.echo(f"Not registered with {title}: {plain(row.refused)}", err=True)
        return
    if dry_run:
        click.echo(f"Would {'change' if row.changed else 'leave'} {file}:")
        click.echo(plain(row.after) if row.changed else "  every hook is there already.")
    else:
        did = "Registered with" if row.changed else "Already registered with"
        click.echo(f"{did} {title} in {file}.")
    if row.backup:
        click.echo(f"As they were before, the settings are kept in {plain_path(row.backup)}.")
    if row.todo:
        click.echo(f"  {plain(row.todo)}")
    if row.server is not None:
        _say_served(row.server, title, dry_run=dry_run)


def _say_served(served: registering.Served, title: str, *, dry_run: bool) -> None:
    file = plain_path(served.file)
    said = {
        "registered": f"{'Would register' if dry_run else 'Registered'} the MCP server in {file}.",
        "there": f"The MCP server is registered in {file}.",
        "another's": f"{file} has a server `learnt` that `init` did not write. It was left alone.",
        "plugged": f"The MCP server comes with {title}'s plug-in.",
        "refused": f"The MCP server is not registered: {plain(served.why)}",
    }
    click.echo(said[served.how], err=served.how == "refused")
    if served.allowed:
        may = "would be" if dry_run else "is"
        click.echo(f"{title} {may} allowed without asking: {', '.join(served.allowed)}.")


def _say_set_up(answer: SetUp, home: Path, *, at_files: bool) -> None:
    for row in answer.agents:
        _say_registered(row, dry_run=answer.dry_run)
    for path in answer.companions:
        click.echo(f"{'Would write' if answer.dry_run else 'Added'} {plain_path(path)}.")
    if answer.dry_run:
        return
    for path in answer.kept:
        click.echo(f"Left as it is, since it is not Learnt's or was edited: {plain_path(path)}")
    if not answer.agents:
        click.echo("No agent was chosen. Nothing was changed.")
    elif not all(row.refused for row in answer.agents):
        click.echo(f"Learnt's home is {plain_path(home)}. `learnt doctor` tries it out.")
        if not at_files:
            click.echo(
                "Optional: `learnt config at_files on` shows notes when the agent opens a file."
            )


class Unregistered(Record):
    """What was taken out of the agents: settings files and companions, but for `edited` ones.

    `kept` is the home, with all that was learnt.
    """

    files: list[str]
    companions: list[str]
    edited: list[str]
    hook_removed: bool
    kept: str


@command(answers=Unregistered, project=True)
def uninstall(call: Call) -> int:
    """Take Learnt out of the agents' settings: exactly what `init` put in.

    What is remembered stays in the home, and is named.
    """
    home = call.home
    rows = registering.record_of(home)
    edited = {row.file: row for row in rows if row.kind in {"settings", "server"}}
    changed, refusals = [], []
    for path, agent in _holding(edited.values(), call.project, home):
        file, row = DiskTextFile(Path(path), home / "backups"), edited.get(path)
        try:
            if registering.unregister(home, file, agent, row):
                changed.append(path)
        except (Refused, EnvironmentTrouble) as error:
            refusals.append(error)
    if refusals:
        # The hook stays for what still calls it; what is out is out.
        if left := [row for row in rows if row.file not in changed]:
            write_atomically(home / registering.RECORD, registering.record(left))
        if len(refusals) == 1 and not changed:
            raise refusals[0]
        others = f" Taken out of {', '.join(changed)}." if changed else ""
        raise Refused(f"{' '.join(map(str, refusals))}{others}")
    gone, kept = registering.take_out(rows)
    worker_client.stop(home)
    removed = hook_files.remove(home)
    (home / registering.RECORD).unlink(missing_ok=True)
    unregistered = Unregistered(
        files=changed, companions=gone, edited=kept, hook_removed=removed, kept=str(home)
    )
    return call.answer(unregistered, _say_unregistered)


def _holding(rows: Iterable[Registration], project: Path, home: Path) -> list[tuple[str, Dialect]]:
    """The files that may name Learnt: those on record, and where `init` would write."""
    held = {row.file: dialect_of(row.agent) for row in rows}
    for agent in BY_NAME.values():
        files = [agent_files.settings_file(agent, None, shared=False)]
        files += [agent_files.settings_file(agent, project, shared=False)] if agent.own else []
        for file in files:
            # Settings of an agent that never had Learnt are not even read for sense.
            if agent is CLAUDE_CODE or hook_settings.MARK in (bytes_of(file, 1 << 24) or b""):
                held.setdefault(str(file), agent)
        file = agent_files.servers_file(agent)
        if os.fsencode(home) in (bytes_of(file, 1 << 24) or b""):
            held.setdefault(str(file), agent)
    return list(held.items())


def _say_unregistered(answer: Unregistered) -> None:
    for path in answer.files:
        click.echo(f"Taken out of {plain_path(path)}.")
    for path in answer.companions:
        click.echo(f"Removed {plain_path(path)}.")
    for path in answer.edited:
        click.echo(f"Kept, since it was edited: {plain_path(path)}")
    if not answer.files:
        click.echo("No settings file held a hook of this home.")
    if Path(answer.kept).exists():
        click.echo(
            f"What was learnt stays in {plain_path(answer.kept)}; delete that folder to forget it."
        )
