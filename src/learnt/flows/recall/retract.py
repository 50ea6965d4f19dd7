"""What was put before the agent is taken back: it came too late, or a person objects to it."""

from functools import partial

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Where, natural_key, payload_of
from learnt.core.identifiers import (
    EntryId,
    NaturalKey,
    Subject,
    entry_subject,
    plain_or_hashed,
    session_subject,
)
from learnt.core.knowledge.entries import Stage
from learnt.core.payloads.entry_events import EntryFeedback, NotDelivered, Recalled, Staged
from learnt.core.sessions.observations import Observation
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import append
from learnt.ports import Outside, Reader, Writer

LOOKED_BACK = 3  # recalls of the session
REASON = "a person said that it does not hold"


def answered_key(key: bytes, observation: Observation, session: str) -> NaturalKey | None:
    """The key of the answer to a prompt, or a skill's call; None where no prompt was named."""
    if not observation.episode:
        return None
    episode = plain_or_hashed(key, observation.episode)
    seen = (observation.agent, session, observation.subagent, episode, observation.digest)
    return natural_key(key, "prompt answered", *seen, observation.of_skill)


def retract(
    outside: Outside, writer: Writer, observation: Observation, session: str, reason: str
) -> None:
    """Record that an answer was not delivered, once, if there was one at all."""
    key = outside.ledger.key
    if "source" in observation.detail:  # a session's start
        recall = _last_start(writer, observation, session)
    else:
        answered = answered_key(key, observation, session)
        recall = None if answered is None else writer.keyed(answered)
    if recall is None or recall.kind is not Kind.RECALLED:
        return
    once = partial(natural_key, key, "not delivered", recall.id)
    gone = NotDelivered(recall=recall.id, reason=reason)
    answer = payload_of(Recalled, recall)
    of_session = replace(
        gone,
        entries=answer.shown,
        uncounted=answer.counted,
        exemplars=answer.exemplars,
        hinted=answer.hinted,
    )
    subject, where = session_subject(observation.agent, session), recall.where
    if append(writer, subject, Actor.LEARNT, of_session, where=where, key=once("session")):
        for entry in answer.counted:
            append(writer, entry_subject(entry), Actor.LEARNT, gone, where=where, key=once(entry))


def _last_start(reader: Reader, observation: Observation, session: str) -> Event | None:
    """The contents that a session's start showed last; a start has no prompt to be known by."""
    subject = session_subject(observation.agent, session)
    last = reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
    return next((each for each in last if payload_of(Recalled, each).mode == "start"), None)


def objected(outside: Outside, reader: Reader, session: str, entry: EntryId) -> bool:
    """Whether the person's last prompt of a session objects to what was shown, and this was."""
    reports = reader.observed(session)
    prompts = [seen for seen in reports if seen.observation.event == "UserPromptSubmit"]
    if not prompts or not prompts[-1].response.objects:
        return False
    name = plain_or_hashed(outside.ledger.key, session)
    return entry in shown_last(reader, session_subject(prompts[-1].observation.agent, name))


def shown_last(reader: Reader, subject: Subject) -> dict[EntryId, str]:
    """What was put before the agent last in a session, with its words."""
    words: dict[EntryId, str] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK):
        recall = payload_of(Recalled, event)
        if recall.mode in {"start", "act"}:  # rules, which a prompt did not ask for
            continue
        for name in recall.shown:
            entry = entry_of(reader, name)
            if entry is not None and entry.live:
                note = note_of(reader, entry)
                words[name] = " ".join((note.text, note.problem, *note.entities, *note.tags))
        if words:
            break
    return words


def take_back(writer: Writer, name: EntryId, where: Where) -> None:
    """Take out of use what a prompt objects to: invalid if validated, else retired."""
    entry = entry_of(writer, name)
    if entry is None or not entry.live:
        return
    if entry.stage is Stage.VALIDATED:
        invalid = EntryFeedback(result="invalidate", source="a person's prompt")
        append(writer, entry_subject(name), Actor.HUMAN, invalid, where=where)
    else:
        retired = Staged(stage=Stage.RETIRED, reason=REASON)
        append(writer, entry_subject(name), Actor.HUMAN, retired)
