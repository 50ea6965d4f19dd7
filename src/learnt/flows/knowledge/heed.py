"""A person says in a prompt that what was shown does not hold any more: that counts at once."""

from dataclasses import replace

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.actors import typed
from learnt.core.identifiers import (
    EntryId,
    entry_subject,
    session_subject,
)
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.objections import objected_to, objects
from learnt.core.sessions.observations import Observation
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of
from learnt.flows.recall.shown import shown_last
from learnt.flows.sessions.observe import session_of, where_of
from learnt.ports import Outside, Writer

LOOKED_BACK = 3  # recalls of the session
REASON = "a person said that it does not hold"


def noted(observation: Observation, prompt: str) -> Observation:
    """A person's prompt with the mark that it objects to something shown, if it does."""
    if observation.actor is not Actor.HUMAN or not typed(prompt) or not objects(prompt):
        return observation
    return replace(observation, detail={**observation.detail, "objects": True})


def heed(outside: Outside, writer: Writer, observation: Observation, prompt: str) -> EntryId | None:
    """Take out of use what a prompt objects to; the entry, None where it is not clear which.

    Validated it counts as invalid from now on; a candidate is retired. `reset` takes it back.
    """
    if observation.detail.get("objects") is not True:
        return None
    name = session_of(outside, observation)
    entry = objected_to(prompt, shown_last(writer, session_subject(observation.agent, name)))
    held = None if entry is None else entry_of(writer, entry)
    if entry is None or held is None or not held.live:
        return None
    if held.stage is not Stage.VALIDATED:
        stage(writer, entry, Actor.HUMAN, Stage.RETIRED, REASON)
        return entry
    writer.append(
        Draft(
            subject=entry_subject(entry),
            kind=Kind.FEEDBACK,
            actor=Actor.HUMAN,
            where=where_of(outside, writer, observation),
            payload={"result": "invalidate", "source": "a person's prompt"},
        )
    )
    return entry
