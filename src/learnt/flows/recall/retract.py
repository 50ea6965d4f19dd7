"""An answer that never reached the prompt is taken back: not shown, its reuse not counted."""

from learnt.core.events import Actor, Draft, Event, Kind, payload_of
from learnt.core.identifiers import (
    NaturalKey,
    entry_subject,
    plain_or_hashed,
    session_subject,
)
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.recall_events import NotDelivered, Recalled
from learnt.core.sessions.observations import Observation
from learnt.ports import Outside, Writer


def answered_key(key: bytes, observation: Observation, session: str) -> NaturalKey | None:
    """The natural key of the answer to a prompt; None where the agent did not name the prompt."""
    if not observation.episode:
        return None
    episode = plain_or_hashed(key, observation.episode)
    seen = (observation.agent, session, observation.subagent, episode, observation.digest)
    return natural_key(key, "prompt answered", *seen)


def retract(
    outside: Outside, writer: Writer, observation: Observation, session: str, reason: str
) -> Event | None:
    """Record that the answer to a prompt was not delivered, once, if there was one at all."""
    key = answered_key(outside.ledger.key, observation, session)
    recall = None if key is None else writer.keyed(key)
    if recall is None or recall.kind is not Kind.RECALLED:
        return None
    found = payload_of(Recalled, recall)
    gone = writer.append(
        Draft(
            subject=session_subject(observation.agent, session),
            actor=Actor.LEARNT,
            where=recall.where,
            payload=NotDelivered(
                recall=recall.id,
                reason=reason,
                entries=found.shown,
                uncounted=found.counted,
            ),
            natural_key=natural_key(outside.ledger.key, "not delivered", recall.id, "session"),
        )
    )
    if gone is None:
        return None
    for entry in found.counted:
        writer.append(
            Draft(
                subject=entry_subject(entry),
                actor=Actor.LEARNT,
                where=recall.where,
                payload=NotDelivered(recall=recall.id, reason=reason),
                natural_key=natural_key(outside.ledger.key, "not delivered", recall.id, entry),
            )
        )
    return gone
