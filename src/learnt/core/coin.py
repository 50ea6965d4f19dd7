"""The coin: chance that is the same whenever it is asked, by a key of the home."""

import hmac
from hashlib import sha256
from typing import Final

EVEN_UNITS: Final = 40  # of an item that nothing is known of; then most units are shown it
EVEN, MOSTLY = 0.5, 0.9


def uniform(key: bytes, *parts: str) -> float:
    """A number from 0 to 1, the same for the same words.

    >>> uniform(b"key", "arm", "e-1", "s-1") == uniform(b"key", "arm", "e-1", "s-1")
    True
    """
    digest = hmac.new(key, "\x00".join(parts).encode("utf-8", "replace"), sha256).digest()
    return int.from_bytes(digest[:8]) / 2**64


def propensity(units: int, *, decided: bool = False) -> float:
    """How likely an item is shown to the next unit, after so many of its units.

    >>> propensity(39), propensity(40), propensity(3, decided=True)
    (0.5, 0.9, 0.9)
    """
    return MOSTLY if decided or units >= EVEN_UNITS else EVEN


def coin(key: bytes, *unit: str, chance: float = EVEN) -> bool:
    """Whether this unit is shown the item, or the first of a pair gets the new text.

    >>> [coin(b"key", "e-1", session) for session in ("s-1", "s-2", "s-3", "s-4")]
    [True, False, True, True]
    """
    return uniform(key, "arm", *unit) < chance
