"""What is named beside a note: other notes that may say something else of the same matter."""

from collections.abc import Iterable, Iterator
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.comparing import compare
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.eligibility import injectable
from learnt.flows.recall.held import held_back
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import text_or_empty
from learnt.formats.injection import Rival
from learnt.ports import Outside, Reader

SHOWN: Final = 0.5  # likeness


def notes_beside(
    outside: Outside, reader: Reader, names: Iterable[EntryId], *, unasked: bool
) -> Iterator[Rival]:
    """Those of some entries that an agent may be shown, by what they say; `unasked`: in a hook."""
    for name in names:
        entry = entry_of(reader, name)
        fit = entry is not None and entry.live and (injectable(entry) or not unasked)
        if entry is not None and fit and not held_back(outside, reader, entry):
            yield Rival(name, text_or_empty(reader, entry.about))


def suspicions_of(outside: Outside, reader: Reader, entry: Entry) -> Iterator[Rival]:
    """What rules alone suspect an entry to contradict, as far as a hook may show it.

    Only what is rather near: rules suspect much, and each line that is shown costs attention.
    """
    names = [each.other for each in entry.suspected if each.sort == "contradicts"]
    said = text_or_empty(reader, entry.about) if names else ""
    for rival in notes_beside(outside, reader, names, unasked=True):
        if compare(said, rival.text, outside.stem).likeness >= SHOWN:
            yield rival
