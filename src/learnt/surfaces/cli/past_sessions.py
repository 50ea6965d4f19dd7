"""`sessions`: what was said in a project's earlier sessions, read where the agent wrote it down."""

import click

from learnt.flows.recall.conversations import (
    EarlierSessions,
    SaidTurns,
    said_in,
    sessions_of,
)
from learnt.flows.sessions.past import read_in, unread
from learnt.surfaces.cli.context import Call, command, plain

_GONE = "(its transcript is gone, and with it the text)"


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
    """Show what was said in a session, by its id or the beginning of it, secrets taken out."""
    with call.ledger() as outside:
        return call.answer(said_in(outside, session, folder=call.folder), _say_all)


def _say_sessions(answer: EarlierSessions) -> None:
    for session in answer.sessions:
        begins = _GONE if session.gone else plain(session.begins)[:100]
        click.echo(click.style(session.began, bold=True) + f"  {begins}")
        click.secho(f"  {session.turns} turns · {plain(session.resume)}", dim=True)
    if not answer.sessions:
        click.echo("No session of this project can be searched yet: one can once it has ended.")


def _say_all(said: SaidTurns) -> None:
    for turn in said.turns:
        click.secho(f"{turn.when}  {turn.speaker}", bold=True)
        click.echo(_GONE if turn.gone else plain(turn.text))
    for turn in said.turns[-1:]:
        click.secho(plain(turn.resume), dim=True)


def say_turns(said: SaidTurns) -> None:
    """What was found, each with how its session goes on."""
    for turn in said.turns:
        click.echo(_GONE if turn.gone else plain(" ".join(turn.text.split())))
        about = f"{turn.when} · {turn.speaker} · {plain(turn.resume)}"
        click.secho(f"  {about}", dim=True)
    if not said.turns:
        click.echo("Nothing in this project's earlier sessions shares a word with that.")
