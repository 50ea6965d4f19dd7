"""What waits for a person to vouch for it: the candidates, most looked for first."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

from learnt.core.events import Kind, Origin, payload_of
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.comparing import compare
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.recall_events import Recalled
from learnt.core.sessions.sessions import IMPORTER
from learnt.flows.knowledge.appraising import neighbours
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, text_or_empty
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

LOOKED_AT: Final = 1_000  # recalls
LATELY_MS: Final = 30 * 86_400_000
_ALIKE: Final = 0.5  # likeness


class Lately(NamedTuple):
    """Of the last thirty days, by entry: how often agents were given it, or a line that named it.

    `wanted`: how many prompts it bore on that it was not given to.
    """

    given: Counter[EntryId]
    wanted: Counter[EntryId]


def lately(reader: Reader, now_ms: int) -> Lately:
    """What the recalls of the last thirty days say, of very many the newest thousand."""
    given, wanted = Counter[EntryId](), Counter[EntryId]()
    for event in reader.events(kind=Kind.RECALLED, newest=LOOKED_AT):
        if now_ms - event.wall_ms > LATELY_MS:
            continue
        recall = payload_of(Recalled, event)
        if recall.mode == "start":  # which lists whatever there is
            continue
        told = {*recall.shown, *recall.hinted}
        given.update(told)
        if recall.mode == "hook":
            known = told.union(recall.already)
            wanted.update(each.entry for each in recall.found if each.entry not in known)
    return Lately(given, wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unproven:
    """A candidate, and the import that it came by; empty for none."""

    entry: Entry
    note: Note
    brought: str


def candidates(outside: Outside, folder: str) -> list[Unproven]:
    """The candidates that a folder's project sees, the oldest first.

    What a sweep would validate or retire by itself is among them.
    """
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        live = (e for e in all_stored(reader, Entry) if e.live and e.stage is Stage.CANDIDATE)
        seen = filter(checker.sees, live)
        return [
            Unproven(entry=e, note=checker.note(e), brought=_import_of(reader, e)) for e in seen
        ]


def _import_of(reader: Reader, entry: Entry) -> str:
    if entry.origin is not Origin.MIXED:  # as all that is imported is
        return ""
    said = reader.events(subject=entry_subject(entry.id), kind=Kind.REMEMBERED)
    names = (event.where.session for event in said if event.where.agent == IMPORTER)
    return next(filter(None, names), "")


def alike(outside: Outside, folder: str, entry: Entry) -> Note | None:
    """The fact that seems to say the same as another one, by the words of both; None for none."""
    place, found = look(outside, folder), list[tuple[float, EntryId]]()
    with outside.ledger.reading() as reader:
        checker, text = Checker(outside, reader, place), text_or_empty(reader, entry.text)
        for other in neighbours(outside, reader, text, checker.scopes):
            compared = compare(other.text, text, outside.stem)
            same = compared.sort and compared.clash != "number"
            if same and other.fact and other.id not in {entry.id, *entry.disputes}:
                found.append((compared.likeness, other.id))
        likeness, name = max(found, default=(0.0, None))
        best = entry_of(reader, name) if name and likeness >= _ALIKE else None
        return checker.note(best) if best else None
