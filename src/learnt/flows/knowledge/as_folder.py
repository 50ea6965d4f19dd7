"""What is validated, as a folder of topics that stands alone: its numbers go along."""

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.confidence import Belief
from learnt.core.knowledge.standing import belief, day
from learnt.core.knowledge.topics import Published, lay_out
from learnt.flows.knowledge.freshness import validated
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, look
from learnt.formats import topic_md
from learnt.ports import Outside


def as_folder(outside: Outside, folder: str) -> dict[str, str]:
    """The files of the facts that a folder's project sees, by name, with the index; {} for none.

    Facts too few for a topic of their own are there too: nobody else has them where it goes.
    """
    today = day(outside.clock.now_ms())
    facts: list[Published] = []
    beliefs: dict[EntryId, Belief] = {}
    with outside.ledger.reading() as reader:
        located = find(reader, look(outside, folder))
        for entry in validated(reader, {None, *(located.household if located else ())}):
            if entry.text is None:
                continue
            note = note_of(reader, entry)
            about = note.entities
            facts.append(Published(id=entry.id, layer=entry.topic, kind=entry.kind,
                                   text=note.text, entities=about))  # fmt: skip
            beliefs[entry.id] = belief(entry.standing, entry.kind, today)
    topics = lay_out(facts, {fact.layer for fact in facts}).topics
    files = {f"{topic.name}.md": topic_md.with_numbers(topic, beliefs) for topic in topics}
    return {**files, f"{topic_md.INDEX}.md": topic_md.index(topics)} if files else {}
