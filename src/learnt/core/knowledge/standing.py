"""What speaks for an entry and what against it, as whole numbers that add up alike everywhere.

Confirmations admit it; once it is validated, feedback slows or speeds its fading. Weights are
kept in thousandths; what goes through a power is computed when it is read.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Annotated, Final, NamedTuple

from learnt.core.events import Actor
from learnt.core.knowledge.confidence import FADES_BY, HALF, Belief
from learnt.core.records import ROWS

THOUSAND: Final = 1_000
MOST_KEPT: Final = 64  # confirmations of one entry; the oldest weigh next to nothing by then
ANSWERED: Final = 6_000  # success since a failure, in thousandths, that leaves nothing of its shock
# How far each kind of witness is believed (seed 000 v2), in thousandths.
CREDIBILITY: Final = {"tool": 1_000, "human": 800, "agent": 600, "indirect": 300}
RELEVANCE: Final = {"core": 1_000, "auxiliary": 500, "marginal": 200}
CREDIBLE: Final = CREDIBILITY["human"]  # from here on it is more than somebody's judgement
PROVEN: Final = 300  # what one proof adds to the successes, in thousandths
INVALID_C0: Final = 100
_LAST_DAY_MS: Final = 253_402_300_799_999
_DAY_MS: Final = 86_400_000


class Confirmation(NamedTuple):
    """One witness: when, how far believed and how relevant (thousandths); stored as a list."""

    ms: int
    credibility: int
    relevance: int
    session: str = ""
    actor: Actor = Actor.AGENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """All that was said of an entry, in thousandths; `shocks`: each failure, successes before."""

    confirmations: Annotated[tuple[Confirmation, ...], ROWS] = ()
    confirmed_ms: int = 0
    c0: int = THOUSAND
    alpha: int = 0
    beta: int = 0
    shocks: tuple[tuple[int, int], ...] = ()


NOTHING_SAID: Final = Standing()


def day(ms: int) -> date:
    """The day in UTC of a wall time, whatever a clock has said.

    >>> day(0), day(-5), day(10**18)
    (datetime.date(1970, 1, 1), datetime.date(1970, 1, 1), datetime.date(9999, 12, 31))
    """
    return datetime.fromtimestamp(min(max(ms, 0), _LAST_DAY_MS) / THOUSAND, UTC).date()


def belief(standing: Standing, kind: str, today: date) -> Belief:
    """What confidence reads. One confirmed by a clock that was ahead counts from today.

    >>> held = after_failure(Standing(), 1_500)
    >>> belief(after_success(held, 300, 0), "schema", day(0)).shock
    0.375
    """
    shock = sum(
        weight * FADES_BY ** (-(standing.alpha - before) / (THOUSAND * HALF))
        for before, weight in standing.shocks
    )
    return Belief(
        kind=kind,
        confirmed=min(day(standing.confirmed_ms), today),
        c0=standing.c0 / THOUSAND,
        alpha=standing.alpha / THOUSAND,
        beta=standing.beta / THOUSAND,
        shock=round(shock / THOUSAND, 9),
    )


def after_confirmation(standing: Standing, given: Confirmation, *, validated: bool) -> Standing:
    """One more witness; of a validated entry a credible one is proof, an agent's echo none."""
    standing = replace(standing, confirmations=(*standing.confirmations, given)[-MOST_KEPT:])
    if not validated or given.credibility < CREDIBLE:
        return standing
    weight = PROVEN * given.credibility * given.relevance // (THOUSAND * THOUSAND)
    return after_success(standing, max(1, weight), given.ms)


def after_success(standing: Standing, weight: int, ms: int) -> Standing:
    """After something proved it: it counts from now."""
    alpha = standing.alpha + weight
    shocks = tuple((at, lost) for at, lost in standing.shocks if alpha - at < ANSWERED)
    latest = max(standing.confirmed_ms, ms)
    return replace(standing, alpha=alpha, shocks=shocks, confirmed_ms=latest)


def after_failure(standing: Standing, weight: int) -> Standing:
    """After something spoke against it."""
    shocks = [*standing.shocks, (standing.alpha, weight)]
    if len(shocks) > 1 and shocks[-2][0] == standing.alpha:
        shocks[-2:] = [(standing.alpha, shocks[-2][1] + weight)]
    return replace(standing, beta=standing.beta + weight, shocks=tuple(shocks))


def as_new(standing: Standing, ms: int) -> Standing:
    """Validated, or found true anew: nothing for or against it, from now; its witnesses stay."""
    return Standing(confirmations=standing.confirmations, confirmed_ms=ms)


def invalid(standing: Standing) -> Standing:
    """Known to be wrong, whatever spoke for it."""
    return replace(standing, c0=INVALID_C0, alpha=0, beta=0, shocks=())
