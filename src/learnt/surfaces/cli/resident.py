"""`worker` and `hook`: the resident process, and the hook in one process."""

import sys

import click

from learnt.errors import EnvironmentTrouble
from learnt.stores.home_folder import prepare
from learnt.stores.hook_files import install
from learnt.surfaces import worker_client
from learnt.surfaces.cli.context import HOME, JSON, caller, print_json


@click.command()
@click.argument("action", type=click.Choice(["status", "start", "stop"]), default="status")
@JSON
@HOME
def worker(action: str, *, as_json: bool, home: str | None) -> int:
    """The resident process: hooks start it, it leaves by itself when idle."""
    who = caller(home)
    if action == "start":
        prepare(who.home)
        install(who.home)
        card = worker_client.start(who.home)
        if card is None:
            raise EnvironmentTrouble(
                f"The worker did not come up; see {who.home / 'logs' / 'worker.log'}. Hooks go on: "
                "they spool what they see and inject nothing."
            )
        said = f"The worker runs as process {card.pid}."
    elif action == "stop":
        card = worker_client.stop(who.home)
        said = "No worker was running." if card is None else f"Process {card.pid} has left."
    else:
        card = worker_client.ping(who.home)
        said = "No worker is running." if card is None else f"The worker is process {card.pid}."
    if as_json:
        print_json(None if card is None else {"pid": card.pid, "version": card.version})
    else:
        click.echo(said)
    return 0 if card is not None or action == "stop" else 1


@click.command()
@click.argument("event")
@click.option("--inline", is_flag=True, help="Do all of the hook's work in this one process.")
@HOME
def hook(event: str, *, inline: bool, home: str | None) -> int:
    """Answer an agent's hook in one process, where no worker may stay resident.

    Reads the agent's JSON on standard input. `learnt init` registers a quicker form.
    """
    from learnt.surfaces.inline import main

    words = [event, *(["--home", str(caller(home).home)])]
    sys.stdin.flush()
    return main(words)
