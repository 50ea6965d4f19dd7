"""`health effect`: whether what is put before agents helps."""

import click

from learnt.core.health.bets import DOUBT
from learnt.errors import UsageError
from learnt.flows.health import effects
from learnt.surfaces.answers.measured import Effects, effect_in_words, effects_told
from learnt.surfaces.cli.context import Call, command, plain


@command(answers=Effects)
@click.argument("item", required=False, default="")
@click.option("--unmask", is_flag=True, help="Have hooks show it again; it is measured anew.")
def effect(call: Call, item: str, *, unmask: bool) -> int:
    """Whether what is put before agents helps: each entry's effect, or one's, and how sure it is.

    A part of what hooks may show is held back by chance ([effects] share in config.toml), never
    what you typed yourself, nor what warns of something. What hurts is masked.
    """
    if unmask and not item:
        raise UsageError("Name the entry that hooks are to show again.")
    with call.asking() as outside:
        if unmask:
            effects.unmask(outside, item, call.who.actor)
        measured = effects.measured(outside, item)
    return call.answer(effects_told(measured), _say_effects)


def _say_effects(answer: Effects) -> None:
    if not answer.effects:
        click.echo(
            "Nothing was held back by chance yet, with which to compare what was shown: no effect "
            "can be told."
        )
    for item in answer.effects:
        known = item.effect
        click.echo(f"{click.style(item.entry, bold=True)}  {plain(item.about)[:60]}")
        click.echo(f"  effect {effect_in_words(known)}")
        less, often = known.graded_less, known.graded_more
        graded = "less often" if less > often else "more often"
        graded = f"graded {graded if max(less, often) >= DOUBT else 'alike'} where it was shown"
        counts = f"{known.units} units, {known.shown} shown, {item.open} not over; {graded}"
        click.secho(f"  {counts}", dim=True)
        if item.masked:
            back = f"`learnt health effect {item.entry} --unmask` brings it back"
            click.secho(f"  masked: no hook shows it; {back}", fg="yellow")
    for kind, known in answer.tasks.items():
        click.echo(f"{kind:<8} {known.units:>5} units, effect {effect_in_words(known)}")
