"""How far an entry can be trusted today: what speaks for it, what against it, and its age.

Two formulas, of days t since it was last confirmed, the kind's rate λ, successes α, failures β:

    classic      C = C0 · exp(−λ·t·(β+1)/(α+1))                    seed 000's own
    posterior    C = C0 · exp(−λ·t·(β+1)/(α+1) − 0.30·s)           the default

The shock s is failure weight that no success has answered yet: a failure counts at once, not only
once days have gone by. With s = 0 both are the same. This file goes along with an exported folder
and runs on Python 3.8.
"""

from __future__ import annotations

import math
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from learnt.core.knowledge.kinds import KINDS, policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnt.core.knowledge.kinds import Policy

Model = Literal["posterior", "classic"]

TRUST_AT: Final = 0.8
DISPUTED_C0: Final = 0.79  # where an entry in dispute begins that only numbers can tell of
VERIFY_AT: Final = 0.5
SHOCK: Final = 0.30
FADES_BY: Final = 4.0  # what a success of HALF's weight leaves of the shock, as a divisor
HALF: Final = 0.3
NEW: Final = 1.0
INVALIDATED: Final = 0.1


class Trust(str, Enum):
    """What to do with an entry: use it, look first, or take it for unknown."""

    TRUST = "TRUST"
    VERIFY = "VERIFY"
    REVALIDATE = "REVALIDATE"

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(str(self.value), spec)


class Belief(NamedTuple):
    """What is known of an entry's standing: `checked` says whether that makes sense."""

    kind: str
    confirmed: date
    c0: float = NEW
    alpha: float = 0.0
    beta: float = 0.0
    shock: float = 0.0


def checked(belief: Belief) -> Belief:
    """The same belief. Raises ValueError where it makes no sense.

    >>> checked(Belief(kind="schema", confirmed=date(2026, 1, 1))).c0
    1.0
    """
    if belief.kind not in KINDS:
        raise ValueError(f"{belief.kind!r} is no kind of entry")
    for name, value in (("C0", belief.c0), ("alpha", belief.alpha), ("beta", belief.beta),
                        ("s", belief.shock)):  # fmt: skip
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name}={value} is no number from 0 on")
    if belief.c0 > 1:
        raise ValueError(f"C0={belief.c0} is above 1")
    return belief


def confidence(
    belief: Belief, today: date, model: Model = "posterior", kinds: Mapping[str, Policy] = KINDS
) -> float:
    """The confidence on a day, 0 to 1. Raises ValueError where it was confirmed in the future.

    >>> round(confidence(Belief(kind="schema", confirmed=date(2026, 1, 1)), date(2026, 4, 11)), 6)
    0.740818
    """
    days = (today - belief.confirmed).days
    if days < 0:
        raise ValueError(f"it was confirmed in the future, on {belief.confirmed}")
    rate = policy(belief.kind, kinds).rate * (belief.beta + 1) / (belief.alpha + 1)
    shock = SHOCK * belief.shock if model == "posterior" else 0.0
    return belief.c0 * math.exp(-rate * days - shock)


def trust(level: float) -> Trust:
    """The trust that a confidence deserves.

    >>> trust(0.8), trust(0.5), trust(0.499999)
    (<Trust.TRUST: 'TRUST'>, <Trust.VERIFY: 'VERIFY'>, <Trust.REVALIDATE: 'REVALIDATE'>)
    """
    if level >= TRUST_AT:
        return Trust.TRUST
    return Trust.VERIFY if level >= VERIFY_AT else Trust.REVALIDATE


def after_success(belief: Belief, weight: float, today: date) -> Belief:
    """The belief after something confirmed it. Raises ValueError for no weight."""
    _check(weight)
    return belief._replace(
        alpha=_sum(belief.alpha, weight),
        shock=round(belief.shock * FADES_BY ** (-weight / HALF), 9),
        confirmed=today,
    )


def after_failure(belief: Belief, weight: float) -> Belief:
    """The belief after something contradicted it. Raises ValueError for no weight."""
    _check(weight)
    return belief._replace(beta=_sum(belief.beta, weight), shock=_sum(belief.shock, weight))


def after_reset(belief: Belief, today: date) -> Belief:
    """As new, from today."""
    return Belief(kind=belief.kind, confirmed=today)


def after_invalidation(belief: Belief) -> Belief:
    """Known to be wrong, whatever spoke for it: to be found out again."""
    return belief._replace(c0=INVALIDATED, alpha=0.0, beta=0.0, shock=0.0)


def _check(weight: float) -> None:
    if not (math.isfinite(weight) and weight > 0):
        raise ValueError(f"a weight of {weight} is none: it must be above 0")


def _sum(first: float, other: float) -> float:
    """A sum without the dust of binary fractions: 0.3 three times is 0.9."""
    return round(first + other, 9)
