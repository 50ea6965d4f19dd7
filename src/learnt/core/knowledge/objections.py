"""Which note a person means who says that something shown does not hold any more."""

from collections.abc import Mapping
from typing import Final

from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.core.records import Record
from learnt.core.tokens import words

LOOKED_AT: Final = 400  # characters of a prompt


class Objection(Record):
    """That a note which was shown does not hold; `about` are the words by which it is named."""

    about: tuple[str, ...] = ()


def objected_to(objection: Objection, prompt: str, shown: Mapping[EntryId, str]) -> EntryId | None:
    """The shown entry that a prompt objects to: by its id, the only one, or by words; or None.

    >>> objected_to(Objection(), "this changed", {EntryId("e-1"): "port 8443"})
    'e-1'
    >>> both = {EntryId("e-1"): "staging port 8443", EntryId("e-2"): "uart baud 460800"}
    >>> objected_to(Objection(about=("baud",)), "the baud note is outdated", both)
    'e-2'
    """
    named = [entry for entry in shown if ENTRY_ID.fullmatch(entry) and entry in prompt]
    if named or ENTRY_ID.search(prompt):
        return named[0] if len(named) == 1 else None
    # "The meeting note" is one of learnt's only where that speaks of meetings.
    about = set(objection.about)
    fitting = {entry: text for entry, text in shown.items() if about <= set(words(text))}
    if len(fitting) == 1:
        return next(iter(fitting))
    mentioned = set(words(prompt[:LOOKED_AT]))
    near = [entry for entry, text in fitting.items() if mentioned & set(words(text))]
    return near[0] if len(near) == 1 else None
