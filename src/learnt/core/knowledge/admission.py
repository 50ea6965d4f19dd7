"""Whether a candidate has proved itself: what witnesses add up to, and what else it takes.

Seed 000 v2: score = Σ credibility · relevance · e^(−0.01·days); validated from 2.0, expired below
0.1. Beside the score a candidate needs a witness that is more than an agent's judgement, two
sessions, and for a business rule the user's word. Two weeks nothing expires.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from learnt.core.events import Actor
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.standing import CREDIBILITY, CREDIBLE, THOUSAND, Confirmation, day

FADES: Final = 0.01  # a day
PROMOTE_AT: Final = 2.0
EXPIRE_BELOW: Final = 0.1
LEAST_SESSIONS: Final = 2
GRACE_DAYS: Final = 14

NEEDS: Final = {
    "score": "its witnesses do not add up to 2.0 yet",
    "credible": "nothing but an agent's judgement speaks for it",
    "sessions": "all its witnesses are of one session",
    "user": "a business rule needs the user's confirmation",
    "checks": "what an agent says needs the user's confirmation, or tool calls of two sessions",
}


class Judgement(NamedTuple):
    """What is to become of a candidate: its next stage; one that stays has `needs`, as in NEEDS."""

    stage: Stage
    needs: tuple[str, ...] = ()


def score(confirmations: Iterable[Confirmation], now_ms: int) -> float:
    """What the witnesses add up to on a day; whole days in UTC, as everywhere.

    >>> both = [Confirmation(ms=0, credibility=1_000, relevance=1_000)] * 2
    >>> score(both, 0), round(score(both, 100 * 86_400_000), 6)
    (2.0, 0.735759)
    """
    today = day(now_ms)
    return math.fsum(
        witness.credibility
        * witness.relevance
        / (THOUSAND * THOUSAND)
        * math.exp(-FADES * max(0, (today - day(witness.ms)).days))
        for witness in confirmations
    )


def classify(reached: float) -> Stage:
    """The stage that a score alone leads to (seed 000 v2).

    >>> str(classify(2.0)), str(classify(1.99)), str(classify(0.09))
    ('validated', 'candidate', 'retired')
    """
    if reached >= PROMOTE_AT:
        return Stage.VALIDATED
    return Stage.RETIRED if reached < EXPIRE_BELOW else Stage.CANDIDATE


def judge(
    confirmations: Sequence[Confirmation],
    kind: str,
    since_ms: int,
    now_ms: int,
    *,
    spoken: bool = False,
) -> Judgement:
    """What is to become of a candidate that was captured at `since_ms`.

    `spoken`: an agent worded it, who may have read it anywhere.
    """
    reached = classify(score(confirmations, now_ms))
    old = (day(now_ms) - day(since_ms)).days >= GRACE_DAYS
    if reached is Stage.RETIRED and old:
        return Judgement(Stage.RETIRED)
    by_user = any(witness.actor is Actor.HUMAN for witness in confirmations)
    checks = {w.session for w in confirmations if w.credibility >= CREDIBILITY["tool"]} - {""}
    missing = {
        "score": reached is not Stage.VALIDATED,
        "credible": not any(witness.credibility >= CREDIBLE for witness in confirmations),
        # A session that nobody saw is none: its name may be made up.
        "sessions": len({witness.session for witness in confirmations} - {""}) < LEAST_SESSIONS,
        "user": kind == "business_rule" and not by_user,
        "checks": spoken and not by_user and len(checks) < LEAST_SESSIONS,
    }
    needs = tuple(name for name, is_missing in missing.items() if is_missing)
    return Judgement(Stage.CANDIDATE if needs else Stage.VALIDATED, needs)
