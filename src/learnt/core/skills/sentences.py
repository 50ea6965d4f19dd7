"""The sentences of a skill's file, each with where it begins."""

import re
from collections.abc import Iterator
from typing import Final

SHORTEST: Final = 12  # characters of what can mislead anybody
LONGEST: Final = 1_000  # characters that are compared at once
_TITLE: Final = re.compile(r"#{1,6}(?:[ \t]+\S+){1,4}")
_END: Final = re.compile(r"(?<=[.!?])[\"'”»)*_]*\s+|(?<=[。！？])|\n")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each line of a text, cut where a sentence ends; without titles of up to four words.

    >>> list(sentences("Write notes. Then sort them.\\nok"))
    [(0, 'Write notes.'), (13, 'Then sort them.')]
    """
    start = 0
    for match in [*_END.finditer(text), None]:
        end = match.start() if match else len(text)
        for at in range(start, end, LONGEST):
            part = text[at : min(end, at + LONGEST)].strip()
            long = SHORTEST if part.isascii() else SHORTEST // 3
            if len(part) >= long and not _TITLE.fullmatch(part):
                yield at, part
        start = match.end() if match else end
