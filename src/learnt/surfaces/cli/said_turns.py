"""What was said in earlier sessions, as a command prints it."""

import click

from learnt.flows.recall.conversations import SaidTurns
from learnt.surfaces.cli.context import plain


def say_turns(said: SaidTurns) -> None:
    """What was said, each with how its session goes on."""
    for turn in said.turns:
        gone = "(its transcript is gone, and with it the text)"
        click.echo(gone if turn.gone else plain(turn.text))
        click.secho(f"  {turn.when} · {turn.speaker} · {plain(turn.resume)}", dim=True)
    if not said.turns:
        click.echo("There is nothing of it in sessions of this project that have ended.")
