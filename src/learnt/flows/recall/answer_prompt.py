"""A prompt was typed: what is known of its subject is put before the agent, once, and recorded."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from learnt.core.events import Draft, Event, Where
from learnt.core.identifiers import ContentRef, EntryId, Subject, entry_subject
from learnt.core.knowledge.objections import objected_to
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.recall_events import Candidate, Eligible, Missed, Recalled, Reused
from learnt.core.recall.budget import MOST_ENTRIES, pack
from learnt.core.recall.eligibility import (
    Draw,
    at_most_one_unproven,
    draw,
    injectable,
    not_yet_shown,
)
from learnt.core.recall.routing import of_two_topics
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.flows.knowledge.citing import PATIENCE, Checker, looked_at
from learnt.flows.knowledge.heed import heed
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.became_skill import became_skill
from learnt.flows.recall.retract import answered_key
from learnt.flows.recall.search import Found, entry_of, note_of, search
from learnt.flows.recall.shown import shown_last
from learnt.flows.sessions.episodes import place_of, reported, session_of
from learnt.flows.sessions.locate import Place, find
from learnt.flows.sessions.observe import Arrival, ended_by, take
from learnt.flows.sessions.prompts import Prompt
from learnt.flows.stored import stored
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
    outside: Outside, observation: Observation, prompt: Prompt, expired: Callable[[], bool]
) -> str:
    """The text to put before the agent; empty where nothing bears on the prompt.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more. A prompt reported
    twice is answered once. Raises Conflict where what bears on it changes again and again.
    """
    arrival = Arrival(
        observation=observation,
        session=session_of(outside, observation),
        place=place_of(outside, observation),
        response=prompt.response,
    )
    plan = partial(_planned, outside, arrival, prompt, expired)
    return carry_out(outside.ledger, plan, "What bears on the prompt")


def _planned(
    outside: Outside, arrival: Arrival, prompt: Prompt, expired: Callable[[], bool]
) -> Plan[str]:
    chosen, objection = Chosen(), None
    with outside.ledger.reading() as reader:
        if prompt.worth_recall:
            with outside.ledger.within(expired):
                session = _session(reader, arrival.subject)
                chosen = choose(outside, reader, prompt.public, session, arrival.place)
        if prompt.objection is not None:
            shown = shown_last(reader, arrival.subject)
            objection = objected_to(prompt.objection, prompt.public, shown)
        ending = ended_by(outside, reader, arrival.observation)
        rests_on = snapshot(reader, partial(_decided_by, arrival, chosen))

    def write(writer: Writer) -> str:
        if not take(outside, writer, replace(arrival, ending=ending)):
            return ""
        if objection is None and not prompt.worth_recall:
            return ""
        where = arrival.where(outside, writer)
        if objection is not None:
            heed(writer, objection, where)
        if not prompt.worth_recall:
            return ""
        recorded = _record(outside, writer, arrival, prompt, chosen, where)
        return chosen.text if recorded is not None else ""

    return Plan(rests_on=rests_on, write=write)


def _decided_by(arrival: Arrival, chosen: Chosen, reader: Reader) -> tuple[object, ...]:
    """What the answer to a prompt rests on: what the session saw, and the entries as they are."""
    entries = (entry_of(reader, name) for name in chosen.shown)
    return (
        reported(arrival.observation.session, reader),
        _session(reader, arrival.subject).shown,
        shown_last(reader, arrival.subject) if arrival.response.objects else None,
        [(one.stage, one.live, one.corrected) for one in entries if one is not None],
    )


def _session(reader: Reader, subject: Subject) -> Session:
    _, agent, name = subject.split(":", 2)
    return stored(reader, Session, subject) or Session(agent=agent, id=name)


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
    arrival: Arrival,
    prompt: Prompt,
    chosen: Chosen,
    where: Where,
) -> Event | None:
    observation, session = arrival.observation, _session(writer, arrival.subject)
    counted = {
        entry: attempt for entry in chosen.shown if (attempt := session.attempt(entry)) is not None
    }
    kept = writer.keep("prompt", prompt.redacted[:PROMPT_KEPT])
    recalled = writer.append(
        Draft(
            subject=arrival.subject,
            actor=observation.actor,
            origin=prompt.origin,
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
                actor=observation.actor,
                where=where,
                payload=Reused(recall=recalled.id),
                natural_key=natural_key(
                    outside.ledger.key, "reused", entry, observation.agent, session.id, attempt
                ),
            )
        )
    return recalled


def _payload(chosen: Chosen, counted: dict[EntryId, int], prompt: ContentRef) -> Recalled | Missed:
    if not chosen.found:
        return Missed(mode="hook", prompt=prompt)
    return Recalled(
        mode="hook",
        prompt=prompt,
        search="lexical",
        found=tuple(
            Candidate(
                entry=f.entry.id,
                stage=f.entry.stage,
                score=round(1_000 * f.match.score),
                relevance=f.relevance,
                shared=len(f.match.shared),
            )
            for f in chosen.found[:RECORDED]
        ),
        eligible=tuple(
            Eligible(entry=entry, arm=drawn.arm, propensity=drawn.propensity)
            for entry, drawn in chosen.draws
        ),
        already=tuple(chosen.already),
        shown=tuple(chosen.shown),
        counted=tuple(counted),
        drifted=tuple(chosen.drifted),
        tokens=estimate(chosen.text),
    )
