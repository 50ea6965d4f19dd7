"""`health evaluate`: a skill's new text against the one before, and what a person decides."""

from typing import Final, NamedTuple, cast

import click

from learnt.errors import LearntError, NotFound, UsageError
from learnt.flows.health import evaluate as evaluating
from learnt.flows.health.evaluate import Choice, Comparison
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, command, plain


class Comparisons(NamedTuple):
    """The last comparison of each skill; `done` is what was decided."""

    skills: tuple[Comparison, ...]
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
    with call.ledger() as outside:
        found = evaluating.comparisons(outside, skill)
        if choice and not found:
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


def say_comparison(shown: Comparison) -> None:
    """A comparison for people; of a regression all that its decision needs."""
    name = click.style(plain(shown.skill), bold=True)
    counted = f"{shown.executions} of {shown.target} executions"
    click.echo(f"{name} {shown.parent} → {shown.version}: {shown.status}, {counted}")
    after = "not known" if shown.current_gap is None else f"{shown.current_gap:.0%}"
    click.echo(f"  lacked of success: {shown.baseline_gap:.0%} before, {after} after (no proof)")
    if shown.label:
        click.secho(f"  {shown.label}", fg="red")
        click.echo(plain("".join(f"  {line}\n" for line in shown.diff.splitlines())), nl=False)
        click.echo(f"  roll back: {plain(shown.rollback_command)}")


_KEYS: Final[dict[str, Choice]] = {"b": "roll-back", "k": "keep", "i": "investigate"}


def review_regressions(call: Call, outside: Outside, *, decides: bool) -> int:
    """Show the new texts that did no better, and ask a person about each; how many there were."""
    waiting = evaluating.comparisons(outside, waiting=True)
    for shown in waiting:
        say_comparison(shown)
        if not decides:
            click.echo(f"  A person decides: `learnt health evaluate {plain(shown.skill)}`.")
            continue
        click.echo("roll [b]ack  [k]eep  [i]nvestigate  [s]kip ", nl=False)
        key = click.getchar().lower()
        click.echo(key if key.isprintable() else "")
        try:
            if key in _KEYS:
                done = evaluating.decide(outside, shown, _KEYS[key], call.who.decider)
                click.echo(plain(done))
        except LearntError as error:
            click.secho(plain(str(error)), fg="red")
    return len(waiting)


COMMANDS = (evaluate,)
