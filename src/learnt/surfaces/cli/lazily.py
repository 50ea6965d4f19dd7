"""A group of commands of which only the one that is called is loaded."""

from collections.abc import Mapping
from importlib import import_module

import click


class LazyGroup(click.Group):
    """A group whose commands are known by where they are defined, and by what the list says."""

    def __init__(
        self, *given: object, known: Mapping[str, tuple[str, str]], **more: object
    ) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]  # click's own arguments, as given
        self._known = known

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self._known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded now."""
        if cmd_name not in self._known:
            return None
        place, said = self._known[cmd_name]
        module, _, attribute = place.partition(":")
        command = getattr(import_module(f"{__package__}.{module}"), attribute)
        assert isinstance(command, click.Command)
        command.short_help = said
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list, for which no command is loaded."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, said) for name, (_, said) in self._known.items()])
