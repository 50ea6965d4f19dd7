"""What a session's start shows: the user's rules, and a line a note, the likeliest wanted first."""

from bisect import bisect, bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar

from learnt.core.events import Actor, Origin
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.kinds import RULE

MOST_RULES: Final = 12  # whole; what is beyond them comes at its act, and by a line
MOST_WORDS, LEAST_WORDS = 16, 6  # of a note's line
GROUPED: Final = 60  # notes, from which they stand by topic
RECENT_MS: Final = 14 * 86_400_000
OPENED: Final = 3.0  # a note opened in each session since it was kept
OWN: Final = 1.0  # the person's own
RECENT: Final = 0.5  # kept lately
TOUCHED: Final = 1.0  # a file that it cites changed lately

T = TypeVar("T")


class Listable(NamedTuple):
    """What the order of the contents goes by, of one entry.

    `reused` counts the sessions in which it was given or opened, `sessions` all since it was kept.
    """

    actor: str
    stage: str
    kept_ms: int = 0
    reused: int = 0
    sessions: int = 0
    touched: bool = False


def is_rule(kind: str | None, stage: str, actor: str | None, origin: str | None) -> bool:
    """Whether an entry is given as a rule: a person's own words, validated, of that kind."""
    own = actor == Actor.HUMAN and origin == Origin.USER
    return kind == RULE and stage == Stage.VALIDATED and own


def expected_use(row: Listable, now_ms: int) -> float:
    """How much a note is likely to be wanted; lines that are never opened move down.

    >>> new = Listable("human", "validated")
    >>> expected_use(new, 0) > expected_use(new._replace(sessions=20), 0)
    True
    """
    used = OPENED * (row.reused + 1) / (row.sessions + 3)
    own = OWN * (row.actor == Actor.HUMAN) + 0.5 * (row.stage == Stage.VALIDATED)
    return used + own + RECENT * (now_ms - row.kept_ms < RECENT_MS) + TOUCHED * row.touched


def fitted(items: Sequence[T], size: Callable[[T, int], int], room: int) -> tuple[Sequence[T], int]:
    """As many items, and as many words of each, as there is room for.

    Lines are shortened before any is dropped. `size` is that of an item with so many words.

    >>> fitted(["a", "b"], lambda item, words: words, 40), fitted(["a", "b"], lambda i, w: w, 8)
    ((['a', 'b'], 16), (['a'], 6))
    """
    widths = range(MOST_WORDS, LEAST_WORDS - 1, -1)
    at = bisect_left(widths, True, key=lambda words: sum(size(i, words) for i in items) <= room)
    if at < len(widths):
        return items, widths[at]
    sizes = accumulate(size(item, LEAST_WORDS) for item in items)
    return items[: bisect([*sizes], room)], LEAST_WORDS
