"""How much may be put into a prompt: at most three entries, 2,000 tokens, 9,500 characters."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from learnt.core.tokens import estimate

MOST_ENTRIES: Final = 3
MOST_TOKENS: Final = 2_000
MOST_CHARACTERS: Final = 9_500  # the agent replaces a longer text by a preview

T = TypeVar("T")


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
