"""Whether a skill's text still says what the notes say that it was made of."""

from collections.abc import Collection
from enum import StrEnum
from operator import attrgetter

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import INVALID_C0, Entry

_WORDING = attrgetter("text", "problem", "approach", "cautions")


class NoteChange(StrEnum):
    """What became of a note since a skill's text was made of it; the values are for people."""

    CORRECTED = "was corrected"
    REPLACED = "was replaced"
    RETIRED = "was retired"
    DISPUTED = "is in dispute"
    INVALID = "was found to be wrong"
    ERASED = "was erased"
    HOLDS = "holds again"  # a text that says otherwise was accepted in between


def note_change(
    then: Entry, now: Entry, rivals: Collection[EntryId], *, revised: bool
) -> NoteChange | None:
    """What became of a note between the moment when a text was made of it and now; None: nothing.

    `rivals` are the notes that it is in open dispute with. A `revised` text was made for a change.
    """
    if now.about is None and then.about is not None:
        return NoteChange.ERASED
    if not now.live:
        gone = NoteChange.REPLACED if now.into else NoteChange.RETIRED
        return gone if then.live else None
    if _WORDING(then) != _WORDING(now):
        return NoteChange.CORRECTED
    if not set(rivals) <= set(then.disputes):
        return NoteChange.DISPUTED
    if _invalid(now):
        return None if _invalid(then) else NoteChange.INVALID
    over = not then.live or _invalid(then) or (then.disputes and not rivals)
    return NoteChange.HOLDS if revised and over else None


def may_have_changed(now: Entry) -> bool:
    """Whether a text may be older than the note: else its events need not be read."""
    return not now.live or bool(now.corrected or now.disputes) or _invalid(now)


def _invalid(entry: Entry) -> bool:
    return entry.standing.c0 <= INVALID_C0
