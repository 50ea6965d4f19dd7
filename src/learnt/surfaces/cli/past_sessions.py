"""`sessions`: what was said in a project's earlier sessions, read where the agent wrote it down."""

import click

from learnt.flows.recall.conversations import (
    EarlierSessions,
    SaidTurn,
    SaidTurns,
    said_in,
    sessions_of,
)
from learnt.flows.sessions.past import read_in, unread
from learnt.surfaces.cli.columns import fitting
from learnt.surfaces.cli.context import Call, command, plain

_SHORT = 100  # columns


@click.group()
def sessions() -> None:
    """What was said in this project's earlier sessions; `recall --sessions` searches it."""


@command("list", within=sessions, answers=EarlierSessions, project=True)
@click.option("-k", "most", type=click.IntRange(1, 1_000), default=20, show_default=True)
def list_(call: Call, *, most: int) -> int:
    """List the sessions that can be searched, the latest first; what has ended is read in first."""
    with call.ledger() as outside:
        for session in unread(outside):
            read_in(outside, session)
        return call.answer(sessions_of(outside, call.folder, most), _say_sessions)


@command(within=sessions, answers=SaidTurns, project=True)
@click.argument("session")
def show(call: Call, session: str) -> int:
    """Show all that was said in a session, secrets taken out."""
    with call.ledger() as outside:
        return call.answer(said_in(outside, session, folder=call.folder), say_turns)


def _say_sessions(answer: EarlierSessions) -> None:
    for session in answer.sessions:
        for turn in [session.begins] if session.begins else []:
            click.echo(fitting(plain(" ".join(_text(turn).split())), _SHORT))
            about = f"{turn.when} to {session.ended} · {session.turns} turn(s) · {turn.resume}"
            click.secho(f"  {plain(about)}", dim=True)
    if not answer.sessions:
        click.echo("No session of this project can be searched yet: one can once it has ended.")


def say_turns(said: SaidTurns) -> None:
    """What was said, each with how its session goes on."""
    for turn in said.turns:
        click.echo(plain(_text(turn)))
        click.secho(f"  {turn.when} · {turn.speaker} · {plain(turn.resume)}", dim=True)
    if not said.turns:
        click.echo("Nothing in this project's earlier sessions shares a word with that.")


def _text(turn: SaidTurn) -> str:
    return "(its transcript is gone, and with it the text)" if turn.gone else turn.text
