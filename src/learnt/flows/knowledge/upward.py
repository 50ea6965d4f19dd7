"""What a session learnt of one thing may lead up to: from structure to queries, to a procedure."""

from collections import Counter

from learnt.core.events import Kind
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact, Offered
from learnt.core.knowledge.placement import KIND_ABOVE, Layer
from learnt.core.knowledge.placement import upward as above
from learnt.flows.recall.search import entry_of
from learnt.ports import Reader


def upward(reader: Reader, what: Offered, session: str | None) -> str:
    """The kind of entry to capture next about what this fact is about; empty where there is none.

    Nobody is made to: a finished investigation is offered to be kept as a whole.
    """
    if session is None or not isinstance(what, Fact) or not what.entities:
        return ""
    about = {name.casefold() for name in what.entities}
    counts: Counter[Layer] = Counter()
    for event in reader.events(kind=Kind.REMEMBERED, session=session):
        entry = entry_of(reader, EntryId(event.subject.split(":", 1)[1]))
        if entry is None or not entry.live or entry.topic not in set(Layer):
            continue
        named = {(reader.text(ref) or "").casefold() for ref in entry.entities}
        if named & about:
            counts[Layer(entry.topic)] += 1
    leads = above(counts)
    return KIND_ABOVE[leads] if leads is not None else ""
