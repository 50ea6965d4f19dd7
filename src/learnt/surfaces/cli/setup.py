"""`init`, `uninstall`, `doctor`, `completion`: Learnt and the agent, put together and apart."""

import sys
from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from learnt.core.json_values import JsonObject
from learnt.errors import UsageError
from learnt.flows.setup import companions, registry
from learnt.flows.setup.register import Registration, plan, register, unregister
from learnt.formats.agents import claude_companions, claude_settings
from learnt.settings import Settings
from learnt.stores import hook_files, set_aside
from learnt.stores.atomic import write_atomically
from learnt.stores.home_folder import prepare
from learnt.stores.shelf import DiskShelf
from learnt.stores.text_files import DiskTextFile
from learnt.surfaces import agent_files, worker_client
from learnt.surfaces.cli.columns import padded
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
    Caller,
    bare_settings,
    caller,
    plain,
    print_json,
)
from learnt.surfaces.probes import Probe, probes

_RECORD = "installed.json"


def _record_of(home: Path) -> list[Registration]:
    path = home / _RECORD
    return registry.parse(path.read_text("utf-8") if path.exists() else None)


def _settings_file(who: Caller, path: Path) -> DiskTextFile:
    return DiskTextFile(path, who.home / "backups")


@click.command()
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
@PROJECT
@JSON
@HOME
def init(
    agent: str,
    scope: str,
    *,
    shared: bool,
    dry_run: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Have your agent call Learnt: its hooks go into the agent's settings, with a backup.

    Safe to repeat. `learnt uninstall` takes out exactly what this put in.
    """
    who = caller(home)
    if shared and scope != "project":
        raise UsageError("--shared goes with --scope project.")
    where = Path(project).resolve()
    path = (
        agent_files.user_settings()
        if scope == "user"
        else agent_files.project_settings(where, shared=shared)
    )
    file = _settings_file(who, path)
    ours, command = _commands(who, shared=shared)
    edit = plan(file, ours, command)
    wanted = _companions(where if scope == "project" else None, shared=shared)
    due = companions.due(DiskShelf(), wanted, _record_of(who.home))
    kept: list[str] = []
    if not dry_run:
        _install(who, file, path, (ours, command))
        kept = _put(who.home, wanted)
    if as_json:
        print_json({
            "file": str(path),
            "changed": edit.changes,
            "dry_run": dry_run,
            "companions": due,
            "kept": kept,
        })
    elif dry_run:
        click.echo(f"Would {'change' if edit.changes else 'leave'} {path}:")
        click.echo(edit.after if edit.changes else "  every hook is there already.")
        for one in due:
            click.echo(f"Would write {one}.")
    else:
        did = "Registered with" if edit.changes else "Already registered with"
        click.echo(f"{did} Claude Code in {path}.")
        for one in due:
            click.echo(f"Added {one}.")
        for one in kept:
            click.echo(f"Left as it is, since it is not Learnt's or was edited: {one}")
        click.echo(f"Learnt's home is {who.home}. `learnt doctor` tries it out.")
    return 0


def _companions(project: Path | None, *, shared: bool) -> list[companions.Companion]:
    """The slash commands and the skill; in what a team shares no path of this machine."""
    # The folders of an agent that `init` just began to use: it has them from now on.
    script = Path(sys.executable).with_name("learnt")
    program = "learnt" if shared or not script.is_file() else str(script)
    learnt = claude_companions.spelt([program])
    commands = agent_files.command_folder(project)
    own = agent_files.user_folder() if project is None else project / ".claude"
    skills = {
        claude_companions.SKILL: claude_companions.skill(learnt),
        claude_companions.GOVERNOR: claude_companions.governor(learnt),
    }
    wanted = [
        companions.Companion(
            path=str(commands / "memory.md"), text=claude_companions.memory_command(learnt)
        ),
        companions.Companion(
            path=str(commands / "memory-evolve.md"), text=claude_companions.evolve_command(learnt)
        ),
        companions.Companion(
            path=str(commands / "harvest.md"), text=claude_companions.harvest_command(learnt)
        ),
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


def _commands(who: Caller, *, shared: bool) -> tuple[Callable[[str], bool], Callable[[str], str]]:
    if shared:
        return claude_settings.is_shared, claude_settings.shared_command
    home, python = str(who.home), hook_files.interpreter()
    return (
        claude_settings.belongs_to(home),
        lambda event: claude_settings.command(python, home, event),
    )


def _install(
    who: Caller,
    file: DiskTextFile,
    path: Path,
    commands: tuple[Callable[[str], bool], Callable[[str], str]],
) -> None:
    prepare(who.home)
    hook_files.install(who.home)
    python = hook_files.interpreter()
    hook_files.install_launcher(who.home, claude_settings.launcher(python, str(who.home)))
    known = _record_of(who.home)
    earlier = next((done for done in known if done.file == str(path)), None)
    done = register(file, plan(file, *commands), earlier)
    if done is not None:
        write_atomically(who.home / _RECORD, registry.render([*known, done]))


@click.command()
@PROJECT
@JSON
@HOME
def uninstall(*, project: str, as_json: bool, home: str | None) -> int:
    """Take Learnt out of the agent's settings: exactly what `init` put in.

    What is remembered stays in the home, and is named.
    """
    who = caller(home)
    where = Path(project).resolve()
    recorded = _record_of(who.home)
    known = {done.file: done for done in recorded if done.kind == "settings"}
    paths = [
        *known,
        str(agent_files.user_settings()),
        str(agent_files.project_settings(where, shared=False)),
    ]
    belongs = claude_settings.belongs_to(str(who.home))
    changed = []
    for path in dict.fromkeys(paths):
        ours = belongs
        if path in known and Path(path).name == "settings.json":
            ours = _ours_or_shared(belongs)
        if unregister(_settings_file(who, Path(path)), known.get(path), ours):
            changed.append(path)
    gone, kept = companions.take_out(DiskShelf(), recorded)
    worker_client.stop(who.home)
    removed = hook_files.remove(who.home)
    (who.home / _RECORD).unlink(missing_ok=True)
    if as_json:
        print_json({
            "files": changed,
            "companions": gone,
            "edited": kept,
            "hook_removed": removed,
            "kept": str(who.home),
        })
        return 0
    for path in changed:
        click.echo(f"Taken out of {path}.")
    for path in gone:
        click.echo(f"Removed {path}.")
    for path in kept:
        click.echo(f"Kept, since it was edited: {path}")
    if not changed:
        click.echo("No settings file held a hook of this home.")
    if who.home.exists():
        click.echo(f"What was learnt stays in {who.home}; delete that folder to forget it.")
    return 0


def _ours_or_shared(belongs: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda found: belongs(found) or claude_settings.is_shared(found)


@click.command()
@click.option("--set-aside", "aside", is_flag=True, help="Move a damaged ledger out of the way.")
@PROJECT
@JSON
@HOME
def doctor(*, aside: bool, project: str, as_json: bool, home: str | None) -> int:
    """Try every part on this machine, and say what to do about what fails.

    Exit code 1 where anything is a problem.
    """
    settings, found = _readable(home)
    if aside:
        worker_client.stop(settings.home)
        click.echo(set_aside.damaged_ledger(settings))
    found += probes(settings, Path(project).resolve())
    if as_json:
        print_json({"probes": [_probe_json(probe) for probe in found]})
    else:
        for probe in found:
            _say_probe(probe)
    return 1 if any(probe.level == "problem" for probe in found) else 0


def _readable(home: str | None) -> tuple[Settings, list[Probe]]:
    """The settings; those of no file, and the trouble, where the file is not what it should be."""
    try:
        return caller(home).settings, []
    except UsageError as error:
        todo = "Until then no command runs; a worker that does goes on with what it had."
        return bare_settings(home), [Probe("settings", "problem", str(error), todo)]


def _probe_json(probe: Probe) -> JsonObject:
    return {"name": probe.name, "level": probe.level, "said": probe.said, "todo": probe.todo}


_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def _say_probe(probe: Probe) -> None:
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
