"""`sessions`: what was said in a project's earlier sessions, read where the agent wrote it down."""

import click

from learnt.flows.recall.conversations import SaidTurns, said_in, sessions_of
from learnt.flows.sessions.past import read_in, unread
from learnt.surfaces.cli.context import Call, command
from learnt.surfaces.cli.ids import Id
from learnt.surfaces.cli.said_turns import say_turns


@click.group()
def sessions() -> None:
    """What was said in this project's earlier sessions; `recall --sessions` searches it."""


@command("list", within=sessions, answers=SaidTurns, project=True)
@click.option("-k", "most", type=click.IntRange(1, 1_000), default=20, show_default=True)
def list_(call: Call, *, most: int) -> int:
    """How the sessions that can be searched began, the latest first; what has ended is read in."""
    with call.asking() as outside:
        for session in unread(outside):
            read_in(outside, session)
        return call.answer(sessions_of(outside, call.folder, most), say_turns)


@command(within=sessions, answers=SaidTurns, project=True)
@click.argument("session", type=Id("session"))
def show(call: Call, session: str) -> int:
    """Show all that was said in a session, secrets taken out."""
    with call.asking() as outside:
        return call.answer(said_in(outside, session, folder=call.folder), say_turns)
