"""What may be injected, how much of it, and the coin that will tell whether it helped.

Every draw is recorded, so that figures need no guess about how an entry came to be shown.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeVar

from learnt.core.coin import EVEN, coin, uniform
from learnt.core.events import Actor, Origin
from learnt.core.knowledge.confidence import INVALIDATED
from learnt.core.knowledge.entries import CREDIBILITY, THOUSAND, Entry, Stage
from learnt.core.knowledge.gates import FLEETING
from learnt.core.knowledge.kinds import RULE
from learnt.core.payloads.entry_events import Candidate
from learnt.core.records import Record
from learnt.core.tokens import estimate

MILLION: Final = 1_000_000
MOST_UNPROVEN: Final = 1
MOST_ENTRIES: Final = 3
MOST_HINTS: Final = 4
# Whatever the moments. Of a context epoch that is about three thousand tokens each.
NOTES_AN_EPOCH: Final = 30
HINTS_AN_EPOCH: Final = 120
NOTES_A_SESSION: Final = 60
HINTS_A_SESSION: Final = 240
MOST_TOKENS: Final = 2_000
MOST_CHARACTERS: Final = 9_500  # the agent replaces a longer text by a preview

T = TypeVar("T")


class Bearing(Record):
    """An entry that bears on a moment: if `sure` it is given whole, else a line names it."""

    entry: Entry
    candidate: Candidate
    sure: bool = True
    others: tuple[str, ...] = ()  # names of its failure that the present one lacks


class Draw(Record):
    """One draw: the arm, and the probability of having been shown, in millionths."""

    arm: Literal["shown", "withheld"]
    propensity: int


SURE: Final = Draw("shown", MILLION)  # whatever is not under the coin


def injectable(entry: Entry) -> bool:
    """Whether a hook may show it: validated, or what a person marked or a passed check shows."""
    if entry.masked:
        return False  # it hurts
    if entry.stage is Stage.VALIDATED:
        return True
    checked = entry.origin is Origin.TOOL and any(
        witness.credibility >= CREDIBILITY["tool"] for witness in entry.standing.confirmations
    )
    marked = entry.actor is Actor.HUMAN and entry.origin is Origin.USER
    return entry.stage is Stage.CANDIDATE and (marked or checked)


def faded(entry: Entry, left: float | None) -> bool:
    """Whether no line names it: it is as good as wrong. A person's words do not age, data do."""
    typed = (
        entry.actor is Actor.HUMAN and entry.origin is Origin.USER and entry.kind not in FLEETING
    )
    return left is not None and (entry.standing.c0 / THOUSAND if typed else left) <= INVALIDATED


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


def within_caps(
    bearing: Iterable[Bearing], notes: int = 0, hints: int = 0, *, before: tuple[int, int] = (0, 0)
) -> list[Bearing]:
    """As many as one moment may give to a context with so many notes and hints, best first.

    The session had so many `before` in earlier contexts. No more than one is unproven.
    """
    allowed: list[Bearing] = []
    room = {
        True: min(MOST_ENTRIES, NOTES_AN_EPOCH - notes, NOTES_A_SESSION - notes - before[0]),
        False: min(MOST_HINTS, HINTS_AN_EPOCH - hints, HINTS_A_SESSION - hints - before[1]),
    }
    unproven = MOST_UNPROVEN
    for one in sorted(bearing, key=lambda one: not one.sure):
        proven = one.entry.stage is Stage.VALIDATED
        if room[one.sure] > 0 and (proven or unproven > 0):
            allowed.append(one)
            room[one.sure] -= 1
            unproven -= not proven
    return allowed


def fits(text: str) -> bool:
    """Whether a text may be injected whole."""
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


MOST_RULES: Final = 12  # whole; what is beyond them comes at its act, and by a line
MOST_WORDS, LEAST_WORDS = 14, 6  # of a note's line
GROUPED: Final = 60  # notes, from which they stand by topic
RECENT_MS: Final = 14 * 86_400_000
OPENED: Final = 3.0  # a note opened in each session
OWN: Final = 1.0  # the person's own
RECENT: Final = 0.5  # kept, given or opened lately
TOUCHED: Final = 1.0  # a file that it cites changed lately


class Listable(Record):
    """What the order of the contents goes by, of one entry.

    `reused` counts the sessions in which it was given or opened, `last_ms` is when it was so last,
    or was kept, `sessions` how many began since.
    """

    actor: str
    stage: str
    last_ms: int = 0
    reused: int = 0
    sessions: int = 0
    touched: bool = False


def is_rule(kind: str | None, stage: str, actor: str | None, origin: str | None) -> bool:
    """Whether an entry is given as a rule: a person's own words, validated, of that kind."""
    return (kind, stage, actor, origin) == (RULE, Stage.VALIDATED, Actor.HUMAN, Origin.USER)


def expected_use(row: Listable, now_ms: int) -> float:
    """How much a note is likely to be wanted; lines that are never opened move down.

    >>> from msgspec.structs import replace
    >>> new = Listable("human", "validated")
    >>> expected_use(new, 0) > expected_use(replace(new, sessions=20), 0)
    True
    """
    used = OPENED * (row.reused + 1) / (row.reused + row.sessions + 3)
    vouched = OWN * (row.actor == Actor.HUMAN) + 0.5 * (row.stage == Stage.VALIDATED)
    return used + vouched + RECENT * (now_ms - row.last_ms < RECENT_MS) + TOUCHED * row.touched


def fill(items: Iterable[T], size: Callable[[T, int], int], room: int) -> tuple[list[T], int, bool]:
    """As many of the first items, and words of each, as there is room for; whether that is all.

    Lines are shortened before any is dropped. `size` is that of an item with so many words.

    >>> fill(["a", "b"], lambda item, words: words, 40), fill(["a", "b"], lambda i, w: w, 8)
    ((['a', 'b'], 14, True), (['a'], 6, False))
    """
    shown, left = list[T](), room
    for item in items:
        if (left := left - size(item, LEAST_WORDS)) < 0:
            return shown, LEAST_WORDS, False
        shown.append(item)
    widths = range(MOST_WORDS, LEAST_WORDS - 1, -1)
    at = bisect_left(widths, True, key=lambda words: sum(size(i, words) for i in shown) <= room)
    return shown, widths[at], True
