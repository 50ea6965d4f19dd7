"""A phrase that a person reads on one screen and types on another: easy to say, hard to guess."""

from typing import Final

_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


def phrase(random: bytes) -> str:
    """Random bytes as words to be typed, a word for each two of them (the proquints of Wilkerson).

    >>> phrase(bytes([127, 0, 0, 1]))
    'lusab babad'
    """
    pairs = (int.from_bytes(random[at : at + 2], "big") for at in range(0, len(random) - 1, 2))
    return " ".join(map(_word, pairs))


def _word(number: int) -> str:
    shapes = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
    return "".join(letters[number >> at & len(letters) - 1] for at, letters in shapes)


def as_typed(text: str) -> str:
    """A phrase without what typing adds: blanks, hyphens and capitals.

    >>> as_typed(" Lusab-babad ")
    'lusab babad'
    """
    return " ".join(text.replace("-", " ").lower().split())
