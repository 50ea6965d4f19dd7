"""`init`, `uninstall`, `doctor`, `completion`: Learnt and the agent, put together and apart."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from learnt.errors import UsageError
from learnt.flows.setup import companions
from learnt.flows.setup.register import (
    Edit,
    Registration,
    plan,
    record,
    recorded,
    register,
    unregister,
)
from learnt.formats.agents import claude_companions, claude_settings
from learnt.settings import without_config
from learnt.stores import hook_files
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.home_folder import prepare
from learnt.stores.plain_files import whole
from learnt.stores.sqlite_schema import set_aside
from learnt.stores.text_files import DiskShelf, DiskTextFile
from learnt.surfaces import agent_files, worker_client
from learnt.surfaces.cli.columns import padded
from learnt.surfaces.cli.context import Call, command, plain, plain_path, settings_of
from learnt.surfaces.model_probes import Probe
from learnt.surfaces.probes import probes

_RECORD = "installed.json"


def _record_of(home: Path) -> list[Registration]:
    path = home / _RECORD
    with explained(path, "read"):
        return recorded(whole(path).decode("utf-8") if path.exists() else None)


class Registered(NamedTuple):
    """The agent's settings file that calls Learnt, and the files beside it.

    `companions` are the files that were missing, `kept` those that are not Learnt's to change;
    `backup` is where the settings are as they were before.
    """

    file: str
    changed: bool
    dry_run: bool
    companions: list[str]
    kept: list[str]
    backup: str | None = None


@command(answers=Registered, project=True)
@click.option("--agent", type=click.Choice(agent_files.AGENTS), default="claude", show_default=True)
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="All your projects, or this one alone.",
)
@click.option("--shared", is_flag=True, help="With --scope project: the entry your team shares.")
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
def init(call: Call, agent: str, scope: str, *, shared: bool, dry_run: bool) -> int:
    """Have your agent call Learnt: its hooks go into the agent's settings, with a backup.

    Safe to repeat. `learnt uninstall` takes out exactly what this put in.
    """
    home = call.home
    if shared and scope != "project":
        raise UsageError("--shared goes with --scope project.")
    within = call.project if scope == "project" else None
    path = agent_files.user_settings()
    if within is not None:
        path = agent_files.project_settings(within, shared=shared)
    file = DiskTextFile(path, home / "backups")
    commands, at_files = _commands(home, shared=shared), call.who.settings.at_files
    edit = plan(file, *commands, at_files=at_files)
    wanted = _companions(within, shared=shared)
    due = companions.due(DiskShelf(), wanted, _record_of(home))
    kept = [] if dry_run else _install(home, file, edit, wanted)
    registered = Registered(
        file=str(path), changed=edit.changes, dry_run=dry_run, companions=due, kept=kept
    )
    if edit.changes and edit.before is not None and not dry_run:
        backup = home / "backups" / file.keep_backup(edit.before)
        registered = registered._replace(backup=str(backup))
    return call.answer(registered, lambda answer: _say_registered(answer, edit.after, home))


def _say_registered(answer: Registered, after: str, home: Path) -> None:
    if answer.dry_run:
        click.echo(f"Would {'change' if answer.changed else 'leave'} {plain_path(answer.file)}:")
        click.echo(plain(after) if answer.changed else "  every hook is there already.")
        for path in answer.companions:
            click.echo(f"Would write {plain_path(path)}.")
        return
    did = "Registered with" if answer.changed else "Already registered with"
    click.echo(f"{did} Claude Code in {plain_path(answer.file)}.")
    if answer.backup:
        click.echo(f"As they were before, the settings are kept in {plain_path(answer.backup)}.")
    for path in answer.companions:
        click.echo(f"Added {plain_path(path)}.")
    for path in answer.kept:
        click.echo(f"Left as it is, since it is not Learnt's or was edited: {plain_path(path)}")
    click.echo(f"Learnt's home is {plain_path(home)}. `learnt doctor` tries it out.")


def _companions(project: Path | None, *, shared: bool) -> list[companions.Companion]:
    """The commands, the subagent and the skills; in what a team shares no path of this machine."""
    # The folders of an agent that `init` just began to use: it has them from now on.
    script = Path(sys.executable).with_name("learnt")
    program = "learnt" if shared or not script.is_file() else str(script)
    learnt = shlex.quote(program)
    folder = agent_files.command_folder(project)
    own = agent_files.user_folder() if project is None else project / ".claude"
    wanted = [
        companions.Companion(path=str(folder / name), text=text)
        for name, text in claude_companions.commands(learnt).items()
    ]
    for name, text in claude_companions.agents(learnt).items():
        wanted.append(companions.Companion(path=str(own / "agents" / name), text=text))
    for name, text in claude_companions.skills(learnt).items():
        folder = agent_files.canonical_root(project) / "skills" / name
        link = str(own / "skills" / name)
        wanted.append(companions.Companion(path=str(folder / "SKILL.md"), text=text))
        wanted.append(companions.Companion(path=link, to=str(folder)))
    return wanted


Commands = tuple[Callable[[str], bool], Callable[[str], str]]


def _commands(home: Path, *, shared: bool) -> Commands:
    """Which hooks are ours, and the command of one for an event."""
    if shared:
        return claude_settings.is_shared, claude_settings.shared_command
    python = hook_files.interpreter()
    return (
        claude_settings.belongs_to(str(home)),
        lambda event: claude_settings.command(python, str(home), event),
    )


def _install(
    home: Path, file: DiskTextFile, edit: Edit, wanted: list[companions.Companion]
) -> list[str]:
    """Put hooks, settings and companions in place; the files that were left as they are."""
    prepare(home)
    hook_files.install(home)
    launcher = claude_settings.launcher(hook_files.interpreter(), str(home))
    hook_files.install_launcher(home, launcher)
    rows = _record_of(home)
    earlier = next((row for row in rows if row.file == file.name), None)
    registration = register(file, edit, earlier)
    if registration is not None:
        rows.append(registration)
        write_atomically(home / _RECORD, record(rows))
    done, kept = companions.put(DiskShelf(), wanted, rows)
    if done:
        write_atomically(home / _RECORD, record([*rows, *done]))
    return kept


class Unregistered(NamedTuple):
    """What was taken out of the agent: settings files and companions, but for `edited` ones.

    `kept` is the home, with all that was learnt.
    """

    files: list[str]
    companions: list[str]
    edited: list[str]
    hook_removed: bool
    kept: str


@command(answers=Unregistered, project=True)
def uninstall(call: Call) -> int:
    """Take Learnt out of the agent's settings: exactly what `init` put in.

    What is remembered stays in the home, and is named.
    """
    home = call.home
    rows = _record_of(home)
    edited = {row.file: row for row in rows if row.kind == "settings"}
    paths = [
        *edited,
        str(agent_files.user_settings()),
        str(agent_files.project_settings(call.project, shared=False)),
    ]
    belongs = claude_settings.belongs_to(str(home))

    def belongs_or_shared(command: str) -> bool:
        return belongs(command) or claude_settings.is_shared(command)

    changed = []
    for path in dict.fromkeys(paths):
        shared = path in edited and Path(path).name == "settings.json"
        ours = belongs_or_shared if shared else belongs
        if unregister(DiskTextFile(Path(path), home / "backups"), edited.get(path), ours):
            changed.append(path)
    gone, kept = companions.take_out(DiskShelf(), rows)
    worker_client.stop(home)
    removed = hook_files.remove(home)
    (home / _RECORD).unlink(missing_ok=True)
    unregistered = Unregistered(
        files=changed, companions=gone, edited=kept, hook_removed=removed, kept=str(home)
    )
    return call.answer(unregistered, _say_unregistered)


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


class Checked(NamedTuple):
    """What was tried on this machine."""

    probes: tuple[Probe, ...]


@command(answers=Checked, project=True)
@click.option("--set-aside", "aside", is_flag=True, help="Move a damaged ledger out of the way.")
@click.option("--ask-model", is_flag=True, help="Ask the model that is set: it may cost money.")
def doctor(call: Call, *, aside: bool, ask_model: bool) -> int:
    """Try every part on this machine, and say what to do about what fails.

    Exit code 1 where anything is a problem.
    """
    tried = []
    try:
        settings = call.who.settings
    except UsageError as error:
        settings = settings_of(call.home_option, without_config)
        todo = "Until then no command runs; a worker that does goes on with what it had."
        tried.append(Probe("settings", "problem", str(error), todo))
    if aside:
        worker_client.stop(settings.home)
        click.echo(set_aside(settings.home))
    tried += probes(settings, call.project, ask_model=ask_model)
    code = int(any(probe.level == "problem" for probe in tried))
    return call.answer(Checked(probes=tuple(tried)), _say_checked, code)


_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def _say_checked(checked: Checked) -> None:
    for probe in checked.probes:
        mark, colour = _MARKS[probe.level]
        name = padded(plain(probe.name), 13)
        click.echo(f"{click.style(mark, fg=colour)} {name} {plain(probe.said)}")
        if probe.todo and probe.level != "ok":
            click.echo(f"  {' ' * 13} → {plain(probe.todo)}")


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the completion script of a shell, to be sourced from its start-up file."""
    completing = get_completion_class(shell)
    assert completing is not None
    root = click.get_current_context().find_root().command
    click.echo(completing(root, {}, "learnt", "_LEARNT_COMPLETE").source())
    return 0
