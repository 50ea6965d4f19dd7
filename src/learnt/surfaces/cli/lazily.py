"""A group of commands of which only the one that is called is loaded."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from learnt.domain_ports import Command

Added = Callable[[click.Context], "Mapping[str, Command]"]


class LazyGroup(click.Group):
    """A group whose commands are known by where they are defined, and by what the list says."""

    def __init__(
        self,
        *given: object,
        known: Mapping[str, tuple[str, str]],
        added: Added = lambda context: {},
        **more: object,
    ) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]  # click's own arguments, as given
        self._known, self._added = known, added

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table, and those that domains add."""
        return list(self._summaries(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded now; a domain's only where none of Learnt's has the name."""
        if cmd_name in self._known:
            place, summary = self._known[cmd_name]
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list, for which no command is loaded."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries(ctx).items()))

    def _summaries(self, ctx: click.Context) -> dict[str, str]:
        own = {name: summary for name, (_, summary) in self._known.items()}
        return own | {
            name: brought.summary for name, brought in self._added(ctx).items() if name not in own
        }
