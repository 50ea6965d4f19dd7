"""`skills`: which there are, which fit a task, and whether their files are sound."""

from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import click

from learnt.core.distil.distilled import Mode
from learnt.core.payloads.skill_events import Engine
from learnt.core.records import Record
from learnt.core.skills.selection import Strategy
from learnt.core.skills.skills import GUARDED, Severity, SkillFile, key_of, unreadable
from learnt.errors import LearntError, UsageError
from learnt.flows.skills import catalogue, disclose
from learnt.flows.skills.disclose import Injection, Request, closest_skills, disclosed
from learnt.flows.skills.distil import Distillation, distil, undistilled
from learnt.stores.skill_folders import Validated, inspected
from learnt.surfaces.cli import skill_install, skill_versions
from learnt.surfaces.cli.context import Call, command, plain, say_by_words
from learnt.surfaces.cli.harvesting import SESSION, sessions_of
from learnt.surfaces.cli.screen import cut, padded
from learnt.surfaces.cli.shelf import say_findings, shelf
from learnt.surfaces.open_home import asking_model
from learnt.surfaces.skills_here import SkillAnswer, skill_answer

LIKELY: Final = 0.5  # how likely a skill fits, from which nothing is said about it
SHOWN: Final = 72  # places of a description in a list


@click.group()
def skills() -> None:
    """Skills: list, find, compare, install, check, pin and roll back."""


class SkillsAnswer(Record):
    """The skills that count, and those that another of the same name hides."""

    skills: tuple[SkillAnswer, ...]
    shadowed: tuple[SkillAnswer, ...] = ()


class ShownSkill(Record):
    """A skill with its text, or that of its file `path`; `files` are those beside its own."""

    skill: SkillAnswer
    path: str
    text: str
    files: tuple[SkillFile, ...]


@command("list", within=skills, answers=SkillsAnswer, project=True)
@click.option("--layer", type=click.Choice(["seed", "domain", "user", "project"]), default=None)
def list_(call: Call, *, layer: str | None) -> int:
    """All skills that an agent here can have, and where each comes from."""
    with shelf(call, asks=True) as on:
        every = (on.known.skills.values(), on.known.shadowed)
        told = [[skill_answer(on, skill) for skill in some] for some in every]
    chosen = (tuple(one for one in some if layer in {None, one.layer}) for some in told)
    return call.answer(SkillsAnswer(*chosen), _say_list)


def _say_list(answer: SkillsAnswer) -> None:
    if not answer.skills:
        click.echo("There are no skills here. `learnt skills install` copies the seed skills.")
        return
    wide = min(40, max(len(skill.name) for skill in answer.skills))
    for skill in answer.skills:
        rate = "" if skill.success_rate is None else f" {skill.success_rate:.0%}"
        failed = f" ({skill.failures})" if skill.failures else ""
        used = f"  used {skill.usage_count}×{rate}{failed}" if skill.usage_count else ""
        mark = "📌 " if skill.pinned else ""
        name = click.style(padded(plain(skill.name), wide), bold=True)
        click.echo(f"{mark}{name}  {skill.layer:<7}  {cut(skill.description, SHOWN)}{used}")
        _say_withheld(skill)
        if unreadable(skill.findings):
            click.secho("  not every agent can read its front matter", fg="yellow")
    for skill in answer.shadowed:
        click.secho(f"hidden by another of its name: {plain(skill.file)}", dim=True)


def _say_withheld(skill: SkillAnswer) -> None:
    if skill.withheld:
        click.secho(f"  not offered: {skill.withheld}", fg="red")
    if GUARDED in {finding.rule for finding in skill.findings}:
        click.secho("  only a person starts it", dim=True)


@command(within=skills, answers=ShownSkill, project=True)
@click.argument("name")
@click.option("--file", "path", default="", help="One of its other files instead, by its path.")
def show(call: Call, name: str, *, path: str) -> int:
    """A skill's text, whole, with what is known of it, what is wrong with it, and its other files.

    With --file one of those, if it is text and the skill is not withheld.
    """
    with shelf(call, asks=True) as on:
        skill = on.named(name)
        text, files = disclosed(on, skill, path)
        answer = ShownSkill(skill_answer(on, skill), path, text, files)
    return call.answer(answer, _say_shown)


def _say_shown(answer: ShownSkill) -> None:
    if answer.path:
        click.echo(plain(answer.text), nl=not answer.text.endswith("\n"))
        return
    skill = answer.skill
    click.secho(f"{plain(skill.name)} {plain(skill.version)}", bold=True)
    click.secho(f"{skill.layer}: {plain(skill.file)}", dim=True)
    _say_withheld(skill)
    say_findings(skill.findings)
    click.echo(f"\n{plain(answer.text)}")
    for file in answer.files:
        click.secho(f"{file.size:>9,} bytes  --file {plain(file.path)}", dim=True)


class SkillMatch(Record):
    """A skill that fits, with its score: more is better, of one search alone.

    `fits` (0 to 1) is how likely it is what was asked for, by its name and description.
    """

    score: float
    fits: float
    skill: SkillAnswer


class SkillMatches(Record):
    """The skills that fit a text, best first; `ranked_by` says how the text was looked for."""

    matches: tuple[SkillMatch, ...]
    ranked_by: str


@command(within=skills, answers=SkillMatches, project=True)
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", type=click.IntRange(1, 100), default=10, show_default=True)
def search(call: Call, words: tuple[str, ...], *, limit: int) -> int:
    """The skills whose text fits the words, best first."""
    with shelf(call, asks=True) as on:
        skills, text = on.known.skills.values(), " ".join(words)
        best, ranked_by = closest_skills(on.outside, on.library, skills, text, limit)
        likely = on.library.fits(text, [one.file for one, _ in best])
        matches = tuple(
            SkillMatch(round(score, 3), round(fits, 3), skill_answer(on, one))
            for (one, score), fits in zip(best, likely, strict=True)
        )
        say_by_words(on.outside)
    return call.answer(SkillMatches(matches, ranked_by), _say_matches)


def _say_matches(answer: SkillMatches) -> None:
    if not answer.matches:
        click.echo("No skill's text has any of these words.")
    for match in answer.matches:
        name = click.style(plain(match.skill.name), bold=True)
        click.echo(f"{match.score:6.2f}  {name}  {cut(match.skill.description, SHOWN)}")
        _say_withheld(match.skill)
    if answer.matches and max(match.fits for match in answer.matches) < LIKELY:
        click.echo("None of these clearly fits: their names and descriptions say little of it.")


@command(within=skills, answers=Injection, project=True)
@click.option("--task", default="", help="What is to be done.")
@click.option("--role", default="", help="Who does it: skills name agent_roles.")
@click.option("--stage", default="", help="Where in a pipeline (else the role).")
@click.option(
    "-k", type=click.IntRange(1, 100), default=5, show_default=True, help="At most so many."
)
@click.option("--strategy", type=click.Choice(get_args(Strategy)), default="tag", show_default=True)
@click.option("--pin", "pinned", multiple=True, help="A skill that comes first; repeatable.")
@click.option("--budget", type=click.IntRange(1), default=None, help="At most so many tokens.")
def inject(
    call: Call, *, task: str, role: str, stage: str, pinned: tuple[str, ...], **more: Any
) -> int:
    """Print the block of skills that goes into a prompt for a task.

    tag: by role and stage, the most used first; semantic: by the task, by words and, where an
    embedder is set, by meaning; hybrid: by tags, then by the task.
    """
    with shelf(call) as on:
        request = Request(task, role, stage, pinned, **more)
        injected = disclose.inject(on, request)
    for name in injected.missing:
        click.echo(f"learnt: there is no skill {plain(name)!r}; it was left out.", err=True)
    for key in map(key_of, pinned or on.known.pinned):
        if (skill := on.known.skills.get(key)) and skill.withheld:
            why = f"{skill.withheld} (`learnt doctor`)."
            click.echo(f"learnt: {plain(skill.name)} was left out: {why}", err=True)
    for name in injected.left_out:
        why = f"it does not fit into {request.budget} tokens."
        click.echo(f"learnt: {plain(name)} was left out: {why}", err=True)
    if not (injected.skills or injected.left_out):
        hint = "" if request.strategy == "semantic" else " --strategy semantic goes by the task."
        click.echo(f"learnt: no skill fits.{hint}", err=True)
    return call.answer(injected, lambda answer: click.echo(answer.block, nl=bool(answer.block)))


class Pinned(Record):
    """A skill and whether it comes first from now on; `changed` where it did not before."""

    name: str
    pinned: bool
    changed: bool


@command(within=skills, answers=Pinned, project=True)
@click.argument("name")
@click.option("--off", is_flag=True, help="No longer.")
def pin(call: Call, name: str, *, off: bool) -> int:
    """Have a skill chosen first whenever its role or stage fits. Only a person may say so."""
    with shelf(call) as on:
        skill = on.named(name)
        changed = catalogue.pin(on.outside, skill, on.project, call.who.decider, pinned=not off)
    text = f"{skill.name} is pinned{' no more' if off else ''}."
    return call.answer(Pinned(skill.name, not off, changed), text)


@command(within=skills, answers=Validated)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def validate(call: Call, paths: tuple[Path, ...]) -> int:
    """Check skills against the Agent Skills specification. Exit 1 where one has an error.

    A path is a skill's file, its folder, or a folder of skills. Nothing to check there is an error.
    """
    looked = [inspected(path) for path in paths]
    findings = tuple(finding for one in looked for finding in one.findings)
    errors = any(finding.severity is Severity.ERROR for finding in findings)

    def say(answer: Validated) -> None:
        say_findings(answer.findings)
        click.echo(f"{answer.checked} checked, {len(answer.findings)} findings.")

    return call.answer(Validated(sum(one.checked for one in looked), findings), say, int(errors))


class Distillations(Record):
    """What became of each session."""

    sessions: tuple[Distillation, ...]


@command("distil", within=skills, answers=Distillations, project=True)
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@SESSION
@click.option(
    "--engine",
    type=click.Choice(["rules", "model"]),
    default="rules",
    show_default=True,
    help="Who drafts: rules, or the model that [models] use in config.toml names.",
)
@click.option(
    "--mode",
    type=click.Choice(get_args(Mode)),
    default="skills_only",
    show_default=True,
    help="rl: first the failures whose end is surest; madmax: so, and however little there is.",
)
def distil_(call: Call, transcript: Path | None, name: str, engine: Engine, mode: Mode) -> int:
    """Propose skills from what finished sessions show: fixes, sequences, conventions.

    Without words: all that have ended since, where there is enough, as it happens by itself; and
    the session that calls. A session that is named is distilled whatever there is. A proposal
    quotes its evidence and says where it comes from. A person decides.
    """
    if transcript is not None and name:
        raise UsageError("Either a transcript or --session, not both. Nothing was distilled.")
    made, code = [], 0
    with shelf(call) as on:
        model = asking_model(on.outside, call.who.settings) if engine == "model" else None
        if engine == "model" and model is None:
            raise UsageError("[models] use in config.toml names no model. Nothing was asked.")
        due = partial(undistilled, engine=engine)
        sessions = sessions_of(on.outside, call.who.session, transcript, name, due)
        asked = bool(transcript or name)
        for session in sessions:
            try:
                made.append(distil(on, session, model, asked=asked, mode=mode))
            except LearntError as error:
                if len(sessions) == 1:
                    raise
                # The results of the others are shown all the same.
                failed = Distillation(session.id, engine, finding=str(error), failed=True)
                made, code = [*made, failed], code or error.exit_code
    return call.answer(Distillations(tuple(made)), _say_distilled, code)


_FATES: Final = {"new": "a new skill {}", "patch": "more for {}", "merge": "two skills as one: {}"}


def _say_distilled(answer: Distillations) -> None:
    if not answer.sessions:
        click.echo("No session has ended that was not distilled.")
    for made in answer.sessions:
        name = click.style(plain(made.session or "the transcript"), bold=True)
        seen = f"{made.failures} new failure(s), {made.successes} success(es)"
        click.echo(f"{name}: {'not distilled' if made.failed else seen}")
        if made.finding:
            click.echo(f"  {plain(made.finding)}")
        for fate in made.fates:
            if fate.proposal:
                what = _FATES[fate.what].format(click.style(plain(fate.skill), bold=True))
                click.echo(f"  {fate.proposal}: {what}")
            else:
                click.echo(f"  nothing of {plain(fate.skill)}: {plain(fate.why)}")
        if made.memories:
            click.echo(f"  {made.memories} memory(ies) named, {made.remembered} became candidates")
    if any(fate.proposal for made in answer.sessions for fate in made.fates):
        click.echo("A person decides: `learnt review`, or `learnt evolve show ID`.")


for _command in (*skill_versions.COMMANDS, *skill_install.COMMANDS):
    skills.add_command(_command)
