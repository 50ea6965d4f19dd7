"""Seed 001's logs come in: executions without a session, counted apart from what was observed."""

import json
from collections.abc import Iterable

from learnt.core.events import Actor, Kind, Origin, Where
from learnt.core.health.experiences import Experience
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Quote, Trouble
from learnt.core.identifiers import keyed_hash, plain_or_hashed, session_subject, skill_subject
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.episode_events import EpisodeClosed, SkillUse
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import encode
from learnt.core.safety import clean, excerpt
from learnt.core.skills.skills import key_of
from learnt.flows.stored import append
from learnt.formats.seed_health import Logged, SeedHealth
from learnt.ports import Outside

AGENT = "seed-001"
_QUOTE = 200


def adopt(outside: Outside, seed: SeedHealth) -> int:
    """Record each execution once, however often it is imported; how many were new."""
    new = sum(_record(outside, logged) for logged in seed.logged if not logged.from_history)
    for skill, total in seed.totals.items():
        # What the daily logs told, now or at an earlier import, the history tells again.
        subject = session_subject(AGENT, _session(outside, skill))
        with outside.ledger.reading() as reader:
            recorded = sum(1 for _ in reader.events(subject=subject, kind=Kind.EPISODE_CLOSED))
        older = [row for row in seed.logged if row.from_history and row.skill == skill]
        new += sum(_record(outside, logged) for logged in older[: max(0, total - recorded)])
    return new


def _session(outside: Outside, skill: str) -> str:
    return keyed_hash(outside.ledger.key, "seed skill", skill)[:16]


def _record(outside: Outside, logged: Logged) -> bool:
    session = _session(outside, logged.skill)
    episode = keyed_hash(outside.ledger.key, "seed invocation", logged.id)[:16]
    good = logged.grade == MILLION
    error = excerpt(logged.error, _QUOTE)
    with outside.ledger.writing() as writer:
        words = writer.keep("evidence", error) if error else ""
        payload = EpisodeClosed(
            ended_by="import",
            outcome=Outcome(
                trouble=Trouble.NONE if good else Trouble.COMMAND,
                cause=Cause.NONE if good else Cause.SKILL,
                grade=logged.grade,
                quotes=(Quote(what="error", words=words),) if words else (),
            ),
            skills=(SkillUse(skill=writer.keep("skill", clean(logged.skill)), by="agent"),),
            took_ms=logged.took_ms,
            at_ms=logged.at_ms,
        )
        where = Where(agent=AGENT, session=session, episode=episode)
        key = natural_key(outside.ledger.key, "episode closed", AGENT, session, episode, None)
        subject = session_subject(AGENT, session)
        return append(writer, subject, Actor.TOOL, payload, where=where, key=key) is not None


def adopt_experiences(outside: Outside, found: Iterable[Experience]) -> int:
    """Record the past successes of another library, each once, for people; how many were new."""
    new = 0
    for past in found:
        subject = skill_subject("user", plain_or_hashed(outside.ledger.key, key_of(past.skill)))
        key = natural_key(outside.ledger.key, "past success imported", past.skill, past.id)
        with outside.ledger.writing() as writer:
            text = writer.keep("experience", clean(json.dumps(encode(past), ensure_ascii=False)))
            name = writer.keep("skill", clean(past.skill))
            payload = SkillEvent(action="exemplar", name=name, text=text, digest=past.id)
            origin = Origin.ASSISTANT
            new += append(writer, subject, Actor.TOOL, payload, origin=origin, key=key) is not None
    return new
