"""`health queue|evaluate|improve`: skills in trouble, their new texts, and how these compare."""

from collections.abc import Mapping
from functools import partial
from typing import Final, cast

import click
from msgspec.structs import replace

from learnt.bootstrap import repositories
from learnt.core.health.improvement import QueueEntry, excuse_told, start_improver
from learnt.core.records import Record
from learnt.errors import NotFound, UsageError
from learnt.flows.health import evaluate as evaluating
from learnt.flows.health import improve as automatic
from learnt.flows.health.evaluate import Choice, WindowComparison
from learnt.flows.health.improve import Improvement, ImprovementBrief, Improver, improvable
from learnt.flows.health.improve import brief as brief_of
from learnt.flows.health.queue import queue as queue_of
from learnt.flows.skills.catalogue import Catalogue, subject_of
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.shelf import shelf


class Queue(Record):
    """The skills in trouble, by name, in the shape of a self-adapting skill system's file."""

    skills: Mapping[str, QueueEntry]


@command(answers=Queue, project=True)
def queue(call: Call) -> int:
    """Skills that were flagged, or whose texts are compared; three flags are too many.

    Flagged is an execution that failed and left the skill in trouble. Recovery forgets the flags.
    What takes longer or more tokens than it did is listed as well.
    """
    with shelf(call, asks=True) as on:
        return call.answer(Queue(skills=queue_of(on.outside)), partial(_say_queue, on.known))


def _say_queue(known: Catalogue, answer: Queue) -> None:
    if not answer.skills:
        click.echo("No skill is in trouble, as far as was observed.")
    for name, entry in answer.skills.items():
        status = entry.status.replace("_", " ")
        due = "  to be improved" if entry.due else ""
        if due and not improvable(known, name):
            due += " where it comes from: its text is none of yours"
        click.echo(
            f"{click.style(plain(name), bold=True)}  {status}{click.style(due, fg='yellow')}"
        )
        last = f", last {entry.last_flagged}" if entry.last_flagged else ""
        click.echo(f"  {entry.flagged_count} flags{last}; gap {entry.stability_gap:.2f}")
        if entry.excuse:
            click.secho(f"  {excuse_told(entry.excuse)}", fg="yellow")
        if entry.due:
            click.echo(f"  by your agent: {plain(start_improver(name))}")
        if entry.eval_start:
            since = f"{entry.eval_executions} executions since {entry.eval_start}"
            click.secho(f"  {since}, gap {entry.baseline_gap:.2f} before", dim=True)
        why = [("why", text) for text in entry.execution_ids[-3:]]
        for what, text in (("back", entry.rollback_command), ("issue", entry.github_issue), *why):
            if text:
                click.secho(f"  {what}: {plain(text)}", dim=True)


@command(answers=ImprovementBrief, project=True)
@click.argument("skill")
def brief(call: Call, skill: str) -> int:
    """What an agent needs to improve a skill: its text, failures, cures and what was tried.

    The subagent skill-improver reads it, and proposes a text that waits for you.
    """
    with shelf(call, asks=True) as on:
        told = brief_of(
            on.outside, on.library, on.named(skill), on.project, str(call.home.resolve())
        )
    return call.answer(told, _say_brief)


def _say_brief(told: ImprovementBrief) -> None:
    excuses = "".join(f", {count} {cause}" for cause, count in told.excused.items())
    always = f" — {excuse_told(told.excuse)}" if told.excuse else ""
    click.secho(plain(told.skill), bold=True)
    click.echo(f"  {told.failed} of {told.executions} failed{excuses}{always}")
    for text in told.left_out:
        click.secho(f"  {text}", dim=True)
    for each in told.failures:
        click.echo(
            f"  `{plain(each.command)}` failed in {each.uses}: {plain(' / '.join(each.lines))}"
        )
        for cure in each.cures:
            click.secho(f"    {plain(cure)}", fg="green")
    for what, words in (("said", told.said), ("note", told.notes), ("learnt", told.learnings)):
        for text in words:
            click.secho(f"  {what}: {plain(text)}", dim=True)
    for attempt in told.tried:
        click.echo(f"  tried ({plain(attempt.ended)}): {plain(' '.join(attempt.added))}")


class Comparisons(Record):
    """The last comparison of each skill; `done` is what was decided."""

    skills: tuple[WindowComparison, ...]
    done: str = ""


@command(answers=Comparisons)
@click.argument("skill", required=False, default="")
@click.option("--roll-back", "choice", flag_value="roll-back", help="Put the earlier text back.")
@click.option("--keep", "choice", flag_value="keep", help="Keep the new text.")
@click.option("--investigate", "choice", flag_value="investigate", help="Look into it first.")
def evaluate(call: Call, skill: str, *, choice: str | None) -> int:
    """New texts of skills, each against the one before: ten executions, as before and after.

    Alike texts look better about as often as not: it is no proof. One that does no better waits
    for a person: roll back, keep, or investigate. Nothing is rolled back by itself.
    """
    if choice and not skill:
        raise UsageError("Name the skill that you decide on. Nothing was changed.")
    done = ""
    with call.asking() as outside:
        evaluating.settle(outside)
        found = evaluating.comparisons(outside, skill)
        if skill and not found:
            raise NotFound(f"No texts of a skill {skill!r} were compared yet.")
        if choice:
            decider = call.who.decider
            done = evaluating.decide(outside, found[-1], cast("Choice", choice), decider)
            found = evaluating.comparisons(outside, skill)
    return call.answer(Comparisons(tuple(found), done), _say)


def _say(answer: Comparisons) -> None:
    if not answer.skills:
        click.echo("No new text of a skill was compared with the one before yet.")
    for shown in answer.skills:
        say_comparison(shown)
    if answer.done:
        click.secho(plain(answer.done), fg="green")


def say_comparison(shown: WindowComparison) -> None:
    """A comparison for people; of a regression all that its decision needs."""
    name = click.style(plain(shown.skill), bold=True)
    part = f" of {shown.target}" if shown.target else ""
    counted = f"{shown.executions}{part} executions{'' if part else ' in a trial'}"
    texts = f" {shown.parent} → {shown.version}" if shown.version else ""
    click.echo(f"{name}{texts}: {shown.status}, {counted}")
    after = "not known" if shown.current_gap is None else f"{shown.current_gap:.0%}"
    proof = " (no proof)" if part else ""
    click.echo(f"  lacked of success: {shown.baseline_gap:.0%} before, {after} after{proof}")
    if shown.commit:
        click.echo(f"  committed as {shown.commit}; no hook was run")
    if shown.issue:
        click.echo(f"  issue: {plain(shown.issue)}")
    if shown.finding:
        click.secho(f"  {plain(shown.finding)}", fg="yellow")
    if shown.label:
        click.secho(f"  {shown.label}", fg="red")
        click.echo(plain("".join(f"  {line}\n" for line in shown.diff.splitlines())), nl=False)
        click.echo(f"  roll back: {plain(shown.rollback_command) or 'not known'}")


_APPLIED: Final = "It is applied when a session ends."


class Improvements(Record):
    """What became of the skills that are to be improved; `done` is what a person allowed."""

    skills: tuple[Improvement, ...]
    done: str = ""


@command(answers=Improvements, project=True)
@click.argument("skill", required=False, default="")
@click.option("--automatic", "mode", flag_value="automatic", help="Apply such texts by themselves.")
@click.option("--manual", "mode", flag_value="manual", help="Have them wait for a person again.")
def improve(call: Call, skill: str, *, mode: str | None) -> int:
    """Propose a new text for a skill that fails, by rules; without a name for each that is queued.

    A caution from its commonest failure of thirty days, else words that tell when it is wanted;
    nothing that was tried before. A person decides, for one skill with --automatic beforehand: then
    a text by rules is applied when a session ends, and committed, without running hooks, where git
    tracks it. What an agent writes waits all the same, and so does the way back.
    """
    if mode and not skill:
        raise UsageError("Name the skill that this is about. Nothing was changed.")
    with shelf(call) as on:
        if mode:
            named, decider = on.named(skill), call.who.decider
            subject = subject_of(on.outside, named, on.project)
            automatic.allow(on.outside, named, subject, decider, on=mode == "automatic")
            return call.answer(Improvements((), f"{named.name}: {mode}"), _say_improved)
        improver = Improver(on.outside, on.known, on.library, on.project)
        skills = [on.named(skill)] if skill else improver.due()
        made = []
        for each in skills:
            done = improver.improve(each, call.who.actor)
            if done.automatic and done.status == "proposed":
                obstacle = automatic.in_the_way(on.outside, repositories(), each)
                done = replace(done, finding=obstacle or _APPLIED)
            made.append(done)
    return call.answer(Improvements(tuple(made)), _say_improved)


def _say_improved(answer: Improvements) -> None:
    if answer.done:
        click.secho(plain(answer.done), fg="green")
    elif not answer.skills:
        click.echo("No skill fails so often that it is to be improved.")
    for made in answer.skills:
        rate = "not known" if made.success_rate is None else f"{made.success_rate:.0%}"
        name = click.style(plain(made.skill), bold=True)
        click.echo(f"{name}: {made.executions} executions in thirty days, success {rate}")
        if made.caution:
            click.echo(f"  for {made.failures} of them: {made.caution}")
        if made.proposal and made.finding != _APPLIED:
            click.echo(f"  {made.proposal} waits for a person: `learnt evolve show`.")
        elif made.status == "compared":
            click.echo("  Its last text is compared with the one before: `learnt health evaluate`.")
        if made.finding:
            click.echo(f"  {plain(made.finding)}")
