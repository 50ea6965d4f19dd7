"""What a failure is called: the line of a result that names it, fit to be shown to an agent.

A result is somebody else's text. A line that speaks to its reader, or asks for anything, is never
taken: it could be there to teach the agent. Which texts are `speaking` the language room says.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from learnt.core import safety
from learnt.core.words import SIGNS

LONGEST: Final = 180
LOOKED_AT: Final = 12_000  # characters of a result's end
OVERLAP: Final = 16  # characters in a row that two texts have in common, and not by chance
STRIDE: Final = 8  # every eighth piece is kept: any 23 characters in a row hold one
MOST_OF_ONE: Final = 200_000
MOST_PIECES: Final = 200_000

_NAMES_TROUBLE: Final = re.compile(rf"{SIGNS['trouble']}|✘|×", re.IGNORECASE)
_BEFORE: Final = re.compile(
    r"^(?:\s*(?:\[?\d{4}-\d\d-\d\d[T ]?[\d:.,]*Z?\]?|\[?\d\d:\d\d(?::\d\d)?[.,\d]*\]?|[+~-]\d+:?|"
    r"(?:INFO|WARN(?:ING)?|ERROR|FATAL|E)(?=[\s:])|\*+|#+|>+|\d+[:)](?=\s)|[│|✘×:])\s*)+"
)
_NO_TROUBLE: Final = re.compile(SIGNS["no trouble"])
_STRONG: Final = re.compile(SIGNS["sure trouble"])


def signature(result: str, speaking: Container[str]) -> str:
    """The line of a failed call's result that names the trouble; empty where none is fit.

    >>> signature("INFO a\\n2024-05-11 02:00:09 ERROR harbour 88: KeyError 'datum'\\nbye", ())
    "harbour 88: KeyError 'datum'"
    """
    for line in naming(result):
        text = _BEFORE.sub("", " ".join(line.split())).strip()
        if len(text) > 3 and line not in speaking:
            return safety.redact(text)[:LONGEST]
    return ""


def naming(result: str) -> Iterator[str]:
    """The lines of a result that name a trouble, the surest first."""
    end = result if len(result) <= LOOKED_AT else result[-LOOKED_AT:].partition("\n")[2]
    lines = [line for line in dict.fromkeys(end.split("\n")) if line.strip()]
    for named in (_STRONG, _NAMES_TROUBLE):
        for line in reversed(lines) if named is _STRONG else lines:
            if named.search(_NO_TROUBLE.sub("", line)):
                yield line


def lines_of(result: str) -> list[str]:
    """The lines of a result that are looked at, each once."""
    return list(dict.fromkeys(result[:MOST_OF_ONE].split("\n")))


def doubtful(results: Iterable[tuple[str, bool]], speaking: Container[str]) -> frozenset[str]:
    """Pieces of doubtful text: all of a result marked so, of others the lines to their reader."""
    pieces: set[str] = set()
    for text, wholly in results:
        for line in lines_of(text):
            if len(pieces) < MOST_PIECES and (wholly or line in speaking):
                plain = _plain(line)
                pieces.update(
                    plain[i : i + OVERLAP] for i in range(0, len(plain) - OVERLAP + 1, STRIDE)
                )
    return frozenset(pieces)


def echoes(text: str, pieces: frozenset[str]) -> bool:
    """Whether a text repeats what nobody vouches for: some words of it in a row.

    >>> echoes("so the port cannot be changed after boot", doubtful([
    ...     ("The port cannot be changed after boot.", True)], ()))
    True
    """
    if not pieces:
        return False
    plain = _plain(text)
    return any(plain[i : i + OVERLAP] in pieces for i in range(len(plain) - OVERLAP + 1))


def without_echoes(
    sentences: Sequence[str], pieces: frozenset[str], speaking: Container[str]
) -> list[str]:
    """The sentences that repeat nothing doubtful and speak to nobody."""
    return [s for s in sentences if not echoes(s, pieces) and s not in speaking]


def _plain(text: str) -> str:
    """Letters and digits alone; a character of a script without spaces weighs as much as two."""
    return "".join(c if c.isascii() else c + "+" for c in text.casefold() if c.isalnum())
