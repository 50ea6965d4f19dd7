"""`health`: whether skills work, by what really happened where they were used."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from learnt.core.health.changes import Slowdown
from learnt.core.health.experiences import Experience
from learnt.core.health.outcomes import MILLION, Outcome, Trouble
from learnt.core.health.queue import QueueEntry
from learnt.core.health.stability import FLAGS, StabilityState
from learnt.errors import Refused, UsageError
from learnt.flows.health import report
from learnt.flows.health.adopt_logs import adopt, adopt_experiences
from learnt.flows.health.experiences import library
from learnt.flows.health.learnings import learnings as written_out
from learnt.flows.health.queue import queue as queue_of
from learnt.flows.health.queue import take_over
from learnt.formats import seed_experiences, seed_health, seed_queue
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.formats.learnings_md import LEARNINGS
from learnt.surfaces.answers.episodes import EpisodeAnswer, as_episode
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.effects import effect
from learnt.surfaces.cli.improving import COMMANDS


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
    """One skill's executions; `success_rate` is their mean grade, `interval` holds it at 95 %.

    `gap` is what it reached less what it reaches now, `forecast` the chance that the next succeeds,
    `version` the number of its text; of `slower` in milliseconds, of `costlier` in tokens.
    """

    skill: str
    executions: int
    graded: int
    unknown: int
    success_rate: float | None
    interval: tuple[float, float]
    imported: int
    gap: float
    state: StabilityState
    flags: int
    version: str
    forecast: float
    slower: Slowdown | None
    costlier: Slowdown | None
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
        _say_condition(skill)
        last = skill.last
        ended = in_words(last.trouble, last.cause, last.grade)
        click.secho(f"  last {moment(last.wall_ms)}  {ended}  why: {last.episode}", dim=True)


_COLOURS = {
    StabilityState.HEALTHY: "green",
    StabilityState.DEGRADING: "yellow",
    StabilityState.CRITICAL: "red",
}


def _say_condition(skill: SkillReport) -> None:
    version = f"version {plain(skill.version)}, " if skill.version else ""
    flags = f", {skill.flags} of {FLAGS} flags" if skill.flags else ""
    state = click.style(skill.state, fg=_COLOURS[skill.state])
    then = f"the next succeeds with {skill.forecast:.0%}"
    click.echo(f"  {version}{state}, gap {skill.gap:.2f}{flags}; {then}")
    for found, word, unit in (
        (skill.slower, "slower", "ms"),
        (skill.costlier, "costlier", "tokens"),
    ):
        if found:
            amounts = f"{found.before:,} to {found.now:,} {unit}"
            click.secho(f"  {word}: {amounts}, {found.factor:g} times as much", fg="yellow")


class Queue(NamedTuple):
    """The skills in trouble, by name, in the shape of a self-adapting skill system's file."""

    skills: Mapping[str, QueueEntry]


@command(within=health, answers=Queue)
def queue(call: Call) -> int:
    """Skills that were flagged, or of which two texts are compared; three flags are too many.

    Flagged is an execution that failed and left the skill in trouble. Recovery forgets the flags.
    """
    with call.ledger() as outside:
        return call.answer(Queue(skills=queue_of(outside)), _say_queue)


def _say_queue(answer: Queue) -> None:
    if not answer.skills:
        click.echo("No skill is in trouble, as far as was observed.")
    for name, entry in answer.skills.items():
        status = entry.status.replace("_", " ")
        due = click.style("  to be improved", fg="yellow") if entry.due else ""
        click.echo(f"{click.style(plain(name), bold=True)}  {status}{due}")
        last = f", last {entry.last_flagged}" if entry.last_flagged else ""
        click.echo(f"  {entry.flagged_count} flags{last}; gap {entry.stability_gap:.2f}")
        if entry.eval_start:
            since = f"{entry.eval_executions} executions since {entry.eval_start}"
            click.secho(f"  {since}, gap {entry.baseline_gap:.2f} before", dim=True)
        why = [("why", text) for text in entry.execution_ids[-3:]]
        for what, text in (("back", entry.rollback_command), ("issue", entry.github_issue), *why):
            if text:
                click.secho(f"  {what}: {plain(text)}", dim=True)


class Learned(NamedTuple):
    """What the last thirty days taught: the file's text, where it belongs, whether it is there."""

    text: str
    path: str
    written: bool


@command(within=health, answers=Learned)
@click.option("--write", is_flag=True, help="Write the file; without it, print what it would be.")
@click.option("--path", type=click.Path(path_type=Path), help="Where (else in Learnt's home).")
def learnings(call: Call, *, write: bool, path: Path | None) -> int:
    """What skills' executions of thirty days teach: LEARNINGS.md, whose pinned part is kept."""
    place = path or call.home / LEARNINGS
    whole = str(place.parent.resolve() / place.name)
    with call.ledger() as outside:
        text = written_out(outside, whole, write=write)
    said = f"{whole}: written." if write else text
    return call.answer(Learned(text=text, path=whole, written=write), said)


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


class Experiences(NamedTuple):
    """The past successes that are kept, at most twenty a skill, and as many imported ones."""

    experiences: tuple[Experience, ...]


@command(within=health, answers=Experiences)
@click.argument("skill", required=False, default="")
def experiences(call: Call, skill: str) -> int:
    """What went well when skills ran: up to three are told when a skill runs again."""
    with call.ledger() as outside:
        known = library(outside, skill)
    return call.answer(Experiences(experiences=tuple(known)), _say_experiences)


def _say_experiences(answer: Experiences) -> None:
    if not answer.experiences:
        click.echo("No past success is kept: none was seen, or of none the task is known.")
    for past in answer.experiences:
        source = "imported" if past.imported else f"why: {past.id}"
        told = (past.approach_taken, *past.key_decisions, ", ".join(past.tools_used), source)
        head = f"{click.style(plain(past.skill), bold=True)}  {plain(past.task_description)}"
        click.echo("\n  ".join([head, *filter(None, map(plain, told))]))


class Logs(NamedTuple):
    """What another system's logs hold, and how many executions of it were new."""

    executions: int
    skills: int
    unreadable: int
    new: int | None = None
    queued: int = 0  # skills in its queue of improvements
    experiences: int = 0  # past successes in its library
    new_experiences: int | None = None
    findings: tuple[str, ...] = ()  # what is wrong with others


@command("import", within=health, answers=Logs)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Count what is there; import nothing.")
def import_(call: Call, folder: Path, *, dry_run: bool) -> int:
    """Take over the logs of a self-adapting skill system: .history.json and the daily logs.

    Its improvement-queue.json as well: what was flagged there, and what waits for a person; and its
    experience-library: past successes, for people to read.
    """
    past, findings = _read_library(folder)
    (logs, (entries, mute)), new = _read(folder, alone=not (past or findings)), None
    own = {"queued": len(entries), "experiences": len(past), "findings": findings}
    if not dry_run:
        with call.ledger() as outside:
            new = adopt(outside, logs)
            take_over(outside, entries)
            own["new_experiences"] = adopt_experiences(outside, past)
    skills = len({execution.skill for execution in logs.logged})
    own |= {"executions": len(logs.logged), "skills": skills, "new": new}
    counts = filled(Logs, logs, **own, unreadable=logs.unreadable + mute)
    text = f"{counts.executions} executions, {skills} skills, {counts.unreadable} unreadable"
    text += f", {counts.queued} in the queue" if entries else ""
    text += f", {len(past)} past successes" if past else ""
    text += ".\nNothing was imported." if new is None else f", {new} new."
    return call.answer(counts, "\n".join([text, *map(plain, findings)]))


def _read_library(folder: Path) -> tuple[list[Experience], list[str]]:
    files = {}
    for path in folder.rglob("*.json"):
        if seed_experiences.FILE.fullmatch(path.name) or seed_experiences.FOLDER in path.parts:
            name = path.relative_to(folder).as_posix().removeprefix(f"{seed_experiences.FOLDER}/")
            own = path.is_file() and not path.is_symlink()  # a link may lead anywhere
            files[name] = path.read_text("utf-8", "replace") if own else ""
    return seed_experiences.parse(files)


def _found(folder: Path, name: str) -> Path | None:
    places = (folder / name, *sorted(folder.glob(f"*/{name}")))
    return next((path for path in places if path.is_file()), None)


def _read(
    folder: Path, *, alone: bool
) -> tuple[seed_health.SeedHealth, tuple[list[QueueEntry], int]]:
    history, queue_file = (_found(folder, name) for name in (seed_health.HISTORY, seed_queue.QUEUE))
    daily = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace").split("\n")
        for path in sorted(folder.rglob("????-??-??.jsonl"))
    }
    if history is None and queue_file is None and not daily and alone:
        raise UsageError(
            f"{folder} holds neither {seed_health.HISTORY} nor {seed_queue.QUEUE} nor daily logs "
            "nor past successes. Nothing was imported."
        )
    text = None if history is None else history.read_text("utf-8", "replace")
    try:
        queue_text = queue_file.read_text("utf-8") if queue_file else '{"skills": {}}'
        return seed_health.parse(text, daily), seed_queue.parse(queue_text)
    except ValueError as error:
        raise Refused(
            f"{queue_file} is damaged: {error}. Nothing was imported; mend it or take it away."
        ) from error


for _command in (effect, *COMMANDS):
    health.add_command(_command)
