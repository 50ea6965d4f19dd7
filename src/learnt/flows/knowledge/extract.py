"""Memories that a model or a program extracted are offered to the gates, as anybody's words are."""

from collections.abc import Iterable
from typing import Final

from learnt.core.distil.distilled import NEWEST, RELATED, Extract, extracted, shared
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.relating import compare
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.recall.search import closest
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import text_or_empty
from learnt.ports import Outside

LOOKED_AT: Final = 50  # entries that share words with a memory


def offer_memories(
    outside: Outside, found: Iterable[Extract], *, folder: str | None = None
) -> list[OfferOutcome]:
    """Offer extracted memories as candidates; one near another of its category repeats it."""
    outcomes = []
    for memory in extracted(found):
        offer = Offer(
            what=memory.fact,
            actor=Actor.MODEL,
            folder=folder,
            repeats=next(iter(_near(outside, memory, folder)), None),
            came_from=Origin.ASSISTANT,
        )
        outcomes.append(capture(outside, offer))
    return outcomes


def _near(outside: Outside, memory: Extract, folder: str | None) -> list[EntryId]:
    """The newest memories of its category that hold much of what it says."""
    text = memory.fact.text
    place = None if folder is None else look(outside, folder)
    with outside.ledger.reading() as reader:
        located = find(reader, place) if place else None
        scopes = located.household if located else ()
        like = closest(outside, reader, text, scopes, LOOKED_AT)
        same = [
            each.entry
            for each in like
            if memory.category in {text_or_empty(reader, tag) for tag in each.entry.tags}
        ]
        newest = sorted(same, key=lambda entry: -entry.remembered_ms)[:NEWEST]
        said = {entry.id: text_or_empty(reader, entry.text) for entry in newest}
    return [
        name
        for name, old in said.items()
        if shared(text, old, outside.stem) >= RELATED
        # What may contradict it does not vouch for it.
        and compare(old, text, outside.stem).clash not in {"number", "negation"}
    ]
