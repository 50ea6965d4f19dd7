"""Whether a prompt asks that something be remembered; apart, since a hook may wait for it."""

import re
from functools import cache
from typing import Final

from learnt.language.patterns import phrases

_LOOKED_AT: Final = 200  # characters of a prompt's first line


def asks_to_remember(prompt: str) -> bool:
    """Whether a prompt begins by asking that something be remembered.

    >>> asks_to_remember("Remember: the gateway listens on 8443"), asks_to_remember("I remember it")
    (True, False)
    """
    first = prompt.lstrip()[:_LOOKED_AT].partition("\n")[0]
    return phrases("remarks")["remember"].match(body_of(first)) is not None


def body_of(sentence: str) -> str:
    """A sentence without the words that only take up the talk."""
    return _taken_up().sub("", sentence).strip()


@cache
def _taken_up() -> re.Pattern[str]:
    words = phrases("remarks")["takes up"].pattern
    return re.compile(rf"^\W*(?:(?:{words})[\s,.!，。！、~…;:]+)+", re.IGNORECASE)
