"""An answer that never reached the prompt is taken back: not shown, its reuse not counted."""

from functools import partial

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import (
    NaturalKey,
    entry_subject,
    plain_or_hashed,
    session_subject,
)
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.recall_events import NotDelivered, Recalled
from learnt.core.sessions.observations import Observation
from learnt.flows.stored import append
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
) -> None:
    """Record that the answer to a prompt was not delivered, once, if there was one at all."""
    key = outside.ledger.key
    answered = answered_key(key, observation, session)
    recall = None if answered is None else writer.keyed(answered)
    if recall is None or recall.kind is not Kind.RECALLED:
        return
    once = partial(natural_key, key, "not delivered", recall.id)
    gone = NotDelivered(recall=recall.id, reason=reason)
    answer = payload_of(Recalled, recall)
    of_session = gone._replace(entries=answer.shown, uncounted=answer.counted)
    subject, where = session_subject(observation.agent, session), recall.where
    if append(writer, subject, Actor.LEARNT, of_session, where=where, key=once("session")):
        for entry in answer.counted:
            append(writer, entry_subject(entry), Actor.LEARNT, gone, where=where, key=once(entry))
