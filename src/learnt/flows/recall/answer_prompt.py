"""A prompt was typed: what is known of its subject is put before the agent, once, and recorded."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from learnt.core.events import Where
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import ProposalId, Subject, entry_subject, proposal_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.objections import objected_to
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.recall_events import Candidate, Eligible, Missed, Recalled, Reused
from learnt.core.recall import eligibility
from learnt.core.recall.eligibility import MOST_ENTRIES, pack
from learnt.core.recall.routing import of_two_topics
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.held import held_back
from learnt.flows.recall.holdout import draws, record_draws
from learnt.flows.recall.retract import answered_key, shown_last, take_back
from learnt.flows.recall.search import Ranked, entry_of, search
from learnt.flows.sessions.episodes import endings, place_of, session_of, so_far
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.observe import Arrival, take
from learnt.flows.sessions.prompts import Prompt
from learnt.flows.stored import append, stored, text_or_empty, texts_behind
from learnt.formats.injection import render
from learnt.ports import Outside, Reader, Writer

PROMPT_KEPT = 1_000
LOOKED_AT = 5
RECORDED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The text to show for a prompt, and what is to be recorded of the choice."""

    recalled: Recalled
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
    chosen, objection = Chosen(recalled=Recalled()), None
    with outside.ledger.reading() as reader:
        if prompt.worth_recall:
            with outside.ledger.within(expired):
                session = _session(reader, arrival.subject)
                chosen = choose(outside, reader, prompt.public, session, arrival.place)
        if prompt.objection is not None:
            shown = shown_last(reader, arrival.subject)
            objection = objected_to(prompt.objection, prompt.public, shown)
        ending = endings(outside, reader, arrival.observation, arrival.response)
        rests_on = snapshot(reader, partial(_decided_by, outside, arrival, chosen))

    def write(writer: Writer) -> str:
        new = take(outside, writer, replace(arrival, ending=ending))
        if not new or (objection is None and not prompt.worth_recall):
            return ""
        where = arrival.where(outside, writer)
        if objection is not None:
            take_back(writer, objection, where)
        shown = prompt.worth_recall and _record(outside, writer, arrival, prompt, chosen, where)
        return chosen.text if shown else ""

    return Plan(rests_on=rests_on, write=write)


def _decided_by(
    outside: Outside, arrival: Arrival, chosen: Chosen, reader: Reader
) -> tuple[object, ...]:
    """What the answer to a prompt rests on: what the session saw, and the entries as they are."""
    entries = (entry_of(reader, name) for name in chosen.recalled.shown)
    return (
        so_far(outside, arrival.observation, reader),
        _session(reader, arrival.subject).shown,
        shown_last(reader, arrival.subject) if arrival.response.objects else None,
        [(e.stage, e.live, e.version, e.masked) for e in entries if e is not None],
    )


def _session(reader: Reader, subject: Subject) -> Session:
    _, agent, name = subject.split(":", 2)
    return stored(reader, Session, subject) or Session(agent=agent, id=name)


def choose(
    outside: Outside, reader: Reader, prompt: str, session: Session, place: Place | None
) -> Chosen:
    """What bears on a prompt and is to be shown in this session; nothing is recorded yet."""
    checker = Checker(outside, reader, place, PATIENCE)
    results = search(outside, reader, prompt, checker.scopes, LOOKED_AT, floor=True)
    bearing = tuple(ranked for ranked in results if eligibility.injectable(ranked.entry))
    fresh = eligibility.not_yet_shown((ranked.entry for ranked in bearing), session.shown)
    routed = of_two_topics([(entry.topic, entry) for entry in fresh])
    unskilled = [
        entry
        for entry in routed
        if not _is_skill(outside, reader, entry, place) and not held_back(outside, reader, entry)
    ]
    eligible = eligibility.at_most_one_unproven(unskilled)[:MOST_ENTRIES]
    drawn = draws(outside, reader, session, eligible)
    # A withheld slot stays empty: filling it would show what the coin did not choose.
    notes = [checker.note(entry) for entry, coin in drawn if coin.arm != "withheld"]
    shown = pack(notes, render, MOST_ENTRIES)
    text = render(shown)
    recalled = Recalled(
        mode="hook",
        search="lexical",
        found=tuple(map(_candidate, bearing[:RECORDED])),
        eligible=tuple(Eligible(e.id, coin.arm, coin.propensity, e.version) for e, coin in drawn),
        already=tuple(r.entry.id for r in bearing if r.entry.id in session.shown),
        shown=tuple(note.id for note in shown),
        drifted=tuple(note.id for note in shown if note.stale),
        tokens=estimate(text),
    )
    return Chosen(recalled=recalled, text=text)


def _candidate(ranked: Ranked) -> Candidate:
    return Candidate(
        entry=ranked.entry.id,
        stage=ranked.entry.stage,
        score=round(1_000 * ranked.match.score),
        relevance=ranked.relevance,
        shared=len(ranked.match.shared),
    )


def _is_skill(outside: Outside, reader: Reader, entry: Entry, place: Place | None) -> bool:
    """Whether the skill that came of the entry lies where an agent in this project finds it.

    Deleted, or absent from this copy of the project, it leaves the entry to speak for itself.
    """
    if not entry.skill:
        return False
    proposal = stored(reader, Proposal, proposal_subject(ProposalId(entry.skill)))
    path = text_or_empty(reader, proposal.path) if proposal else ""
    if proposal is None or not path:
        return False
    links = texts_behind(reader, proposal.links)
    if entry.scope is not None:
        # Where a project's link would be in this copy of the project.
        first = path.partition("/.agents/")[0]
        links = tuple(f"{place.root}/{link.removeprefix(f'{first}/')}" for link in links if place)
    return any(outside.documents.there(f"{link}/SKILL.md") for link in links)


def _record(
    outside: Outside, writer: Writer, arrival: Arrival, prompt: Prompt, chosen: Chosen, where: Where
) -> bool:
    """Record what was found and shown; False where the prompt was answered before."""
    observation, key = arrival.observation, outside.ledger.key
    actor, session = observation.actor, _session(writer, arrival.subject)
    attempts = {entry: session.attempt(entry) for entry in chosen.recalled.shown}
    counted = {entry: attempt for entry, attempt in attempts.items() if attempt is not None}
    payload: Recalled | Missed = Missed(mode="hook")
    if chosen.recalled.found:
        payload = chosen.recalled._replace(counted=tuple(counted))
    kept = writer.keep("prompt", clean(prompt.redacted[:PROMPT_KEPT]))
    recalled = append(
        writer,
        arrival.subject,
        actor,
        payload._replace(prompt=kept),
        where=where,
        origin=prompt.origin,
        key=answered_key(key, observation, session.id),
    )
    if recalled is None:
        return False
    for entry, attempt in counted.items():
        once = natural_key(key, "reused", entry, observation.agent, session.id, attempt)
        reused = Reused(recall=recalled.id)
        append(writer, entry_subject(entry), actor, reused, where=where, key=once)
    record_draws(outside, writer, chosen.recalled.eligible, session, where)
    return True
