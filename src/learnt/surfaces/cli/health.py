"""`health`: whether skills work, by what really happened where they were used."""

from typing import NamedTuple

import click

from learnt.core.health.changes import Slowdown
from learnt.core.health.stability import StabilityState
from learnt.flows.health import report
from learnt.flows.health.report import SkillHealth
from learnt.formats.injection import moment
from learnt.surfaces.answers.episodes import EpisodeAnswer, as_episode, in_words
from learnt.surfaces.cli.commands import LazyGroup
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.ids import Id


def say_episode(episode: EpisodeAnswer) -> None:
    """Print an episode in a line, and its evidence below it."""
    ended = f"{moment(episode.wall_ms)}  {in_words(episode.trouble, episode.cause, episode.grade)}"
    click.secho(f"  {ended}  why: {episode.episode}", dim=True)
    for quote in episode.evidence:
        click.secho(f"      {quote.what}: {plain(quote.words)}", dim=True)


@click.group(
    cls=LazyGroup,
    own={
        "status": ("health:status", "Every skill that was used: success, condition, forecast."),
        "queue": ("improving:queue", "Skills that were flagged, or of which texts are compared."),
        "improve": ("improving:improve", "Propose a new text for a skill that fails, by rules."),
        "evaluate": ("improving:evaluate", "New texts of skills, each against the one before."),
        "effect": ("effects:effect", "Whether what is put before agents helps."),
        "feedback": ("health:feedback", "Say yourself how an episode came out."),
        "learnings": ("health_past:learnings", "What thirty days teach: LEARNINGS.md."),
        "experiences": ("health_past:experiences", "What went well when skills ran."),
        "import": ("health_past:import_", "Take over a self-adapting skill system's logs."),
    },
)
def health() -> None:
    """Whether skills work: executions, outcomes, and your own word on them."""


class Skills(NamedTuple):
    """The skills that were used, most executions first."""

    skills: tuple[SkillHealth, ...]


@command(answers=Skills)
@click.argument("skill", required=False, default="")
def status(call: Call, skill: str) -> int:
    """Every skill that was used, or one: executions, success and its 95 % interval.

    A trouble whose cause was the surroundings or the user's input is held against no skill.
    """
    with call.asking() as outside:
        skills = tuple(report.skills(outside, skill))
    return call.answer(Skills(skills=skills), _say_skills)


def _say_skills(answer: Skills) -> None:
    if not answer.skills:
        click.echo("No skill was used yet, as far as was observed.")
    for skill in answer.skills:
        low, high = skill.interval
        rate = "not known" if skill.success_rate is None else f"{skill.success_rate:.0%}"
        span = "" if skill.success_rate is None else f" ({low:.0%} to {high:.0%})"
        click.echo(f"{click.style(plain(skill.skill), bold=True)}  success {rate}{span}")
        apart = f", {skill.imported} imported" if skill.imported else ""
        counted = f"{skill.graded} graded, {skill.unknown} unknown{apart}"
        click.echo(f"  {skill.executions} executions, {counted}")
        _say_condition(skill)
        last = skill.last
        ended = in_words(last.trouble, last.cause, last.grade)
        click.secho(f"  last {moment(last.wall_ms)}  {ended}  why: {last.episode}", dim=True)


_COLOURS = {
    StabilityState.HEALTHY: "green",
    StabilityState.DEGRADING: "yellow",
    StabilityState.CRITICAL: "red",
}


def _say_condition(skill: SkillHealth) -> None:
    version = f"version {plain(skill.version)}, " if skill.version else ""
    flags = f", {skill.flags} flags" if skill.flags else ""
    state = click.style(skill.state, fg=_COLOURS[skill.state])
    then = f"the next succeeds with {skill.forecast:.0%}"
    click.echo(f"  {version}{state}, gap {skill.gap:.2f}{flags}; {then}")
    if skill.dropped:
        click.secho(f"  success dropped {skill.dropped} graded executions ago", fg="yellow")
    if skill.automatic:
        click.echo("  texts that rules make are applied by themselves")
    say_dearer(skill.slower, skill.costlier)


def say_dearer(slower: Slowdown | None, costlier: Slowdown | None) -> None:
    """Print what a skill takes more than it did."""
    for found, word, unit in ((slower, "slower", "ms"), (costlier, "costlier", "tokens")):
        if found:
            amounts = f"{found.before:,} to {found.now:,} {unit}"
            click.secho(f"  {word}: {amounts}, {found.factor:g} times as much", fg="yellow")


class Episodes(NamedTuple):
    """Episodes as they count now."""

    episodes: tuple[EpisodeAnswer, ...]


@command(answers=Episodes)
@click.argument("name", type=Id("episode"), metavar="ID")
@click.argument("verdict", type=click.Choice(report.VERDICTS))
@click.option("--note", default="", help="Why; kept with your word.")
def feedback(call: Call, name: str, verdict: str, *, note: str) -> int:
    """Say yourself how an episode came out: your word outweighs all other evidence."""
    call.say_whose()
    with call.asking() as outside:
        closed = report.feedback(outside, name, verdict, note, call.who.actor)

    def say(answer: Episodes) -> None:
        click.echo("Noted; the episode counts as:")
        say_episode(answer.episodes[0])

    return call.answer(Episodes(episodes=(as_episode(closed),)), say)
