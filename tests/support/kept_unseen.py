"""Many entries kept at once, for what is measured or tested on them: no gate looks at them."""

from collections.abc import Iterable
from itertools import islice

from learnt.core.identifiers import entry_id
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import Admit, Ruling
from learnt.flows.knowledge.capture import Offer, OfferOutcome, Recording, capture, record, tidied
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look, where_at
from learnt.ports import Outside

BATCH = 20  # in one transaction


def capture_many(
    outside: Outside, offers: Iterable[Offer], *, gated: bool = True
) -> list[OfferOutcome]:
    """Offer many, one after the other; `gated` False admits all, for data that was judged."""
    if gated:
        return [capture(outside, offer) for offer in offers]
    left, outcomes = iter(offers), []
    while batch := list(islice(left, BATCH)):
        folders = {offer.folder for offer in batch}
        places = {f: None if f is None else look(outside, f) for f in folders}
        with outside.ledger.writing() as writer:
            for offer in batch:
                name = entry_id(outside.clock.now_ms(), outside.random.bytes(3))
                where = where_at(outside, writer, places[offer.folder])
                what, redacted = tidied(outside, offer.what)
                own = Offer(what=what, actor=offer.actor, folder=offer.folder, quoted=offer.quoted)
                record(outside, writer, Recording(entry=name, offer=own, where=where), Admit())
                entry = entry_of(writer, name)
                outcomes.append(
                    OfferOutcome(
                        entry=name,
                        ruling=Ruling(decision=Admit(), passages=()),
                        stage=entry.stage if entry else Stage.REJECTED,
                        redacted=redacted,
                    )
                )
    return outcomes
