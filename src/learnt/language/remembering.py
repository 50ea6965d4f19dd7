"""Whether a prompt asks that something be remembered; apart, since a hook may wait for it."""

import re
from functools import cache
from typing import Final

from learnt.language.patterns import phrases

_LOOKED_AT: Final = 200  # characters of a prompt's first line


def asks_to_remember(prompt: str) -> bool:
    """Whether a prompt, or its last paragraph, begins by asking that something be remembered.

    >>> asks_to_remember("Remember: the gateway listens on 8443"), asks_to_remember("I remember it")
    (True, False)
    """
    first, last = prompt.lstrip(), prompt.rstrip().rpartition("\n\n")[2].lstrip()
    return any(begins_with_it(text[:_LOOKED_AT].partition("\n")[0]) for text in {first, last})


def begins_with_it(sentence: str) -> bool:
    """Whether a sentence begins by asking that something be remembered.

    >>> begins_with_it("Thanks. Remember: the gateway listens on 8443")
    True
    """
    return phrases("remarks")["remember"].match(body_of(sentence)) is not None


def body_of(sentence: str) -> str:
    """A sentence without the words that only take up the talk."""
    return _taken_up().sub("", sentence).strip()


@cache
def _taken_up() -> re.Pattern[str]:
    words = phrases("remarks")["takes up"].pattern
    return re.compile(rf"^\W*(?:(?:{words})[\s,.!，。！、~…;:]+)+", re.IGNORECASE)
