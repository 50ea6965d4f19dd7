"""`worker`, `hook`, `mcp` and `dashboard`: the processes that answer an agent, or a browser."""

import os
import sys
import webbrowser
from functools import partial

import click

from learnt.core.events import Actor
from learnt.errors import EnvironmentTrouble, Refused
from learnt.stores.home_folder import prepare
from learnt.stores.hook_files import install
from learnt.surfaces import worker_client
from learnt.surfaces.cli.context import Call, command, needing, settings_of


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
    with needing(("mcp", "mcp_types", "pydantic", "anyio"), "The MCP server"):
        from learnt.surfaces.mcp_server import serve
    return serve(call.home_option, project)


@command(project=True)
@click.option("--port", type=click.IntRange(1, 65535), help="This port, and no other.")
@click.option("--no-open", is_flag=True, help="Open no browser: the link is printed all the same.")
def dashboard(call: Call, port: int | None, *, no_open: bool) -> int:
    """All of it as pages in your browser; you can decide there what waits in `review`.

    It is served on this machine alone, until Ctrl-C. The link works once; before your first
    decision the page asks for the phrase that stands on this terminal. For a person at a terminal
    alone. Needs the extra `web`.
    """
    if call.who.actor is not Actor.HUMAN:
        raise Refused(
            "Only a person may start the dashboard, since one can decide there: ask them to run "
            "`learnt dashboard` on a terminal of their own. This call is not taken for a "
            f"person's: {call.who.doubt}. Nothing was started."
        )
    with needing(("starlette", "uvicorn", "jinja2", "markupsafe"), "The dashboard", "web"):
        from learnt.surfaces.web.dashboard import serve
    from learnt.flows.governance.notice import notice
    from learnt.surfaces.agent_files import skill_folders
    from learnt.surfaces.cli.evolve import say_noticed

    with call.ledger() as outside:  # made where it is missing; what waits in the spool is taken in
        say_noticed(notice(outside, skill_folders(call.project)))  # pages change nothing
    settings = partial(settings_of, str(call.home))
    return serve(settings, call.folder, port, click.echo, None if no_open else _opened)


def _opened(link: str) -> bool:
    """Open an address in the person's browser; False where none can be."""
    named = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    return (sys.platform == "darwin" or named) and webbrowser.open(link)
