"""Whether what is put before agents helps: the answer of `health effect`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnt.core.health.bets import BetDecision
from learnt.core.health.effects import Effect
from learnt.core.health.tasks import TaskKind
from learnt.core.identifiers import EntryId
from learnt.flows.health.effects import MeasuredEntry, by_task
from learnt.formats.answers import filled


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


def effects_told(measured: Sequence[MeasuredEntry]) -> Effects:
    """What is known of the effects of some entries, as an answer."""
    tasks = {kind: _rounded(known) for kind, known in by_task(measured).items()}
    return Effects(tuple(map(_effect, measured)), tasks)


def _effect(of: MeasuredEntry) -> ItemEffect:
    told = {"entry": of.entry.id, "masked": of.entry.masked, "effect": _rounded(of.effect)}
    return filled(ItemEffect, of, **told)


def _rounded(known: Effect) -> Effect:
    values = {name: getattr(known, name) for name in Effect.__slots__}
    rounded = {name: round(v, 4) for name, v in values.items() if isinstance(v, float)}
    return filled(Effect, known, **rounded)


_RULINGS = {BetDecision.BETTER: "it helps", BetDecision.WORSE: "it hurts"}


def effect_in_words(known: Effect) -> str:
    """An effect, how sure it is, and what follows, in a line."""
    more = "" if known.more is None else f", about {known.more} more"
    point = "not known" if known.estimate is None else f"{100 * known.estimate:+.0f} points"
    span = f"{100 * known.low:+.0f} to {100 * known.high:+.0f} at 95 %"
    return f"{point} ({span}): {_RULINGS.get(known.ruling, f'undecided{more}')}"
