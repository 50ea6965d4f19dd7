"""`health`: whether skills work, whether notes help, and what is kept of what skills did."""

from pathlib import Path

import click

from learnt.core.health.effects import DOUBT
from learnt.core.health.experiences import Experience
from learnt.core.health.improvement import QueueEntry, excuse_told
from learnt.core.health.trends import FORMULAS, StabilityState
from learnt.core.records import Record
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.health import effects, report
from learnt.flows.health.experiences import library
from learnt.flows.health.queue import adopt, adopt_experiences, take_over
from learnt.flows.health.report import SkillHealth
from learnt.flows.health.report import learnings as written_out
from learnt.formats import seed_health
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.formats.learnings_md import LEARNINGS
from learnt.surfaces.answers import home
from learnt.surfaces.cli.commands import LazyGroup
from learnt.surfaces.cli.context import Call, Id, command, plain


@command(answers=home.Effects)
@click.argument("item", required=False, default="")
@click.option("--unmask", is_flag=True, help="Have hooks show it again, and measure it from now.")
def effect(call: Call, item: str, *, unmask: bool) -> int:
    """Whether what is put before agents helps: each note's and skill's effect, and how sure it is.

    With `learnt config effects on` chance holds back a part of what hooks may show, also of what
    you remembered, but nothing that warns. What hurts is masked. Of a skill a trial tells it.
    """
    if unmask and not item:
        raise UsageError("Name the entry that hooks are to show again.")
    with call.asking() as outside:
        if unmask:
            effects.unmask(outside, item, call.who.actor)
        measured = effects.measured(outside, item)
        skills, lacks = effects.measured_skills(outside), effects.unmeasured(outside)
        told = home.effects_told(measured, *([], None) if item else (skills, lacks))
    return call.answer(told, _say_effects)


def _say_effects(answer: home.Effects) -> None:
    if not (answer.effects or answer.skills):
        click.echo("No effect can be told yet: chance held nothing back, and no skill had a trial.")
    for item in answer.effects:
        known = item.effect
        click.echo(f"{click.style(item.entry, bold=True)}  {plain(item.about)[:60]}")
        click.echo(f"  effect {home.effect_in_words(known)}")
        less, often = known.graded_less, known.graded_more
        graded = "less often" if less > often else "more often"
        graded = f"graded {graded if max(less, often) >= DOUBT else 'alike'} where it was shown"
        counts = f"{known.units} units, {known.shown} shown, {item.open} not over; {graded}"
        click.secho(f"  {counts}", dim=True)
        if item.masked:
            back = f"`learnt health effect {item.entry} --unmask` brings it back"
            click.secho(f"  masked: no hook shows it; {back}", fg="yellow")
    for skill in answer.skills:
        name = plain(f"{skill.skill} {skill.version}")
        click.echo(f"{click.style(name, bold=True)}  (skill, {skill.verdict or 'on trial'})")
        click.echo(f"  effect {home.effect_in_words(skill.effect)}")
        unknown = f", {skill.uncounted} more whose text is not known" if skill.uncounted else ""
        click.secho(f"  {skill.effect.units} uses, {skill.effect.shown} new{unknown}", dim=True)
    for kind, known in answer.tasks.items():
        click.echo(f"{kind:<8} {known.units:>5} units, effect {home.effect_in_words(known)}")
    if (lacks := answer.unmeasured) is None:
        return
    off = "note(s), since effects are off (`learnt config effects on`)"
    reasons = {
        "note(s) that warn, which are never held back": lacks.warning,
        "note(s) that no session met the coin for yet" if lacks.share else off: lacks.waiting,
        "skill(s) without a trial (`learnt evolve accept ID --trial`)": lacks.untried,
    }
    told = "; ".join(f"{count} {why}" for why, count in reasons.items() if count)
    if told:
        click.secho(f"Not measured: {told}.", dim=True)


def say_episode(episode: home.EpisodeAnswer) -> None:
    """Print an episode in a line, and its evidence below it."""
    ended = (
        f"{moment(episode.wall_ms)}  {home.in_words(episode.trouble, episode.cause, episode.grade)}"
    )
    click.secho(f"  {ended}  why: {episode.episode}", dim=True)
    for quote in episode.evidence:
        click.secho(f"      {quote.what}: {plain(quote.words)}", dim=True)


@click.group(
    cls=LazyGroup,
    own={
        "status": ("health:status", "Every skill that was used: success and condition."),
        "queue": ("improving:queue", "Skills that were flagged, or whose texts are compared."),
        "brief": ("improving:brief", "What an agent needs to improve a skill that fails."),
        "improve": ("improving:improve", "Propose a new text for a skill that fails, by rules."),
        "evaluate": ("improving:evaluate", "New texts of skills, each against the one before."),
        "effect": ("health:effect", "Whether what is put before agents helps."),
        "feedback": ("health:feedback", "Say yourself how an episode came out."),
        "learnings": ("health:learnings", "What thirty days teach: LEARNINGS.md."),
        "experiences": ("health:experiences", "What went well when skills ran."),
        "import": ("health:import_", "Take over a self-adapting skill system's logs."),
    },
)
def health() -> None:
    """Whether skills work: executions, outcomes, and your own word on them."""


class Skills(Record):
    """The skills that were used, most executions first."""

    skills: tuple[SkillHealth, ...]


@command(answers=Skills)
@click.argument("skill", required=False, default="")
@click.option("--gap", type=click.Choice([*FORMULAS]), default="default", show_default=True)
def status(call: Call, skill: str, *, gap: str) -> int:
    """Every skill that was used, or one: executions, success and its 95 % interval.

    A trouble whose cause was the surroundings or the user's input is held against no skill. With
    --gap classic, gap and state go by the seeds' formula: the mean of all grades less the least.
    """
    with call.asking() as outside:
        skills = tuple(report.skills(outside, skill, gap))
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
        if skill.failures:
            always = f" — {excuse_told(skill.excuse)}" if skill.excuse else ""
            click.echo(f"  {skill.failures}{always}")
        version = f"version {plain(skill.version)}, " if skill.version else ""
        flags = f", {skill.flags} flags" if skill.flags else ""
        state = click.style(skill.state, fg=_COLOURS[skill.state])
        click.echo(f"  {version}{state}, gap {skill.gap:.2f}{flags}")
        if skill.dropped:
            click.secho(f"  success dropped {skill.dropped} graded executions ago", fg="yellow")
        if skill.automatic:
            click.echo("  texts that rules make are applied by themselves")
        last = skill.last
        ended = home.in_words(last.trouble, last.cause, last.grade)
        click.secho(f"  last {moment(last.wall_ms)}  {ended}  why: {last.episode}", dim=True)


_COLOURS = {
    StabilityState.HEALTHY: "green",
    StabilityState.DEGRADING: "yellow",
    StabilityState.CRITICAL: "red",
}


class Episodes(Record):
    """Episodes as they count now."""

    episodes: tuple[home.EpisodeAnswer, ...]


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

    return call.answer(Episodes(episodes=(home.as_episode(closed),)), say)


class Learned(Record):
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


class Experiences(Record):
    """The past successes that are kept, at most twenty a skill, and as many imported ones."""

    experiences: tuple[Experience, ...]


@command(answers=Experiences)
@click.argument("skill", required=False, default="")
def experiences(call: Call, skill: str) -> int:
    """What went well when skills ran: up to three are shown when a skill runs again."""
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


class Logs(Record):
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
    (logs, (entries, mute), past, findings), new = _read(folder), None
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


Read = tuple[seed_health.SeedHealth, tuple[list[QueueEntry], int], list[Experience], list[str]]


def _read(folder: Path) -> Read:
    """What a system's logs, queue and library hold. Raises UsageError where there is nothing."""
    library, daily = dict[str, str](), dict[str, list[str]]()
    for path in sorted(folder.rglob("*.json*")):
        name = path.relative_to(folder).as_posix()
        in_library = seed_health.FILE.fullmatch(path.name) or seed_health.FOLDER in path.parts
        if in_library and path.suffix == ".json":
            plain_file = path.is_file() and not path.is_symlink()  # a link may lead anywhere
            text = path.read_text("utf-8", "replace") if plain_file else ""
            library[name.removeprefix(f"{seed_health.FOLDER}/")] = text
        elif path.match("????-??-??.jsonl"):
            daily[name] = path.read_text("utf-8", "replace").split("\n")
    files = [*folder.iterdir(), *sorted(folder.glob("*/*"))]
    history, queue = (
        next((path for path in files if path.name == name and path.is_file()), None)
        for name in (seed_health.HISTORY, seed_health.QUEUE)
    )
    past, findings = seed_health.experiences_of(library)
    if not (history or queue or daily or past or findings):
        raise UsageError(
            f"{folder} holds neither {seed_health.HISTORY} nor {seed_health.QUEUE} nor daily logs "
            "nor past successes. Nothing was imported."
        )
    try:
        queued = seed_health.queue_of(queue.read_text("utf-8") if queue else '{"skills": {}}')
        past_text = history.read_text("utf-8", "replace") if history else None
        return seed_health.parse(past_text, daily), queued, past, findings
    except ValueError as error:
        raise Refused(
            f"{queue} is damaged: {error}. Nothing was imported; mend it or take it away."
        ) from error
