"""`worker`, `hook` and `mcp`: the processes that answer an agent."""

import sys

import click

from learnt.errors import EnvironmentTrouble
from learnt.installed import installing
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
        text = f"The worker runs as process {card.pid}."
    elif action == "stop":
        card = worker_client.stop(home)
        text = "No worker was running." if card is None else f"Process {card.pid} has left."
    else:
        card = worker_client.ping(home)
        text = "No worker is running." if card is None else f"The worker is process {card.pid}."
    return call.answer(card, lambda _: click.echo(text), int(card is None and action != "stop"))


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


_EXTRA = frozenset({"mcp", "mcp_types", "pydantic", "anyio"})


@command()
@click.option(
    "--project",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="The folder whose project is meant (else CLAUDE_PROJECT_DIR, else the current one).",
)
def mcp(call: Call, project: str | None) -> int:
    """Serve an agent over standard input and output (Model Context Protocol).

    The agent can recall, propose knowledge and skills, confirm, say how an entry held, and ask
    for the status and the story of an id, also where its shell is sandboxed. It can approve
    nothing.

    `learnt init` registers it with your agents. By hand, in any other client:

    \b
    {"mcpServers": {"learnt": {"command": "learnt", "args": ["mcp"]}}}
    """
    try:
        from learnt.surfaces.mcp_input import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise EnvironmentTrouble(
            f"The MCP server needs a package that is not installed ({error.name}): "
            f"{installing()}. Nothing was started; every other command works without it."
        ) from error
    return serve(call.home_option, project)
