"""What may be injected, how much of it, and the coin that will tell whether it helped.

Every draw is recorded, so that figures need no guess about how an entry came to be shown.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from learnt.core.coin import EVEN, coin, uniform
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.standing import CREDIBILITY
from learnt.core.tokens import estimate

MILLION: Final = 1_000_000
MOST_UNPROVEN: Final = 1
MOST_ENTRIES: Final = 3
MOST_TOKENS: Final = 2_000
MOST_CHARACTERS: Final = 9_500  # the agent replaces a longer text by a preview

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: the arm, and the probability of having been shown, in millionths."""

    arm: Literal["shown", "withheld"]
    propensity: int


SURE: Final = Draw("shown", MILLION)  # whatever is not under the coin


def injectable(entry: Entry) -> bool:
    """Whether a hook may show it: validated, or unproven and the user's word or a passed check."""
    if entry.masked:
        return False  # it hurts
    if entry.stage is Stage.VALIDATED:
        return True
    checked = entry.origin is Origin.TOOL and any(
        witness.credibility >= CREDIBILITY["tool"] for witness in entry.standing.confirmations
    )
    return entry.stage is Stage.CANDIDATE and (entry.origin is Origin.USER or checked)


def exempt(entry: Entry) -> bool:
    """Whether it is never withheld: a person typed it, or it warns of something."""
    return entry.actor is Actor.HUMAN or bool(entry.cautions)


def under_coin(key: bytes, item: str, unit: str, share: float) -> bool:
    """Whether an item in a unit is among the part `share` that the coin decides on."""
    return uniform(key, "under the coin", item, unit) < share


def draw(key: bytes, item: str, unit: str, share: float, chance: float = EVEN) -> Draw:
    """The coin for an item in a unit (a session): the same answer however often it is asked.

    A part `share` of the pairs is under the coin, and of those `chance` is shown.

    >>> draw(b"k", "e-1", "s-1", 0.0)
    Draw(arm='shown', propensity=1000000)
    """
    if not under_coin(key, item, unit, share):
        return SURE
    shown = coin(key, item, unit, chance=chance)
    return Draw("shown" if shown else "withheld", round(MILLION * chance))


def at_most_one_unproven(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in their order, with no more than one that is not validated."""
    every = list(entries)
    unproven = [entry for entry in every if entry.stage is not Stage.VALIDATED]
    return [entry for entry in every if entry not in unproven[MOST_UNPROVEN:]]


def not_yet_shown(entries: Iterable[Entry], shown: Iterable[EntryId]) -> list[Entry]:
    """The entries in their order, without those that the context already holds."""
    there = frozenset(shown)
    return [entry for entry in entries if entry.id not in there]


def fits(text: str) -> bool:
    """Whether a text may be injected whole.

    >>> fits("x" * 8000), fits("x" * 8001), fits("锁" * 2700)
    (True, False, False)
    """
    return len(text) <= MOST_CHARACTERS and estimate(text) <= MOST_TOKENS


def pack(items: Sequence[T], render: Callable[[Sequence[T]], str], most: int) -> list[T]:
    """The items to show, in order: each that still fits beside those before it, up to `most`.

    >>> pack(["a" * 5000, "b" * 5000, "c"], "".join, 3) == ["a" * 5000, "c"]
    True
    """
    shown: list[T] = []
    for item in items:
        if len(shown) == most:
            break
        if fits(render([*shown, item])):
            shown.append(item)
    return shown
