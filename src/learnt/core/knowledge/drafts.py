"""What is offered, before any gate: a fact in a sentence, or a solution to a problem."""

import unicodedata
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.records import Record
from learnt.core.tokens import names

MOST_ENTITIES: Final = 8
LONGEST_ENTITY: Final = 120


class Solution(Record, kw_only=True):
    """A solution as given: a problem, what to do, and what to beware of.

    `signs` are lines of results that name the problem: it is found by them, and no one is told.
    """

    problem: str
    approach: str
    cautions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str | None = None
    signs: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that may be told."""
        language = (self.language,) if self.language else ()
        return (self.problem, self.approach, *self.cautions, *self.tags, *self.files, *language)

    @property
    def kind(self) -> str:
        """Its kind of entry."""
        return "solution"


class Fact(Record, kw_only=True):
    """A fact as given: a sentence or two, its kind, and the names of what it is about."""

    text: str
    kind: str
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it."""
        return (self.text, *self.entities, *self.tags)


Offered = Fact | Solution


def mentioned(text: str) -> tuple[str, ...]:
    """The names in a text; values in capitals only where it has no others.

    >>> mentioned("orders.state is OPEN or PAID"), mentioned("the state PAID is final")
    (('orders.state',), ('PAID',))
    """
    every = names(text)
    spelt = [name for name in every if not (name.isalpha() and name.isupper())]
    return tuple((spelt or every)[:MOST_ENTITIES])


def tidy(
    offered: Offered, named_in: Callable[[str], tuple[str, ...]] = mentioned
) -> tuple[Offered, tuple[str, ...]]:
    """It as it would be written, and the kinds of secret that were taken out of it.

    Private parts and secrets go; texts are trimmed; tags lose doubles and case. A fact that names
    no entities is about those that `named_in` finds in its text.
    """
    kinds: list[str] = []

    def clean(text: str) -> str:
        text, secrets = safety.redact_secrets(safety.strip_private(text))
        kinds.extend(secrets)
        return text.strip()

    tags = tuple(filter(None, dict.fromkeys(clean(tag).casefold() for tag in offered.tags)))
    if isinstance(offered, Fact):
        text = clean(offered.text)
        named = tuple(dict.fromkeys(filter(None, map(clean, offered.entities))))
        about = named or tuple(name for name in named_in(text) if len(name) <= LONGEST_ENTITY)
        return replace(offered, text=text, entities=about, tags=tags), tuple(kinds)
    return Solution(
        problem=clean(offered.problem),
        approach=clean(offered.approach),
        cautions=tuple(filter(None, map(clean, offered.cautions))),
        tags=tags,
        files=tuple(dict.fromkeys(filter(None, map(clean, offered.files)))),
        language=clean(offered.language or "") or None,
        signs=tuple(map(safety.redact, map(safety.strip_private, offered.signs))),
    ), tuple(kinds)


def normalised(offered: Offered) -> str:
    """The text in which exact duplicates are equal: width, case and spacing do not count.

    >>> a = Solution(problem="Port  in use", approach="Kill it")
    >>> normalised(a) == normalised(Solution(problem="port in use", approach="kill it "))
    True
    """
    if isinstance(offered, Fact):
        texts: tuple[str, ...] = (offered.text,)
    else:
        texts = (offered.problem, offered.approach)
    folded = (unicodedata.normalize("NFKC", text).casefold() for text in texts)
    return "\n".join(" ".join(text.split()) for text in folded)


def subject(offered: Offered) -> str:
    """The text by which its neighbours are found."""
    return offered.text if isinstance(offered, Fact) else offered.problem
