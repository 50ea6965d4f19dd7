"""`init`, `uninstall`, `doctor`, `completion`: Learnt and the agent, put together and apart."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from learnt.errors import UsageError
from learnt.flows.setup import companions, registry
from learnt.flows.setup.register import Registration, plan, register, unregister
from learnt.formats.agents import claude_companions, claude_settings
from learnt.settings import Settings
from learnt.stores import hook_files
from learnt.stores.atomic import write_atomically
from learnt.stores.home_folder import prepare
from learnt.stores.sqlite_schema import set_aside
from learnt.stores.text_files import DiskShelf, DiskTextFile
from learnt.surfaces import agent_files, worker_client
from learnt.surfaces.cli.call import Call, command
from learnt.surfaces.cli.columns import padded
from learnt.surfaces.cli.context import bare_settings, plain
from learnt.surfaces.probes import Probe, probes

_RECORD = "installed.json"


def _record_of(home: Path) -> list[Registration]:
    path = home / _RECORD
    return registry.parse(path.read_text("utf-8") if path.exists() else None)


def _settings_file(home: Path, path: Path) -> DiskTextFile:
    return DiskTextFile(path, home / "backups")


class Registered(NamedTuple):
    """The agent's settings file that calls Learnt, and the files beside it.

    `companions` are the files that were missing, `kept` those that are not Learnt's to change.
    """

    file: str
    changed: bool
    dry_run: bool
    companions: list[str]
    kept: list[str]


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
    file = _settings_file(home, path)
    commands = _commands(home, shared=shared)
    edit = plan(file, *commands)
    wanted = _companions(within, shared=shared)
    due = companions.due(DiskShelf(), wanted, _record_of(home))
    kept: list[str] = []
    if not dry_run:
        _install(home, file, path, commands)
        kept = _put(home, wanted)
    registered = Registered(
        file=str(path), changed=edit.changes, dry_run=dry_run, companions=due, kept=kept
    )
    return call.answer(registered, lambda answer: _say_registered(answer, edit.after, home))


def _say_registered(answer: Registered, after: str, home: Path) -> None:
    if answer.dry_run:
        click.echo(f"Would {'change' if answer.changed else 'leave'} {answer.file}:")
        click.echo(after if answer.changed else "  every hook is there already.")
        for path in answer.companions:
            click.echo(f"Would write {path}.")
        return
    did = "Registered with" if answer.changed else "Already registered with"
    click.echo(f"{did} Claude Code in {answer.file}.")
    for path in answer.companions:
        click.echo(f"Added {path}.")
    for path in answer.kept:
        click.echo(f"Left as it is, since it is not Learnt's or was edited: {path}")
    click.echo(f"Learnt's home is {home}. `learnt doctor` tries it out.")


def _companions(project: Path | None, *, shared: bool) -> list[companions.Companion]:
    """The slash commands and the skill; in what a team shares no path of this machine."""
    # The folders of an agent that `init` just began to use: it has them from now on.
    script = Path(sys.executable).with_name("learnt")
    program = "learnt" if shared or not script.is_file() else str(script)
    learnt = claude_companions.spelt([program])
    folder = agent_files.command_folder(project)
    own = agent_files.user_folder() if project is None else project / ".claude"
    commands = {
        "memory.md": claude_companions.memory_command(learnt),
        "memory-evolve.md": claude_companions.evolve_command(learnt),
        "harvest.md": claude_companions.harvest_command(learnt),
    }
    skills = {
        claude_companions.SKILL: claude_companions.skill(learnt),
        claude_companions.GOVERNOR: claude_companions.governor(learnt),
    }
    wanted = [
        companions.Companion(path=str(folder / name), text=text) for name, text in commands.items()
    ]
    for name, text in skills.items():
        folder = agent_files.canonical_root(project) / "skills" / name
        link = str(own / "skills" / name)
        wanted.append(companions.Companion(path=str(folder / "SKILL.md"), text=text))
        wanted.append(companions.Companion(path=link, to=str(folder)))
    return wanted


def _put(home: Path, wanted: list[companions.Companion]) -> list[str]:
    known = _record_of(home)
    done, kept = companions.put(DiskShelf(), wanted, known)
    if done:
        write_atomically(home / _RECORD, registry.render([*known, *done]))
    return kept


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


def _install(home: Path, file: DiskTextFile, path: Path, commands: Commands) -> None:
    prepare(home)
    hook_files.install(home)
    python = hook_files.interpreter()
    hook_files.install_launcher(home, claude_settings.launcher(python, str(home)))
    known = _record_of(home)
    earlier = next((done for done in known if done.file == str(path)), None)
    done = register(file, plan(file, *commands), earlier)
    if done is not None:
        write_atomically(home / _RECORD, registry.render([*known, done]))


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
    recorded = _record_of(home)
    known = {done.file: done for done in recorded if done.kind == "settings"}
    paths = [
        *known,
        str(agent_files.user_settings()),
        str(agent_files.project_settings(call.project, shared=False)),
    ]
    belongs = claude_settings.belongs_to(str(home))
    changed = []
    for path in dict.fromkeys(paths):
        ours = belongs
        if path in known and Path(path).name == "settings.json":
            ours = _ours_or_shared(belongs)
        if unregister(_settings_file(home, Path(path)), known.get(path), ours):
            changed.append(path)
    gone, kept = companions.take_out(DiskShelf(), recorded)
    worker_client.stop(home)
    removed = hook_files.remove(home)
    (home / _RECORD).unlink(missing_ok=True)
    unregistered = Unregistered(
        files=changed, companions=gone, edited=kept, hook_removed=removed, kept=str(home)
    )
    return call.answer(unregistered, _say_unregistered)


def _say_unregistered(answer: Unregistered) -> None:
    for path in answer.files:
        click.echo(f"Taken out of {path}.")
    for path in answer.companions:
        click.echo(f"Removed {path}.")
    for path in answer.edited:
        click.echo(f"Kept, since it was edited: {path}")
    if not answer.files:
        click.echo("No settings file held a hook of this home.")
    if Path(answer.kept).exists():
        click.echo(f"What was learnt stays in {answer.kept}; delete that folder to forget it.")


def _ours_or_shared(belongs: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda found: belongs(found) or claude_settings.is_shared(found)


class Checked(NamedTuple):
    """What was tried on this machine."""

    probes: tuple[Probe, ...]


@command(answers=Checked, project=True)
@click.option("--set-aside", "aside", is_flag=True, help="Move a damaged ledger out of the way.")
def doctor(call: Call, *, aside: bool) -> int:
    """Try every part on this machine, and say what to do about what fails.

    Exit code 1 where anything is a problem.
    """
    settings, found = _readable(call)
    if aside:
        worker_client.stop(settings.home)
        click.echo(set_aside(settings.home))
    found += probes(settings, call.project)
    code = int(any(probe.level == "problem" for probe in found))
    return call.answer(Checked(probes=tuple(found)), _say_checked, code)


def _readable(call: Call) -> tuple[Settings, list[Probe]]:
    """The settings; those of no file, and the trouble, where the file is not what it should be."""
    try:
        return call.who.settings, []
    except UsageError as error:
        todo = "Until then no command runs; a worker that does goes on with what it had."
        return bare_settings(call.home_option), [Probe("settings", "problem", str(error), todo)]


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
    found = get_completion_class(shell)
    assert found is not None
    root = click.get_current_context().find_root().command
    click.echo(found(root, {}, "learnt", "_LEARNT_COMPLETE").source())
    return 0
