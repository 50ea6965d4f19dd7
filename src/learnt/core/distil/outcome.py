"""What becomes of a draft: a new skill, a part of one that is there, two made one, or nothing.

A draft repeats a text as far as its terms stand in it. The lower bound is seed 004's for memories.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.distil.distilled import DistilledSkill, Matter
from learnt.core.tokens import Stem, terms

RELATED: Final = 0.4  # of a draft's terms: it belongs to that skill
REPEATED: Final = 0.8  # it says what is there already
_BEGINNING: Final = re.compile(r"[A-Z][\w ]{0,24}[:`]\s*")
LEAST_TERMS: Final = 4  # fewer say nothing of what a text repeats


class KnownText(NamedTuple):
    """A text that a draft may repeat: a skill's or a waiting draft's.

    `key` is what the caller knows it by. `open`: it may be given another text; `refused`: a person
    turned it down.
    """

    key: str
    text: str
    open: bool = True
    refused: bool = False


class New(NamedTuple):
    """It is a skill of its own."""


class Patch(NamedTuple):
    """These of its parts are missing in the text of that key."""

    key: str
    parts: tuple[Matter, ...]


class Fusion(NamedTuple):
    """It belongs to two skills that are about the same: the second goes into the first."""

    key: str
    other: str
    parts: tuple[Matter, ...]


class Nothing(NamedTuple):
    """It is said already, or was turned down; `key` is by what."""

    key: str
    why: str


Outcome = New | Patch | Fusion | Nothing


def shared(text: str, other: str, stem: Stem) -> float:
    """The part of a text's terms that stand in another, 0 to 1; 0 where a text has too few.

    >>> shared("lock queue drain stop", "drain and stop the queue", str)
    0.75
    """
    own = set(terms(text, stem))
    return len(own & set(terms(other, stem))) / len(own) if len(own) >= LEAST_TERMS else 0.0


def outcome(draft: DistilledSkill, known: Iterable[KnownText], stem: Stem) -> Outcome:
    """What becomes of a draft beside the texts that are known."""
    said = _said(draft.parts)
    near = [(shared(said, each.text, stem), each) for each in known]
    near = sorted((pair for pair in near if pair[0] >= RELATED), key=lambda pair: -pair[0])
    for share, each in near:
        if share >= REPEATED:
            why = "a person turned the like down" if each.refused else "it is said there already"
            return Nothing(each.key, why)
    homes = [each for _, each in near if each.open and not each.refused]
    if not homes:
        return New()
    home = homes[0].text
    missing = tuple(p for p in draft.parts if shared(_said([p]), home, stem) < REPEATED)
    if not missing:
        return Nothing(homes[0].key, "it is said there already")
    for other in homes[1:]:
        if shared(other.text, homes[0].text, stem) >= RELATED:
            return Fusion(homes[0].key, other.key, missing)
    return Patch(homes[0].key, missing)


def _said(parts: Iterable[Matter]) -> str:
    """What is said in them, without the words that begin every step of every draft."""
    texts = (text for part in parts for text in (part.when, *part.steps, *part.pitfalls))
    return "\n".join(_BEGINNING.sub("", text) for text in texts)
