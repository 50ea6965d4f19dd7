"""A person says in a prompt that what was shown does not hold any more: that counts at once."""

from learnt.core.events import Actor, Draft, Where
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.entries import Stage
from learnt.core.payloads.entry_events import EntryFeedback
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of
from learnt.ports import Writer

REASON = "a person said that it does not hold"


def heed(writer: Writer, entry: EntryId, where: Where) -> None:
    """Take out of use what a prompt objects to, if it is in use.

    Validated it counts as invalid from now on; a candidate is retired. `reset` takes it back.
    """
    held = entry_of(writer, entry)
    if held is None or not held.live:
        return
    if held.stage is not Stage.VALIDATED:
        stage(writer, entry, Actor.HUMAN, Stage.RETIRED, REASON)
        return
    writer.append(
        Draft(
            subject=entry_subject(entry),
            actor=Actor.HUMAN,
            where=where,
            payload=EntryFeedback(result="invalidate", source="a person's prompt"),
        )
    )
