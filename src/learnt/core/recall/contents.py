"""What a session's start shows: the user's rules, and a line a note, the likeliest wanted first."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from learnt.core.events import Actor, Origin
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.records import Record

MOST_RULES: Final = 12  # whole; what is beyond them comes at its act, and by a line
MOST_WORDS, LEAST_WORDS = 14, 6  # of a note's line
GROUPED: Final = 60  # notes, from which they stand by topic
RECENT_MS: Final = 14 * 86_400_000
OPENED: Final = 3.0  # a note opened in each session
OWN: Final = 1.0  # the person's own
RECENT: Final = 0.5  # kept, given or opened lately
TOUCHED: Final = 1.0  # a file that it cites changed lately

T = TypeVar("T")


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
    own = OWN * (row.actor == Actor.HUMAN) + 0.5 * (row.stage == Stage.VALIDATED)
    return used + own + RECENT * (now_ms - row.last_ms < RECENT_MS) + TOUCHED * row.touched


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
