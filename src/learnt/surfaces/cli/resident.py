"""`worker` and `hook`: the resident process, and the hook in one process."""

import sys

import click

from learnt.errors import EnvironmentTrouble
from learnt.stores.home_folder import prepare
from learnt.stores.hook_files import install
from learnt.surfaces import worker_client
from learnt.surfaces.cli.context import Call, command


@command(answers=worker_client.Card | None)
@click.argument("action", type=click.Choice(["status", "start", "stop"]), default="status")
def worker(call: Call, action: str) -> int:
    """The resident process: hooks start it, it leaves by itself when idle."""
    home = call.home
    if action == "start":
        prepare(home)
        install(home)
        card = worker_client.start(home)
        if card is None:
            raise EnvironmentTrouble(
                f"The worker did not come up; see {home / 'logs' / 'worker.log'}. Hooks go on: "
                "they spool what they see and inject nothing."
            )
        said = f"The worker runs as process {card.pid}."
    elif action == "stop":
        card = worker_client.stop(home)
        said = "No worker was running." if card is None else f"Process {card.pid} has left."
    else:
        card = worker_client.ping(home)
        said = "No worker is running." if card is None else f"The worker is process {card.pid}."
    return call.answer(card, lambda _: click.echo(said), int(card is None and action != "stop"))


@command()
@click.argument("event")
@click.option("--inline", is_flag=True, help="Do all of the hook's work in this one process.")
def hook(call: Call, event: str, *, inline: bool) -> int:
    """Answer an agent's hook in one process, where no worker may stay resident.

    Reads the agent's JSON on standard input. `learnt init` registers a quicker form.
    """
    from learnt.surfaces.inline import main

    sys.stdin.flush()
    return main([event, "--home", str(call.home)])
