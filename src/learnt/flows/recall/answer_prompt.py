"""A prompt was typed: what is known of its subject is put before the agent, once, and recorded."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.objections import objected_to
from learnt.core.marked import asks_to_remember
from learnt.core.payloads.entry_events import Candidate, Missed, Recalled
from learnt.core.recall.eligibility import MILLION, Bearing
from learnt.core.recall.likelihood import GIVEN, NAMED
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.offering import Moment, Offering, decided_by, offer, record, session_at
from learnt.flows.recall.retract import shown_last, take_back
from learnt.flows.recall.search import Ranked, search
from learnt.flows.sessions.episodes import endings, place_of, session_of, so_far
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.observe import Arrival, take
from learnt.flows.sessions.prompts import Prompt
from learnt.flows.stored import append
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.ports import Outside, Reader, Writer

PROMPT_KEPT: Final = 1_000
LOOKED_AT: Final = 8


def answer_prompt(
    outside: Outside,
    observation: Observation,
    prompt: Prompt,
    expired: Callable[[], bool],
    kept: Collection[EntryId] = (),
) -> Answer:
    """What to put before the agent and on the screen; nothing where nothing bears on the prompt.

    Nothing is given of what the prompt itself `kept`, which it is told of otherwise.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more. A prompt reported
    twice is answered once. Raises Conflict where what bears on it changes again and again.
    """
    arrival = Arrival(
        observation=observation,
        session=session_of(outside, observation),
        place=place_of(outside, observation),
        response=prompt.response,
        origin=prompt.origin,
    )
    plan = partial(_planned, outside, arrival, prompt, expired, kept)
    return carry_out(outside.ledger, plan, "What bears on the prompt")


def _planned(
    outside: Outside,
    arrival: Arrival,
    prompt: Prompt,
    expired: Callable[[], bool],
    kept: Collection[EntryId],
) -> Plan[Answer]:
    offering, objection = Offering(recalled=Recalled()), None
    with outside.ledger.reading() as reader:
        if prompt.worth_recall:
            with outside.ledger.within(expired):
                session = session_at(reader, arrival.subject)
                offering = choose(outside, reader, prompt.public, session, arrival.place, kept)
        if prompt.objection is not None:
            last = shown_last(reader, arrival.subject)
            shown = {name: words for name, words in last.items() if name not in kept}
            objection = objected_to(prompt.objection, prompt.public, shown)
        payloads = _payloads(outside, prompt, offering)
        ending = endings(outside, reader, arrival.observation, arrival.response)
        rests_on = snapshot(reader, partial(_rests_on, outside, arrival, offering))

    def write(writer: Writer) -> Answer:
        new = take(outside, writer, replace(arrival, ending=ending))
        if not new or (objection is None and not prompt.worth_recall):
            return NOTHING
        where = arrival.where(outside, writer)
        if objection is not None:
            take_back(writer, objection, where)
        if not payloads:
            return NOTHING
        text = prompt.redacted
        text = text if len(text) <= PROMPT_KEPT else clean(text[:PROMPT_KEPT])
        kept = writer.keep("prompt", text)
        first, *more = (payload._replace(prompt=kept) for payload in payloads)
        if not record(outside, writer, arrival, first, where):
            return NOTHING
        for missed in more:
            actor, origin = arrival.observation.actor, arrival.origin
            append(writer, arrival.subject, actor, missed, where=where, origin=origin)
        return Answer(offering.text, offering.notice)

    return Plan(rests_on=rests_on, write=write)


def _rests_on(
    outside: Outside, arrival: Arrival, offering: Offering, reader: Reader
) -> tuple[object, ...]:
    """What the answer to a prompt rests on: what the session saw, and the entries as they are."""
    return (
        so_far(outside, arrival.observation, reader),
        decided_by(reader, arrival.subject, offering),
        shown_last(reader, arrival.subject) if arrival.response.objects else None,
    )


def choose(
    outside: Outside,
    reader: Reader,
    prompt: str,
    session: Session,
    place: Place | None,
    without: Collection[EntryId] = (),
) -> Offering:
    """What bears on a prompt and is to be shown in this session; nothing is recorded yet."""
    checker = Checker(outside, reader, place, PATIENCE)
    results = search(outside, reader, prompt, checker.scopes, LOOKED_AT)
    moment = Moment(mode="hook", session=session, checker=checker)
    bearing = (_bearing(each) for each in results if each.entry.id not in without)
    return offer(outside, reader, moment, bearing)


def _bearing(ranked: Ranked) -> Bearing:
    candidate = Candidate(
        entry=ranked.entry.id,
        stage=ranked.entry.stage,
        score=round(1_000 * ranked.match.score),
        relevance=ranked.relevance,
        shared=len(ranked.match.shared),
    )
    sure = ranked.relevance >= (NAMED if ranked.named else GIVEN) * MILLION
    return Bearing(entry=ranked.entry, candidate=candidate, sure=sure)


def _payloads(
    outside: Outside, prompt: Prompt, offering: Offering
) -> tuple[Recalled | Missed, ...]:
    """What is recorded of a prompt: what was found, and that it was missed; () for no search.

    It is missed where nothing is given, until the agent opens something in its episode; not where
    something surely bears on it that may not be shown.
    """
    if not prompt.worth_recall:
        return ()
    recalled = offering.recalled
    found = (recalled,) if recalled.found else ()
    known = any(each.relevance >= GIVEN * MILLION for each in recalled.found)
    given = bool(known or recalled.shown or recalled.already)
    # It is asked last: its patterns are worth loading only where nothing was given.
    given = given or asks_to_remember(prompt.public)
    return found if given else (*found, Missed(mode="hook", tentative=True))
