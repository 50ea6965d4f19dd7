"""What a failure is called: the line of a result that names it, fit to be shown to an agent.

A result is somebody else's text. A line that speaks to its reader, or asks for anything, is never
taken: it could be there to teach the agent. Which texts are `speaking` the language room says.
"""

import re
from collections.abc import Container, Iterator
from typing import Final

from learnt.core import safety
from learnt.core.words import SIGNS

LONGEST: Final = 180
LOOKED_AT: Final = 12_000  # characters of a result's end

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
    fit = (shown(line) for line in naming(result) if line not in speaking)
    return next(filter(None, fit), "")


def shown(line: str) -> str:
    """A line of a result without its time and level; empty where nothing is left."""
    text = _BEFORE.sub("", " ".join(line.split())).strip()
    return safety.redact(text)[:LONGEST] if len(text) > 3 else ""


def naming(result: str) -> Iterator[str]:
    """The lines of a result that name a trouble, the surest first."""
    end = result if len(result) <= LOOKED_AT else result[-LOOKED_AT:].partition("\n")[2]
    lines = [line for line in dict.fromkeys(end.split("\n")) if line.strip()]
    for named in (_STRONG, _NAMES_TROUBLE):
        for line in reversed(lines) if named is _STRONG else lines:
            if named.search(_NO_TROUBLE.sub("", line)):
                yield line
