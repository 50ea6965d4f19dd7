"""How wide a text is on a terminal, and tables whose columns stand below each other."""

import unicodedata
from collections.abc import Sequence
from typing import Final

_WIDE: Final = frozenset("WF")
_WITHIN: Final = frozenset({"Mn", "Me"})  # marks that stand over or under another character


def width(text: str) -> int:
    """The places that it takes: two for a wide character, none for a mark on another.

    >>> width("套房"), width("e\\u0301"), width("abc")
    (4, 1, 3)
    """
    return len(text) if text.isascii() else sum(map(_places, text))


def _places(character: str) -> int:
    if unicodedata.category(character) in _WITHIN:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def padded(text: str, places: int) -> str:
    """It with blanks behind, so that it takes so many places; a longer one as it is.

    >>> padded("套", 4)
    '套  '
    """
    return text + " " * (places - width(text))


def fitting(text: str, places: int) -> str:
    """It, cut so that it takes no more places; that it was cut is seen.

    >>> fitting("套房套房", 6), fitting("套房", 4)
    ('套房…', '套房')
    """
    if width(text) <= places:
        return text
    kept, taken = "", 0
    for character in text:
        taken += _places(character)
        if taken >= places:
            break
        kept += character
    return kept + "…"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for each row; all of them take the same places, and so does each column.

    >>> table([["n", "id"], ["套", "1"]])
    ['n   id', '套  1 ']
    """
    widest = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(padded(text, places) for text, places in zip(row, widest, strict=True))
        for row in rows
    ]
