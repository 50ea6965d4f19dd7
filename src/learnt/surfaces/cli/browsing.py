"""`dashboard`: what there is as pages."""

import webbrowser
from functools import partial

import click

from learnt.core.events import Actor
from learnt.errors import EnvironmentTrouble, Refused
from learnt.flows.governance.notice import notice
from learnt.installed import installing
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, command, has_desktop, settings_of
from learnt.surfaces.cli.proposal_view import say_noticed

_EXTRA = frozenset({"starlette", "uvicorn", "jinja2", "markupsafe"})


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
    try:
        from learnt.surfaces.web.serving import DashboardCall, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise EnvironmentTrouble(
            f"The dashboard needs a package that is not installed ({error.name}): "
            f"{installing('web')}. Nothing was started; every other command works without it."
        ) from error
    with call.ledger() as outside:  # made where it is missing; what waits in the spool is taken in
        say_noticed(notice(outside, skill_folders(call.project)))  # pages change nothing
    return serve(
        DashboardCall(
            settings=partial(settings_of, str(call.home)),
            folder=call.folder,
            port=port,
            tell=click.echo,
            open_browser=None if no_open else _opened,
        )
    )


def _opened(link: str) -> bool:
    """Open an address in the person's browser; False where none can be."""
    return has_desktop() and webbrowser.open(link)
