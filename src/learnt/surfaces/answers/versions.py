"""How a trial of a skill's two texts goes: `skills trial`."""

from collections.abc import Mapping

from learnt.core.health.improvement import WINDOW, gap
from learnt.core.health.outcomes import MILLION
from learnt.core.records import Record
from learnt.flows.health.trial import TrialState, Uncounted
from learnt.formats.answers import filled


class TrialAnswer(Record):
    """How a trial of a skill's two texts goes: mean success 0 to 1 of the old and the new one.

    `uses` count; about so many `needed` more if the rest is like these, None where that can't be
    foreseen. `uncounted` are uses that do not count, by the reason.
    `better` and `worse` are e-values; `level` is the error that a promotion may have. `window` is
    the seed's: what the first executions of the new text lack of success, ten at most, against
    `gap` before; it proves nothing.
    """

    name: str
    proposal: str
    uses: int
    uncounted: Mapping[Uncounted, int]
    before: float | None
    after: float | None
    needed: int | None
    better: float | None
    worse: float | None
    level: float
    gap: float
    window: float | None
    ruling: str


def trial_told(looked: TrialState, name: str) -> TrialAnswer:
    """How a trial goes, as an answer."""
    going, found, result = looked
    lacked = gap(found.lacks[:WINDOW])
    return filled(
        TrialAnswer,
        result,
        name=name,
        proposal=going.name,
        uses=result.seen,
        uncounted=found.uncounted,
        needed=result.more,
        level=going.level,
        gap=going.evaluation.gap / MILLION,
        window=None if lacked is None else lacked / MILLION,
        ruling=result.ruling.value,
    )
