"""Episodes on the screen: how they came out, and the evidence for it."""

import click

from learnt.core.health.outcomes import Trouble
from learnt.formats.injection import moment
from learnt.surfaces.answers.episodes import EpisodeAnswer
from learnt.surfaces.cli.context import plain


def in_words(trouble: str, cause: str, grade: float | None) -> str:
    """An outcome in a few words; the grade is 0 to 1.

    >>> in_words("none", "none", None), in_words("test", "skill", 0.75)
    ('no trouble, not graded', 'test (skill), 75%')
    """
    ended = "no trouble" if trouble == Trouble.NONE else f"{trouble} ({cause})"
    return f"{ended}, {'not graded' if grade is None else f'{grade:.0%}'}"


def say_episode(closed: EpisodeAnswer) -> None:
    """Print an episode in a line, and its evidence below it."""
    ended = f"{moment(closed.wall_ms)}  {in_words(closed.trouble, closed.cause, closed.grade)}"
    click.secho(f"  {ended}  why: {closed.episode}", dim=True)
    for quote in closed.evidence:
        click.secho(f"      {quote.what}: {plain(quote.words)}", dim=True)
