"""The entries near to a text, each as the gates compare it: what it says, and how far trusted."""

from collections.abc import Sequence
from dataclasses import replace

from learnt.core.events import Actor
from learnt.core.identifiers import ProjectId
from learnt.core.knowledge.confidence import TRUST_AT
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Neighbour
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.core.tokens import terms as terms_of
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Outside, Reader

NEAR = 8
MOST_TERMS = 64


def neighbours(
    outside: Outside, reader: Reader, text: str, scopes: Sequence[ProjectId]
) -> list[Neighbour]:
    """The entries that these projects see and that share most with a text, nearest first."""
    terms = list(dict.fromkeys(terms_of(text, outside.stem)))[:MOST_TERMS]
    if not terms:
        return []
    found = []
    now = outside.clock.now_ms()
    for match in reader.match(terms, scopes, NEAR).best:
        entry = entry_of(reader, match.entry)
        if entry is not None and entry.live:
            known = _known(reader, entry, now, outside.kinds)
            found.append(replace(known, here=_here(entry, scopes)))
    return found


def _here(entry: Entry, scopes: Sequence[ProjectId]) -> bool:
    return entry.scope in scopes if scopes else entry.scope is None


def _known(reader: Reader, entry: Entry, now_ms: int, kinds: Vocabulary) -> Neighbour:
    note = note_of(reader, entry, now_ms, kinds)
    fact = entry.text is not None
    trusted = note.level is not None and note.level >= TRUST_AT
    text = note.text if fact else note.problem
    validated = entry.stage is Stage.VALIDATED
    return Neighbour(
        id=entry.id,
        text=text,
        approach=note.approach,
        trusted=trusted,
        fact=fact,
        persons=validated and (entry.actor is Actor.HUMAN or entry.kind == "business_rule"),
    )
