"""The command line: one group that loads only the command that is called."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING, Final, TextIO, cast

import click

import learnt
from learnt.errors import LearntError
from learnt.settings import without_config
from learnt.surfaces.cli.context import HOME, coloured, plain, settings_of
from learnt.surfaces.cli.screen import SpelledOut

if TYPE_CHECKING:
    from learnt.domain_ports import Command

Added = Callable[[click.Context], "Mapping[str, Command]"]


class LazyGroup(click.Group):
    """A group whose commands are known by where they are defined, and by what the list says."""

    def __init__(
        self,
        *given: object,
        own: Mapping[str, tuple[str, str]],
        added: Added = lambda context: {},
        **more: object,
    ) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]  # click's own arguments, as given
        self._own, self._added = own, added

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table, and those that domains add."""
        return list(self._summaries(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded now; a domain's only where none of Learnt's has the name."""
        if cmd_name in self._own:
            place, summary = self._own[cmd_name]
            module, _, attribute = place.partition(":")
            module = module if "." in module else f"{__package__}.{module}"
            command = getattr(import_module(module), attribute)
        elif (brought := self._added(ctx).get(cmd_name)) is not None:
            command, summary = brought.load(), brought.summary
        else:
            return None
        assert isinstance(command, click.Command)
        command.short_help = summary
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises NoSuchCommand, with what may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            within = [
                f"'{own} {error.command_name}'"
                for own in self.list_commands(ctx)
                if isinstance(group := self.get_command(ctx, own), click.Group)
                and group.get_command(ctx, error.command_name) is not None
            ]
            if not within:
                names = self.list_commands(ctx)
                raise click.NoSuchCommand(args[0], possibilities=names, ctx=ctx) from error
            message = f"No such command '{args[0]}'. Did you mean {' or '.join(within)}?"
            raise click.NoSuchCommand(args[0], message, ctx=ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list, for which no command is loaded."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries(ctx).items()))

    def _summaries(self, ctx: click.Context) -> dict[str, str]:
        added = {name: command.summary for name, command in self._added(ctx).items()}
        own = {name: summary for name, (_, summary) in self._own.items()}
        return own | {name: summary for name, summary in added.items() if name not in own}


# Where each command is, and what the list says of it: a line of a terminal holds no more.
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "init": ("setup:init", "Have your agent call Learnt."),
    "uninstall": ("setup:uninstall", "Take Learnt out of your agent again, exactly."),
    "config": ("configuring:config", "The settings: list them, show one, set one."),
    "doctor": ("status:doctor", "Try every part on this machine; what to do about what fails."),
    "status": ("status:status", "What is remembered, how it is used, what waits for you."),
    "demo": ("demo:demo", "Show the whole loop in a throw-away home."),
    "why": ("trust:why", "The story of an entry, a proposal, a session, a project or an event."),
    "recall": ("recalling:recall", "Ask what is remembered; without words, the newest."),
    "project": ("projects:project", "Projects: list, link, split, name, turn off and on."),
    "sessions": ("recalling:sessions", "What was said in earlier sessions: list and show."),
    "remember": ("memory:remember", "Remember a solution: a problem and what worked."),
    "import": ("importing:import_", "Bring what another memory, a file or a home knows."),
    "export": ("importing:export", "Write all that is remembered to a file."),
    "review": ("reviewing:review", "Decide on what waits: accept, reject, skip, undo, by key."),
    "dashboard": (
        "resident:dashboard",
        "All of it as pages in your browser, where you can decide.",
    ),
    "evolve": ("evolve:evolve", "What keeps being recalled or missed becomes a proposal."),
    "health": ("health:health", "Whether skills work: executions, outcomes, your word."),
    "skills": ("skill_commands:skills", "Skills: list, find, compare, install, check, roll back."),
    "knowledge": ("knowledge:knowledge", "Facts in Markdown that fade unless confirmed."),
    "rebuild": ("trust:rebuild", "Recompute every view and index from the events."),
    "purge": ("trust:purge", "Erase texts for good, every copy that Learnt made."),
    "worker": ("resident:worker", "The resident process: hooks start it, it leaves by itself."),
    "hook": ("resident:hook", "Answer an agent's hook in one process."),
    "mcp": ("resident:mcp", "Serve an agent over MCP: recall, propose, confirm; never approve."),
}


def brought(context: click.Context) -> "Mapping[str, Command]":
    """The commands that domains bring; with settings that cannot be read, those of Learnt's own."""
    from learnt.bootstrap import domain_commands

    named = context.find_root().params.get("home")
    with context.scope(cleanup=False):
        try:
            settings = settings_of(named)
        except LearntError:
            settings = settings_of(named, without_config)
    return domain_commands(settings)


@click.group(
    cls=LazyGroup,
    own=COMMANDS,
    added=brought,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 ok, 1 finding or refusal, 2 usage, 3 not found, 4 conflict, "
    "5 environment.",
)
@click.version_option(learnt.__version__, prog_name="learnt")
@HOME
def learnt_command(home: str | None) -> None:
    """What your coding agent learnt once, put before it again where it helps.

    Start with `learnt init`, then `learnt remember` what cost you time.
    """


def run(words: Sequence[str]) -> int:
    """Run one command; the exit code of `design`: errors say what happened, was kept, and to do."""
    out, err = SpelledOut(sys.stdout), SpelledOut(sys.stderr)
    with redirect_stdout(cast("TextIO", out)), redirect_stderr(cast("TextIO", err)):
        return _run(words)


def _run(words: Sequence[str]) -> int:
    try:
        code = learnt_command.main(
            list(words), prog_name="learnt", standalone_mode=False, color=coloured()
        )
    except LearntError as error:
        click.echo(f"learnt: {plain(str(error))}", err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("learnt: stopped; nothing more was done.", err=True)
        return 1
    return code if isinstance(code, int) else 0
