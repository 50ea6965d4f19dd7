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


class Draft(Record, kw_only=True):
    """A fact has a `text` and the `entities` it is about; a solution a problem and an approach.

    `signs` are lines of results that name a solution's problem: it is found by them, and no one
    reads them.
    """

    text: str = ""
    kind: str = "solution"
    entities: tuple[str, ...] = ()
    problem: str = ""
    approach: str = ""
    cautions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str | None = None
    signs: tuple[str, ...] = ()

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact, and no solution."""
        return not (self.problem or self.approach)

    @property
    def subject(self) -> str:
        """The text by which its neighbours are found."""
        return self.text or self.problem

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that may be shown."""
        main = (self.text, self.problem, self.approach, self.language or "")
        lists = (*self.cautions, *self.entities, *self.tags, *self.files)
        return tuple(filter(None, (*main, *lists)))


def mentioned(text: str) -> tuple[str, ...]:
    """The names in a text; values in capitals only where it has no others.

    >>> mentioned("orders.state is OPEN or PAID"), mentioned("the state PAID is final")
    (('orders.state',), ('PAID',))
    """
    every = names(text)
    spelt = [name for name in every if not (name.isalpha() and name.isupper())]
    return tuple((spelt or every)[:MOST_ENTITIES])


def tidy(
    draft: Draft, named_in: Callable[[str], tuple[str, ...]] = mentioned
) -> tuple[Draft, tuple[str, ...]]:
    """It as it would be written, and the kinds of secret that were taken out of it.

    Private parts and secrets go; texts are trimmed; tags lose doubles and case. A fact that names
    no entities is about those that `named_in` finds in its text.
    """
    kinds: list[str] = []

    def clean(text: str) -> str:
        text, secrets = safety.redact_secrets(safety.strip_private(text))
        kinds.extend(secrets)
        return text.strip()

    text, entities = clean(draft.text), tuple(dict.fromkeys(map(clean, draft.entities)))
    if draft.is_fact and not any(entities):
        entities = tuple(name for name in named_in(text) if len(name) <= LONGEST_ENTITY)
    tidied = replace(
        draft,
        text=text,
        entities=tuple(filter(None, entities)),
        problem=clean(draft.problem),
        approach=clean(draft.approach),
        cautions=tuple(filter(None, map(clean, draft.cautions))),
        tags=tuple(filter(None, dict.fromkeys(clean(tag).casefold() for tag in draft.tags))),
        files=tuple(dict.fromkeys(filter(None, map(clean, draft.files)))),
        language=clean(draft.language or "") or None,
        signs=tuple(map(safety.redact, map(safety.strip_private, draft.signs))),
    )
    return tidied, tuple(kinds)


def normalised(draft: Draft) -> str:
    """The text in which exact duplicates are equal: width, case and spacing do not count.

    >>> a = Draft(problem="Port  in use", approach="Kill it")
    >>> normalised(a) == normalised(Draft(problem="port in use", approach="kill it "))
    True
    """
    texts = (draft.text,) if draft.is_fact else (draft.problem, draft.approach)
    folded = (unicodedata.normalize("NFKC", text).casefold() for text in texts)
    return "\n".join(" ".join(text.split()) for text in folded)
