"""A prompt was typed: what is known of its subject is put before the agent, once, and recorded."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from learnt.core import safety
from learnt.core.events import Draft, Event, Kind, Where
from learnt.core.governance.actors import origin_of_prompt, typed
from learnt.core.identifiers import EntryId, entry_subject, session_subject
from learnt.core.json_values import JsonObject
from learnt.core.natural_keys import natural_key
from learnt.core.recall.budget import MOST_ENTRIES, pack
from learnt.core.recall.eligibility import (
    Draw,
    at_most_one_unproven,
    draw,
    injectable,
    not_yet_shown,
)
from learnt.core.recall.routing import of_two_topics
from learnt.core.recall.worth import should_recall
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session, from_state
from learnt.core.tokens import estimate
from learnt.flows.health.observe import reply_of
from learnt.flows.knowledge.citing import PATIENCE, Checker, looked_at
from learnt.flows.knowledge.heed import heed, noted
from learnt.flows.recall.became_skill import became_skill
from learnt.flows.recall.retract import answered_key
from learnt.flows.recall.search import Found, note_of, search
from learnt.flows.sessions.locate import Place, find, look
from learnt.flows.sessions.observe import session_of, take, where_of
from learnt.formats.injection import render
from learnt.ports import Outside, Reader, Writer

PROMPT_KEPT = 1_000
LOOKED_AT = 5
RECORDED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was found for a prompt, the coin's draws, and what is shown of it: text and ids.

    `drifted` are those shown whose citations are no longer what they were.
    """

    found: tuple[Found, ...] = ()
    already: tuple[EntryId, ...] = ()
    draws: tuple[tuple[EntryId, Draw], ...] = ()
    shown: tuple[EntryId, ...] = ()
    drifted: tuple[EntryId, ...] = ()
    text: str = ""


def answer_prompt(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> str:
    """The text to put before the agent; empty where nothing bears on the prompt.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more. A prompt reported
    twice is answered once.
    """
    clean = safety.public(prompt)
    if typed(prompt) and (said := reply_of(clean)):
        observation = replace(observation, detail={**observation.detail, "reply": said})
    observation = noted(observation, clean)
    if not (typed(prompt) and should_recall(clean)):
        with outside.ledger.writing() as writer:
            if take(outside, writer, observation):
                heed(outside, writer, observation, clean)
        return ""
    session_name = session_of(outside, observation)
    place = look(outside, observation.folder) if observation.folder else None
    with outside.ledger.within(expired), outside.ledger.reading() as reader:
        session = _session(reader, observation, session_name)
        chosen = choose(outside, reader, clean, session, place)
    with outside.ledger.writing() as writer:
        if not take(outside, writer, observation):
            return ""
        heed(outside, writer, observation, clean)
        where = where_of(outside, writer, observation, place)
        recorded = _record(outside, writer, observation, clean, session, chosen, where)
    return chosen.text if recorded is not None else ""


def _session(reader: Reader, observation: Observation, name: str) -> Session:
    state = reader.view(session_subject(observation.agent, name))
    return Session(agent=observation.agent, id=name) if state is None else from_state(state)


def choose(
    outside: Outside,
    reader: Reader,
    prompt: str,
    session: Session,
    place: Place | None,
) -> Chosen:
    """What bears on a prompt and is to be shown in this session; nothing is recorded yet."""
    located = find(reader, place) if place else None
    scopes = located.household if located else ()
    bearing = search(outside, reader, prompt, scopes, LOOKED_AT, floor=True)
    found = tuple(f for f in bearing if injectable(f.entry))
    fresh = not_yet_shown((f.entry for f in found), session.shown)
    root = place.facts.root if place else None
    routed = of_two_topics([(entry.topic, entry) for entry in fresh])
    unskilled = [entry for entry in routed if not became_skill(outside, reader, entry, root)]
    eligible = at_most_one_unproven(unskilled)[:MOST_ENTRIES]
    draws = tuple(
        (entry.id, draw(outside.ledger.key, entry.id, session.id, outside.share))
        for entry in eligible
    )
    withheld = {entry for entry, drawn in draws if drawn.arm == "withheld"}
    # A withheld slot stays empty: filling it would show what the coin did not choose.
    now = outside.clock.now_ms()
    checker = Checker(outside, reader, None if root is None else str(root), scopes, PATIENCE)
    notes = [
        looked_at(checker, entry, note_of(reader, entry, now, outside.kinds))
        for entry in eligible
        if entry.id not in withheld
    ]
    shown = pack(notes, render, MOST_ENTRIES)
    return Chosen(
        found=found,
        already=tuple(f.entry.id for f in found if f.entry.id in session.shown),
        draws=draws,
        shown=tuple(note.id for note in shown),
        drifted=tuple(note.id for note in shown if note.stale),
        text=render(shown),
    )


def _record(
    outside: Outside,
    writer: Writer,
    observation: Observation,
    prompt: str,
    session: Session,
    chosen: Chosen,
    where: Where,
) -> Event | None:
    counted = {
        entry: attempt for entry in chosen.shown if (attempt := session.attempt(entry)) is not None
    }
    kept = writer.keep("prompt", safety.excerpt(prompt, PROMPT_KEPT))
    recalled = writer.append(
        Draft(
            subject=session_subject(observation.agent, session.id),
            kind=Kind.RECALLED if chosen.found else Kind.MISSED,
            actor=observation.actor,
            origin=origin_of_prompt(observation.actor, prompt),
            where=where,
            payload=_payload(chosen, counted, kept),
            natural_key=answered_key(outside.ledger.key, observation, session.id),
        )
    )
    if recalled is None:
        return None
    for entry, attempt in counted.items():
        writer.append(
            Draft(
                subject=entry_subject(entry),
                kind=Kind.REUSED,
                actor=observation.actor,
                where=where,
                payload={"recall": recalled.id},
                natural_key=natural_key(
                    outside.ledger.key, "reused", entry, observation.agent, session.id, attempt
                ),
            )
        )
    return recalled


def _payload(chosen: Chosen, counted: dict[EntryId, int], prompt: str) -> JsonObject:
    if not chosen.found:
        return {"mode": "hook", "prompt": prompt}
    return {
        "mode": "hook",
        "prompt": prompt,
        "search": "lexical",
        "found": [
            {
                "entry": f.entry.id,
                "stage": f.entry.stage,
                "score": round(1_000 * f.match.score),
                "relevance": f.relevance,
                "shared": len(f.match.shared),
            }
            for f in chosen.found[:RECORDED]
        ],
        "eligible": [
            {"entry": entry, "arm": drawn.arm, "propensity": drawn.propensity}
            for entry, drawn in chosen.draws
        ],
        "already": chosen.already,
        "shown": chosen.shown,
        "counted": list(counted),
        "tokens": estimate(chosen.text),
        **({"drifted": chosen.drifted} if chosen.drifted else {}),
    }
