"""`skills distil`: what finished sessions teach becomes proposals of skills."""

from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import click

from learnt.core.distil.evidence import Mode
from learnt.core.payloads.skill_events import Engine
from learnt.errors import LearntError, UsageError
from learnt.flows.skills.distil import (
    Distillation,
    Drafter,
    Fate,
    SkillsSeen,
    by_rules,
    distil,
    undistilled,
)
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.harvesting import SESSION, sessions_of
from learnt.surfaces.cli.shelf import shelf
from learnt.surfaces.open_home import asking_model


class Distillations(NamedTuple):
    """What became of each session."""

    sessions: tuple[Distillation, ...]


@command("distil", answers=Distillations, project=True)
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
def distil_command(
    call: Call, transcript: Path | None, name: str, engine: Engine, mode: Mode
) -> int:
    """Propose skills from what finished sessions show: fixes, sequences, conventions.

    Without words: all that have ended since, where there is enough, as it happens by itself; and
    the session that calls. A session that is named is distilled whatever there is. A proposal
    quotes its evidence and says where it comes from. A person decides.
    """
    if transcript is not None and name:
        raise UsageError("Either a transcript or --session, not both. Nothing was distilled.")
    made, code = [], 0
    with shelf(call) as on:
        drafter = by_rules(on.outside)
        if engine == "model":
            asking = asking_model(on.outside, call.who.settings)
            if asking is None:
                raise UsageError("[models] use in config.toml names no model. Nothing was asked.")
            drafter = Drafter("model", asking.drafts)
        due = partial(undistilled, engine=engine)
        sessions = sessions_of(on.outside, call.who.session, transcript, name, due)
        seen = SkillsSeen(on.known, on.library, on.project)
        asked = bool(transcript or name)
        for session in sessions:
            try:
                made.append(distil(on.outside, session, seen, drafter, asked=asked, mode=mode))
            except LearntError as error:
                if len(sessions) == 1:
                    raise
                # What became of the others is told all the same.
                failed = Distillation(session.id, engine, finding=str(error), failed=True)
                made, code = [*made, failed], code or error.exit_code
    return call.answer(Distillations(tuple(made)), _say, code)


def _say(answer: Distillations) -> None:
    if not answer.sessions:
        click.echo("No session has ended that was not distilled.")
    for made in answer.sessions:
        name = click.style(plain(made.session or "the transcript"), bold=True)
        seen = f"{made.failures} new failure(s), {made.successes} success(es)"
        click.echo(f"{name}: {'not distilled' if made.failed else seen}")
        if made.finding:
            click.echo(f"  {plain(made.finding)}")
        for fate in made.fates:
            click.echo(f"  {_told(fate)}")
        if made.memories:
            click.echo(f"  {made.memories} memory(ies) named, {made.remembered} became candidates")
    if any(fate.proposal for made in answer.sessions for fate in made.fates):
        click.echo("A person decides: `learnt review`, or `learnt evolve show ID`.")


def _told(fate: Fate) -> str:
    if not fate.proposal:
        return f"nothing of {plain(fate.skill)}: {plain(fate.why)}"
    what = {"new": "a new skill", "patch": "more for", "merge": "two skills as one:"}[fate.what]
    return f"{fate.proposal}: {what} {click.style(plain(fate.skill), bold=True)}"


COMMANDS = (distil_command,)
