"""An agent picks words of its user's that are meant to last: Learnt proves that they were typed."""

from learnt.core.digest.remarks import Basis
from learnt.core.events import Kind, payload_of
from learnt.core.payloads.entry_events import Remembered
from learnt.flows.stored import named
from learnt.ports import Outside


def quotes_saved(outside: Outside, session: str) -> int:
    """How many quotes of a session were saved."""
    name = named(outside.ledger.key, session)
    with outside.ledger.reading() as reader:
        said = reader.events(kind=Kind.REMEMBERED, session=name) if name else ()
        return sum(payload_of(Remembered, event).lesson == Basis.QUOTE for event in said)
