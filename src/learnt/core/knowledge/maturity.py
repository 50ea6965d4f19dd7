"""How far a body of knowledge has come, and the four signs by which one sees it (seed 000).

The rules: nascent below 10 validated entries; mature from there on, once at most a fifth of the
last 20 decisions let something in and no structure was put right for 14 days; growing in between.
A change of what the facts are about moves it back: that is as it should be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

FEW: Final = 10
LOOKED_AT: Final = 20
MATURE_SHARE: Final = 0.2
QUIET_DAYS: Final = 14


class Maturity(StrEnum):
    """How far a body of knowledge has come."""

    NASCENT = "nascent"
    GROWING = "growing"
    MATURE = "mature"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What has happened of late, the newest first.

    `validated` counts the entries; `decisions` are the gates' verdicts; `known` says of each of
    the last prompts whether something known bore on it; `renewals` of each of the last additions
    whether it only confirmed what was there. Days are None where it never happened.
    """

    validated: int = 0
    decisions: Sequence[str] = ()
    known: Sequence[bool] = ()
    renewals: Sequence[bool] = ()
    days_since_structure_changed: int | None = None
    days_since_a_new_topic: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One sign of maturity: what is counted, in words, and whether it points that way."""

    said: str
    points: bool


def maturity(record: Record) -> Maturity:
    """How far it has come, by the rules above.

    >>> held = ["reject"] * 17 + ["admit"] * 3
    >>> str(maturity(Record(validated=12, decisions=held)))
    'mature'
    >>> str(maturity(Record(validated=12, decisions=held, days_since_structure_changed=2)))
    'growing'
    """
    if record.validated < FEW:
        return Maturity.NASCENT
    last = record.decisions[:LOOKED_AT]
    changed = record.days_since_structure_changed
    quiet = changed is None or changed >= QUIET_DAYS
    enough = len(last) == LOOKED_AT
    settled = enough and _admitted(last) <= MATURE_SHARE * len(last)
    return Maturity.MATURE if quiet and settled else Maturity.GROWING


def _admitted(verdicts: Sequence[str]) -> int:
    return sum(verdict in {"admit", "correct"} for verdict in verdicts)


def signs(record: Record) -> tuple[Sign, ...]:
    """The four signs, in the seed's order; none of them is a goal to work towards.

    >>> [sign.points for sign in signs(Record())]
    [False, False, False, False]
    """
    known, decided = record.known[:LOOKED_AT], record.decisions[:LOOKED_AT]
    renewed, quiet = record.renewals[:LOOKED_AT], record.days_since_a_new_topic
    kept_out = len(decided) - _admitted(decided)
    settled = quiet is not None and quiet >= QUIET_DAYS
    since = "there is no topic yet" if quiet is None else f"no new topic for {quiet} days"
    in_words = (
        (f"{sum(known)} of the last {len(known)} prompts were about something known",
         _most(sum(known), len(known))),
        (f"the gates answered “do nothing” to {kept_out} of the last {len(decided)} offers",
         _most(kept_out, len(decided))),
        (since, settled),
        (f"{sum(renewed)} of the last {len(renewed)} additions confirmed what was known",
         _most(sum(renewed), len(renewed))),
    )  # fmt: skip
    return tuple(Sign(said=words, points=points) for words, points in in_words)


def _most(count: int, of: int) -> bool:
    return of >= LOOKED_AT // 2 and count > of / 2
