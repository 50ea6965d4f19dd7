"""`health`: whether skills work, by what really happened where they were used."""

from pathlib import Path

import click

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Outcome, Trouble
from learnt.core.json_values import JsonObject
from learnt.errors import UsageError
from learnt.flows.health import report
from learnt.flows.health.adopt import adopt
from learnt.formats import seed_health
from learnt.formats.injection import moment
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    caller,
    ledger_of,
    plain,
    print_json,
)


@click.group()
def health() -> None:
    """Whether skills work: executions, outcomes, and your own word on them."""


@health.command()
@click.argument("skill", required=False, default="")
@JSON
@HOME
def status(skill: str, *, as_json: bool, home: str | None) -> int:
    """Every skill that was used, or one: executions, success and its 95 % interval.

    A trouble whose cause was the surroundings or the user's input is held against no skill.
    """
    with ledger_of(caller(home)) as outside:
        found = report.skills(outside, skill)
    if as_json:
        print_json({"skills": [_skill_json(one) for one in found]})
        return 0
    if not found:
        click.echo("No skill was used yet, as far as was observed.")
    for one in found:
        low, high = one.interval
        rate = "not known" if one.success_rate is None else f"{one.success_rate:.0%}"
        span = "" if one.success_rate is None else f" ({low:.0%} to {high:.0%})"
        click.echo(f"{click.style(plain(one.skill), bold=True)}  success {rate}{span}")
        apart = f", {one.imported} imported" if one.imported else ""
        counted = f"{one.executions} executions, {one.graded} graded, {one.unknown} unknown{apart}"
        click.echo(f"  {counted}")
        last = f"{moment(one.last.wall_ms)}  {in_words(one.last_use.outcome)}"
        click.echo(click.style(f"  last {last}  why: {one.last.event}", dim=True))
    return 0


def _skill_json(one: report.SkillHealth) -> JsonObject:
    return {
        "skill": one.skill,
        "executions": one.executions,
        "graded": one.graded,
        "unknown": one.unknown,
        "success_rate": one.success_rate,
        "interval": list(one.interval),
        "imported": one.imported,
        "last": {
            "episode": one.last.event,
            "wall_ms": one.last.wall_ms,
            "by": one.last_use.by,
            **outcome_json(one.last_use.outcome),
        },
    }


def outcome_json(outcome: Outcome) -> JsonObject:
    """An outcome as JSON: the grade 0 to 1, or null."""
    return {
        "trouble": outcome.trouble,
        "cause": outcome.cause,
        "grade": None if outcome.grade is None else outcome.grade / MILLION,
        "graded": outcome.graded,
    }


def episode_json(episode: Episode) -> JsonObject:
    """An episode as JSON, with the evidence in words."""
    return {
        "episode": episode.event,
        "session": episode.session,
        "prompt": episode.prompt,
        "wall_ms": episode.wall_ms,
        "ended_by": episode.ended_by,
        "tools": episode.tools,
        "failed": episode.failed,
        "took_ms": episode.took_ms,
        "tokens": episode.tokens,
        **outcome_json(episode.outcome),
        "evidence": [{"what": q.what, "words": q.words} for q in episode.outcome.quotes],
        "entries": list(episode.entries),
    }


def in_words(outcome: Outcome) -> str:
    """An outcome in a few words."""
    ended = "no trouble" if outcome.trouble is Trouble.NONE else f"{outcome.trouble}"
    cause = "" if outcome.trouble is Trouble.NONE else f" ({outcome.cause})"
    grade = "not graded" if outcome.grade is None else f"{outcome.grade / MILLION:.0%}"
    return f"{ended}{cause}, {grade}"


def say_episode(episode: Episode) -> None:
    """Print an episode in a line, and its evidence below it."""
    ended = f"{moment(episode.wall_ms)}  {in_words(episode.outcome)}"
    click.echo(click.style(f"  {ended}  why: {episode.event}", dim=True))
    for quote in episode.outcome.quotes:
        click.echo(click.style(f"      {quote.what}: {plain(quote.words)}", dim=True))


@health.command()
@click.argument("episode", metavar="ID")
@click.argument("verdict", type=click.Choice(report.VERDICTS))
@click.option("--note", default="", help="Why; kept with your word.")
@JSON
@HOME
def feedback(episode: str, verdict: str, *, note: str, as_json: bool, home: str | None) -> int:
    """Say yourself how an episode came out: your word outweighs all other evidence."""
    who = caller(home)
    with ledger_of(who) as outside:
        found = report.feedback(outside, episode, verdict, note, who.actor)
    if as_json:
        print_json({"episodes": [episode_json(found)]})
        return 0
    click.echo("Noted; the episode counts as:")
    say_episode(found)
    return 0


@health.command("import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--dry-run", is_flag=True, help="Count what is there; import nothing.")
@JSON
@HOME
def import_(folder: str, *, dry_run: bool, as_json: bool, home: str | None) -> int:
    """Take over the logs of a self-adapting skill system: .history.json and the daily logs."""
    found = _read(Path(folder))
    counts: JsonObject = {
        "executions": len(found.logged),
        "skills": len({one.skill for one in found.logged}),
        "unreadable": found.unreadable,
    }
    if not dry_run:
        with ledger_of(caller(home)) as outside:
            counts = {**counts, "new": adopt(outside, found)}
    if as_json:
        print_json(counts)
        return 0
    click.echo(", ".join(f"{count} {name}" for name, count in counts.items()) + ".")
    if dry_run:
        click.echo("Nothing was imported.")
    return 0


def _read(folder: Path) -> seed_health.SeedHealth:
    histories = [
        p for p in (folder / seed_health.HISTORY, *folder.glob(f"*/{seed_health.HISTORY}"))
    ]
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
