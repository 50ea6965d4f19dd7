"""`health`: whether skills work, by what really happened where they were used."""

from pathlib import Path
from typing import NamedTuple

import click

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Outcome, Quote, Trouble
from learnt.core.identifiers import EntryId
from learnt.errors import UsageError
from learnt.flows.health import report
from learnt.flows.health.adopt import adopt
from learnt.formats import seed_health
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.surfaces.cli.context import Call, command, plain


class EpisodeAnswer(NamedTuple):
    """How an episode came out: `grade` is 0 to 1, None where nothing hard was seen."""

    episode: str
    session: str
    prompt: str
    wall_ms: int
    ended_by: str
    tools: int
    failed: int
    took_ms: int | None
    tokens: int | None
    trouble: str
    cause: str
    grade: float | None
    graded: bool
    evidence: tuple[Quote, ...]
    entries: tuple[EntryId, ...]


def as_episode(closed: Episode) -> EpisodeAnswer:
    """A closed episode, its outcome beside it."""
    outcome = closed.outcome
    own = {"episode": closed.event, "grade": _share(outcome), "evidence": outcome.quotes}
    return filled(EpisodeAnswer, closed, outcome, **own)


def _share(outcome: Outcome) -> float | None:
    return None if outcome.grade is None else outcome.grade / MILLION


def in_words(trouble: str, cause: str, grade: float | None) -> str:
    """An outcome in a few words; the grade is 0 to 1.

    >>> in_words("none", "none", None), in_words("test", "skill", 0.75)
    ('no trouble, not graded', 'test (skill), 75%')
    """
    ended = "no trouble" if trouble == Trouble.NONE else f"{trouble} ({cause})"
    return f"{ended}, {'not graded' if grade is None else f'{grade:.0%}'}"


def say_episode(episode: EpisodeAnswer) -> None:
    """Print an episode in a line, and its evidence below it."""
    ended = f"{moment(episode.wall_ms)}  {in_words(episode.trouble, episode.cause, episode.grade)}"
    click.secho(f"  {ended}  why: {episode.episode}", dim=True)
    for quote in episode.evidence:
        click.secho(f"      {quote.what}: {plain(quote.words)}", dim=True)


@click.group()
def health() -> None:
    """Whether skills work: executions, outcomes, and your own word on them."""


class LastUse(NamedTuple):
    """A skill's last execution: the episode it was in, and how it came out."""

    episode: str
    wall_ms: int
    by: str
    trouble: str
    cause: str
    grade: float | None
    graded: bool


class SkillReport(NamedTuple):
    """One skill's executions; `success_rate` is their mean grade, `interval` holds it at 95 %."""

    skill: str
    executions: int
    graded: int
    unknown: int
    success_rate: float | None
    interval: tuple[float, float]
    imported: int
    last: LastUse


class Skills(NamedTuple):
    """The skills that were used, most executions first."""

    skills: tuple[SkillReport, ...]


@command(within=health, answers=Skills)
@click.argument("skill", required=False, default="")
def status(call: Call, skill: str) -> int:
    """Every skill that was used, or one: executions, success and its 95 % interval.

    A trouble whose cause was the surroundings or the user's input is held against no skill.
    """
    with call.ledger() as outside:
        skills = tuple(map(_skill, report.skills(outside, skill)))
    return call.answer(Skills(skills=skills), _say_skills)


def _skill(used: report.SkillHealth) -> SkillReport:
    outcome, episode = used.last_use.outcome, used.last
    sources = (outcome, episode, used.last_use)
    last = filled(LastUse, *sources, episode=episode.event, grade=_share(outcome))
    return filled(SkillReport, used, last=last)


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
        last = skill.last
        ended = in_words(last.trouble, last.cause, last.grade)
        click.secho(f"  last {moment(last.wall_ms)}  {ended}  why: {last.episode}", dim=True)


class Episodes(NamedTuple):
    """Episodes as they count now."""

    episodes: tuple[EpisodeAnswer, ...]


@command(within=health, answers=Episodes)
@click.argument("name", metavar="ID")
@click.argument("verdict", type=click.Choice(report.VERDICTS))
@click.option("--note", default="", help="Why; kept with your word.")
def feedback(call: Call, name: str, verdict: str, *, note: str) -> int:
    """Say yourself how an episode came out: your word outweighs all other evidence."""
    with call.ledger() as outside:
        closed = report.feedback(outside, name, verdict, note, call.who.actor)

    def say(answer: Episodes) -> None:
        click.echo("Noted; the episode counts as:")
        say_episode(answer.episodes[0])

    return call.answer(Episodes(episodes=(as_episode(closed),)), say)


class Logs(NamedTuple):
    """What another system's logs hold, and how many executions of it were new."""

    executions: int
    skills: int
    unreadable: int
    new: int | None = None


@command("import", within=health, answers=Logs)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Count what is there; import nothing.")
def import_(call: Call, folder: Path, *, dry_run: bool) -> int:
    """Take over the logs of a self-adapting skill system: .history.json and the daily logs."""
    logs, new = _read(folder), None
    if not dry_run:
        with call.ledger() as outside:
            new = adopt(outside, logs)
    skills = len({execution.skill for execution in logs.logged})
    counts = filled(Logs, logs, executions=len(logs.logged), skills=skills, new=new)
    text = f"{counts.executions} executions, {skills} skills, {counts.unreadable} unreadable"
    text += ".\nNothing was imported." if new is None else f", {new} new."
    return call.answer(counts, text)


def _read(folder: Path) -> seed_health.SeedHealth:
    histories = (folder / seed_health.HISTORY, *folder.glob(f"*/{seed_health.HISTORY}"))
    history = next((path for path in histories if path.is_file()), None)
    daily = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace").split("\n")
        for path in sorted(folder.rglob("????-??-??.jsonl"))
    }
    if history is None and not daily:
        raise UsageError(
            f"{folder} holds neither {seed_health.HISTORY} nor daily logs. Nothing was imported."
        )
    text = None if history is None else history.read_text("utf-8", "replace")
    return seed_health.parse(text, daily)
