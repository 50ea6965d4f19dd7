"""Every command and every option of the command line says what it does."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from learnt.surfaces.cli.commands import learnt_command
from learnt.surfaces.cli.context import AnsweringCommand


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, by the words that call it."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in sorted(command.list_commands(context)):
            below = command.get_command(context, word)
            assert below is not None
            yield from commands(below, f"{name} {word}".strip())


ALL = dict(commands(learnt_command))


@pytest.mark.parametrize("name", ALL)
def test_a_command_says_what_it_does(name: str) -> None:
    """In a sentence that ends, and again with --help."""
    said = (ALL[name].help or "").split("\n\n")[0].replace("\n", " ").strip()

    shown = CliRunner().invoke(learnt_command, [*name.split(), "--help"])

    assert said.endswith((".", ":")) and 3 <= len(said.split())
    assert (0, True) == (shown.exit_code, said.split(".")[0][:30] in shown.output)


@pytest.mark.parametrize("name", ALL)
def test_an_option_says_what_it_does(name: str) -> None:
    """Unless its name and its default say it all."""
    silent = [
        parameter.name
        for parameter in ALL[name].params
        if isinstance(parameter, click.Option)
        and not parameter.help
        and not (parameter.show_default or isinstance(parameter.type, click.Choice))
    ]

    assert [] == silent


def test_a_command_is_declared_by_the_one_wrapper() -> None:
    """It gives them their home, their answer and their code; not what reads no home of its own."""
    others = {
        name
        for name, declared in ALL.items()
        if not isinstance(declared, AnsweringCommand | click.Group)
    }

    assert {"demo"} == others


# The groups, what reads no home (folder mode neither), and what makes its own.
HOMELESS = {"", "db", "demo", "evolve", "health", "project", "sessions", "skills"}


@pytest.mark.parametrize(
    "name", [n for n in ALL if n not in HOMELESS and n.split()[0] != "knowledge"]
)
def test_a_command_takes_a_home(name: str) -> None:
    """Everywhere, not only before the command's name."""
    assert "--home" in {option for parameter in ALL[name].params for option in parameter.opts}
