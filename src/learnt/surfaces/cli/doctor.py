"""`doctor`: every part of this machine is tried."""

from typing import NamedTuple

import click

from learnt.errors import UsageError
from learnt.settings import without_config
from learnt.stores.sqlite_schema import set_aside
from learnt.surfaces import worker_client
from learnt.surfaces.cli.columns import padded
from learnt.surfaces.cli.context import Call, command, plain, settings_of
from learnt.surfaces.model_probes import Probe
from learnt.surfaces.probes import probes


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
