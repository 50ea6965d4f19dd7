"""`health effect`: whether what is put before agents helps."""

from collections.abc import Mapping
from typing import NamedTuple

import click

from learnt.core.health.bets import DOUBT, BetDecision
from learnt.core.health.effects import Effect
from learnt.core.health.tasks import TaskKind
from learnt.core.identifiers import EntryId
from learnt.errors import UsageError
from learnt.flows.health import effects
from learnt.formats.answers import filled
from learnt.surfaces.cli.context import Call, command, plain


class ItemEffect(NamedTuple):
    """What showing an entry changes, by units: sessions that a coin decided on.

    `open` are units that are not over. No hook shows what is `masked`. In its `effect` `helps`,
    `hurts` and how often it is graded are e-values: 20 and more is evidence.
    """

    entry: EntryId
    about: str
    masked: bool
    open: int
    effect: Effect


class Effects(NamedTuple):
    """The entries that a coin decided on, most units first; their effect together by kind of task.

    A kind follows from what was done after the coin fell: it describes, and decides nothing.
    """

    effects: tuple[ItemEffect, ...]
    tasks: Mapping[TaskKind, Effect]


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
    tasks = {kind: _rounded(known) for kind, known in effects.by_task(measured).items()}
    return call.answer(Effects(tuple(map(_effect, measured)), tasks), _say_effects)


def _effect(of: effects.MeasuredEntry) -> ItemEffect:
    told = {"entry": of.entry.id, "masked": of.entry.masked, "effect": _rounded(of.effect)}
    return filled(ItemEffect, of, **told)


def _rounded(known: Effect) -> Effect:
    values = {name: getattr(known, name) for name in Effect.__slots__}
    rounded = {name: round(v, 4) for name, v in values.items() if isinstance(v, float)}
    return filled(Effect, known, **rounded)


_RULINGS = {BetDecision.BETTER: "it helps", BetDecision.WORSE: "it hurts"}


def _say_effects(answer: Effects) -> None:
    if not answer.effects:
        click.echo(
            "Nothing was held back by chance yet, with which to compare what was shown: no effect "
            "can be told."
        )
    for item in answer.effects:
        known = item.effect
        click.echo(f"{click.style(item.entry, bold=True)}  {plain(item.about)[:60]}")
        click.echo(f"  effect {_told(known)}")
        less, often = known.graded_less, known.graded_more
        graded = "less often" if less > often else "more often"
        graded = f"graded {graded if max(less, often) >= DOUBT else 'alike'} where it was shown"
        counts = f"{known.units} units, {known.shown} shown, {item.open} not over; {graded}"
        click.secho(f"  {counts}", dim=True)
        if item.masked:
            back = f"`learnt health effect {item.entry} --unmask` brings it back"
            click.secho(f"  masked: no hook shows it; {back}", fg="yellow")
    for kind, known in answer.tasks.items():
        click.echo(f"{kind:<8} {known.units:>5} units, effect {_told(known)}")


def _told(known: Effect) -> str:
    more = "" if known.more is None else f", about {known.more} more"
    point = "not known" if known.estimate is None else f"{100 * known.estimate:+.0f} points"
    span = f"{100 * known.low:+.0f} to {100 * known.high:+.0f} at 95 %"
    return f"{point} ({span}): {_RULINGS.get(known.ruling, f'undecided{more}')}"
