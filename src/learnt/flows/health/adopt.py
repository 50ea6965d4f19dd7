"""Seed 001's logs come in: executions without a session, counted apart from what was observed."""

from learnt.core.events import Actor, Draft, Kind, Where
from learnt.core.health.executions import outcome_payload
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Trouble
from learnt.core.identifiers import keyed_hash, session_subject
from learnt.core.json_values import JsonObject
from learnt.core.natural_keys import natural_key
from learnt.core.safety import excerpt
from learnt.formats.seed_health import Logged, SeedHealth
from learnt.ports import Outside, Writer

AGENT = "seed-001"
_QUOTE = 200


def adopt(outside: Outside, seed: SeedHealth) -> int:
    """Record each execution once, however often it is imported; how many were new."""
    with outside.ledger.writing() as writer:
        new = sum(_record(outside, writer, one) for one in seed.logged if not one.from_history)
        for skill, total in seed.totals.items():
            # What the daily logs told, now or at an earlier import, the history tells again.
            subject = session_subject(AGENT, _session(outside, skill))
            known = sum(1 for _ in writer.events(subject=subject, kind=Kind.EPISODE_CLOSED))
            older = [one for one in seed.logged if one.from_history and one.skill == skill]
            for one in older[: max(0, total - known)]:
                new += _record(outside, writer, one)
        return new


def _session(outside: Outside, skill: str) -> str:
    return keyed_hash(outside.ledger.key, "seed skill", skill)[:16]


def _record(outside: Outside, writer: Writer, one: Logged) -> bool:
    session = _session(outside, one.skill)
    episode = keyed_hash(outside.ledger.key, "seed invocation", one.id)[:16]
    good = one.grade == MILLION
    found = Outcome(
        trouble=Trouble.NONE if good else Trouble.COMMAND,
        cause=Cause.NONE if good else Cause.SKILL,
        grade=one.grade,
    )
    quotes: list[JsonObject] = []
    if one.error:
        quotes.append({
            "what": "error",
            "quote": writer.keep("evidence", excerpt(one.error, _QUOTE)),
        })
    payload: JsonObject = {
        "ended_by": "import",
        **outcome_payload(found, quotes),
        "skills": [{"skill": writer.keep("skill", one.skill), "by": "agent"}],
        "took_ms": one.took_ms,
        "at_ms": one.at_ms or None,
    }
    key = natural_key(outside.ledger.key, "episode closed", AGENT, session, episode, None)
    recorded = writer.append(
        Draft(
            subject=session_subject(AGENT, session),
            kind=Kind.EPISODE_CLOSED,
            actor=Actor.TOOL,
            where=Where(agent=AGENT, session=session, episode=episode),
            payload=payload,
            natural_key=key,
        )
    )
    return recorded is not None
