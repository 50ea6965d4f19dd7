"""`health learnings|experiences|import`: what is kept of what skills did."""

from pathlib import Path
from typing import NamedTuple

import click

from learnt.core.health.experiences import Experience
from learnt.core.health.queue import QueueEntry
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.health.adopt_logs import adopt, adopt_experiences
from learnt.flows.health.experiences import library
from learnt.flows.health.learnings import learnings as written_out
from learnt.flows.health.queue import take_over
from learnt.formats import seed_experiences, seed_health, seed_queue
from learnt.formats.answers import filled
from learnt.formats.learnings_md import LEARNINGS
from learnt.surfaces.cli.context import Call, command, plain


class Learned(NamedTuple):
    """What the last thirty days taught: the file's text, where it belongs, whether it is there."""

    text: str
    path: str
    written: bool


@command(answers=Learned)
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


class Experiences(NamedTuple):
    """The past successes that are kept, at most twenty a skill, and as many imported ones."""

    experiences: tuple[Experience, ...]


@command(answers=Experiences)
@click.argument("skill", required=False, default="")
def experiences(call: Call, skill: str) -> int:
    """What went well when skills ran: up to three are told when a skill runs again."""
    with call.asking() as outside:
        known = library(outside, skill)
    if skill and not known:
        raise NotFound(f"No past success of a skill {skill!r} is kept.")
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


@command("import", answers=Logs)
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
