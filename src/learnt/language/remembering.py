"""Whether a prompt asks that something be remembered; apart, since a hook may wait for it."""

import re
from functools import cache
from typing import Final

from learnt.language.patterns import phrases

_LOOKED_AT: Final = 200  # characters of a prompt's first line
_LOOKED_THROUGH: Final = 2_000  # characters of a prompt


def asks_to_remember(prompt: str) -> bool:
    """Whether a prompt asks, at its beginning or within, that something be remembered.

    >>> asks_to_remember("Remember: the gateway listens on 8443"), asks_to_remember("I remember it")
    (True, False)
    """
    first, last = prompt.lstrip(), prompt.rstrip().rpartition("\n\n")[2].lstrip()
    begun = (begins_with_it(text[:_LOOKED_AT].partition("\n")[0]) for text in {first, last})
    return any(begun) or wish_within(prompt[:_LOOKED_THROUGH])


def wish_within(text: str) -> bool:
    """Whether a text asks within it, or as a question, that something be remembered.

    >>> wish_within("Can you remember that staging is on 8443?"), wish_within("I remember")
    (True, False)
    """
    return phrases("remarks")["remember within"].search(text) is not None


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
