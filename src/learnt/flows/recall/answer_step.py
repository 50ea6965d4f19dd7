"""What is put before the agent at a prompt, before a command, at a failure and at a file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Final

from msgspec.structs import replace

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.knowledge.objections import objected_to
from learnt.core.marked import asks_to_remember
from learnt.core.payloads.entry_events import Candidate, Missed, Mode, Recalled
from learnt.core.recall.acts import governs
from learnt.core.recall.eligibility import MILLION, Bearing
from learnt.core.recall.likelihood import GIVEN, NAMED
from learnt.core.recall.marks import SHARE, agree, of_error, of_name, others
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.sessions.turns import ToldCall
from learnt.core.tokens import estimate, names
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.contents import fit_to_show
from learnt.flows.recall.offering import (
    Moment,
    Offering,
    context_at,
    decided_by,
    offer,
    record,
    session_at,
)
from learnt.flows.recall.retract import answered_key, shown_last, take_back
from learnt.flows.recall.roster import newest, roster_of
from learnt.flows.recall.search import Ranked, entry_of, search
from learnt.flows.sessions.episodes import endings, so_far
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.observe import Arrival, arrival_of, take
from learnt.flows.sessions.prompts import Prompt
from learnt.flows.stored import append, text_or_empty, texts_behind
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.formats.contents import render_rules
from learnt.ports import Outside, Reader, Writer

MOST: Final = 2  # entries at one call
ALIKE: Final = 6  # entries with one mark: what more have tells none from another
LOOKED_AT: Final = 4_000  # characters of a change that are looked through for names


def answer_step(
    outside: Outside, observation: Observation, call: ToldCall, expired: Callable[[], bool]
) -> str:
    """What is known that bears on a call, once; breaks off when `expired`. Raises Conflict."""
    arrival = arrival_of(outside, observation)
    mode: Mode = "failure" if call.error else "file"
    bearing = partial(_of_failure, of_error(call.error)) if call.error else _of_file
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        # Of most calls nothing is known: then nothing is written, and no lock is waited for.
        if not bearing(outside, reader, Checker(outside, reader, arrival.place), call):
            return ""

    def planned() -> Plan[str]:
        with outside.ledger.reading() as reader, outside.ledger.within(expired):
            checker = Checker(outside, reader, arrival.place, PATIENCE)
            moment = Moment(
                mode=mode, session=context_at(outside, reader, arrival), checker=checker
            )
            offering = offer(outside, reader, moment, bearing(outside, reader, checker, call))
            rests_on = snapshot(
                reader, partial(decided_by, subject=arrival.subject, offering=offering)
            )

        def write(writer: Writer) -> str:
            told = offering.recalled
            if not told.eligible:
                return ""  # all of it is in the context already
            recorded = record(outside, writer, arrival, told, arrival.where(outside, writer))
            return offering.text if recorded else ""

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, "What bears on the call")


def _of_failure(
    marks: Collection[str], outside: Outside, reader: Reader, checker: Checker, call: ToldCall
) -> list[Bearing]:
    """The entries whose problem the failure's lines name, first those that share all names."""
    found = reader.marked(marks, checker.scopes).values()
    shared = Counter(name for entries in found if len(entries) <= ALIKE for name in entries)
    entries = filter(None, (entry_of(reader, name) for name in shared))
    refs = {entry.id: filter(None, entry.signs or (entry.problem,)) for entry in entries}
    signs = {name: texts_behind(reader, behind) for name, behind in refs.items()}
    agreed = {name: agree(call.error, kept) for name, kept in signs.items()}
    best = max(agreed.values(), default=0)
    scores = {name: told for name, told in agreed.items() if told and told >= SHARE * best}
    bearing: list[Bearing] = []
    for entry in _most_trusted(outside, reader, scores):
        candidate = _candidate(entry, scores[entry.id], shared[entry.id])
        lacked = others(call.error, signs[entry.id], text_or_empty(reader, entry.approach))
        bearing.append(Bearing(entry=entry, candidate=candidate, sure=not lacked, others=lacked))
    return sorted(bearing, key=lambda each: not each.sure)[:MOST]


def _of_file(outside: Outside, reader: Reader, checker: Checker, call: ToldCall) -> list[Bearing]:
    """The most trusted entries that cite the file, or are about it or what a change in it names."""
    changed, root = call.changed[:LOOKED_AT], f"{checker.root}/"
    things = [call.path.removeprefix(root)] if call.path.startswith(root) else []
    things += names(changed)
    if changed:
        things += [name for about in outside.about(changed) for name in about.entities]
    found = reader.marked([*map(of_name, things)], checker.scopes)
    entries = {name for some in found.values() for name in some}
    proven = [e for e in _most_trusted(outside, reader, entries) if e.stage is Stage.VALIDATED]
    return [
        Bearing(entry=entry, candidate=_candidate(entry), sure=entry.text is not None)
        for entry in proven[:MOST]
    ]


def _most_trusted(
    outside: Outside, reader: Reader, found: Iterable[EntryId] | Mapping[EntryId, int]
) -> list[Entry]:
    """Entries, by how much they tell where that is known, then by their confidence today."""
    now, kinds = outside.clock.now_ms(), outside.kinds.policies
    entries = [entry for name in found if (entry := entry_of(reader, name)) is not None]
    tells = found if isinstance(found, Mapping) else {}

    def rank(entry: Entry) -> tuple[float, float, str]:
        return -tells.get(entry.id, 0), -(level(entry, now, kinds) or 0.0), entry.id

    return sorted(entries, key=rank)


def _candidate(entry: Entry, tells: int = 0, shared: int = 1) -> Candidate:
    return Candidate(entry=entry.id, stage=entry.stage, score=1_000 * tells, shared=shared)


MOST_RULES: Final = 5  # rules at one act


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The rules for a command that this context was not shown. Breaks off once `expired`."""
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        session = context_at(outside, reader, arrival)
        checker = Checker(outside, reader, arrival.place)
        waiting = _waiting(outside, reader, checker, session, command)
        given = [*islice(fit_to_show(outside, reader, session, waiting), MOST_RULES)]
    if not given:
        return ""
    block = render_rules([note.text for note in given])
    recalled = Recalled(mode="act", shown=tuple(note.id for note in given), tokens=estimate(block))
    once = answered_key(outside.ledger.key, observation, arrival.session)
    with outside.ledger.writing() as writer:
        where = arrival.where(outside, writer)
        told = append(writer, arrival.subject, observation.actor, recalled, where=where, key=once)
    return block if told else ""


def _waiting(
    outside: Outside, reader: Reader, checker: Checker, session: Session, command: str
) -> Iterator[EntryId]:
    """The rules of a place that govern a command and are not in the context, the newest first."""
    rules = newest(roster_of(outside, reader).rules, checker.holds_in)
    for entry in filter(None, (entry_of(reader, n) for n in rules if n not in session.rules)):
        text, about = text_or_empty(reader, entry.text), texts_behind(reader, entry.entities)
        acts = outside.language.acts_in
        if governs(text, acts(text), command) or governs("", acts("\n".join(about)), command):
            yield entry.id


PROMPT_KEPT: Final = 1_000
PROMPT_LOOKED_AT: Final = 8


def answer_prompt(
    outside: Outside,
    observation: Observation,
    prompt: Prompt,
    expired: Callable[[], bool],
    kept: Collection[EntryId] = (),
) -> Answer:
    """What to put before the agent and on the screen, once a prompt; nothing it `kept` itself.

    Breaks off (LedgerBusy) when `expired` says that nobody waits. Raises Conflict.
    """
    arrival = arrival_of(outside, observation)
    arrival = replace(arrival, response=prompt.response, origin=prompt.origin)
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
        payloads = _payloads(prompt, offering)
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
        first, *more = (replace(payload, prompt=kept) for payload in payloads)
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
    results = search(outside, reader, prompt, checker.scopes, PROMPT_LOOKED_AT)
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


def _payloads(prompt: Prompt, offering: Offering) -> tuple[Recalled | Missed, ...]:
    """What is recorded of a prompt: what was found, and that it was missed; () for no search.

    It is missed where nothing is given and nothing surely bears on it, until the agent opens one.
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
