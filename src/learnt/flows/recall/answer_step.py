"""What is put before the agent at a prompt, before a command, at a failure and at a file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

from msgspec.structs import replace

from learnt.core.digest.commands import governs
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.knowledge.objections import objected_to
from learnt.core.marked import asks_to_remember
from learnt.core.payloads.entry_events import Candidate, Missed, Mode, Recalled
from learnt.core.recall.eligibility import MILLION, Bearing
from learnt.core.recall.marks import SHARE, agree, of_error, of_name, others
from learnt.core.recall.ranking import GIVEN, NAMED
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.sessions.turns import ToldCall
from learnt.core.tokens import estimate, names
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.contents import fit_to_show, newest, roster_of
from learnt.flows.recall.offering import Offering, context_at, decided_by, offer, record, session_at
from learnt.flows.recall.search import entry_of, search
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.observe import (
    Prompt,
    answered_key,
    arrival_of,
    endings,
    shown_last,
    so_far,
    take,
    take_back,
)
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
        if not bearing(outside, Checker(outside, reader, arrival.place), call):
            return ""

    def planned() -> Plan[str]:
        with outside.ledger.reading() as reader, outside.ledger.within(expired):
            checker = Checker(outside, reader, arrival.place, PATIENCE)
            session = context_at(outside, reader, arrival)
            offering = offer(outside, checker, session, mode, bearing(outside, checker, call))
            rests_on = snapshot(
                reader, partial(decided_by, subject=arrival.subject, offering=offering)
            )

        def write(writer: Writer) -> str:
            recalled = offering.recalled
            if not recalled.eligible:
                return ""  # all of it is in the context already
            recorded = record(outside, writer, arrival, recalled, arrival.where(outside, writer))
            return offering.text if recorded else ""

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, "What bears on the call")


def _of_failure(
    marks: Collection[str], outside: Outside, checker: Checker, call: ToldCall
) -> list[Bearing]:
    """The entries whose problem the failure's lines name, first those that share all names."""
    reader = checker.reader
    marked = reader.marked(marks, checker.scopes).values()
    shared = Counter(name for entries in marked if len(entries) <= ALIKE for name in entries)
    entries = [entry for name in shared if (entry := entry_of(reader, name)) is not None]
    refs = {entry.id: filter(None, entry.signs or (entry.problem,)) for entry in entries}
    signs = {name: texts_behind(reader, behind) for name, behind in refs.items()}
    scores = {name: agree(call.error, texts) for name, texts in signs.items()}
    least = max(1, SHARE * max(scores.values(), default=0))
    telling = [entry for entry in entries if scores[entry.id] >= least]
    bearing: list[Bearing] = []
    for entry in sorted(telling, key=lambda e: (-scores[e.id], _distrust(outside, e), e.id)):
        candidate = Candidate(
            entry=entry.id,
            stage=entry.stage,
            score=1_000 * scores[entry.id],
            shared=shared[entry.id],
        )
        lacked = others(call.error, signs[entry.id], text_or_empty(reader, entry.approach))
        bearing.append(Bearing(entry=entry, candidate=candidate, sure=not lacked, others=lacked))
    return sorted(bearing, key=lambda each: not each.sure)[:MOST]


def _of_file(outside: Outside, checker: Checker, call: ToldCall) -> list[Bearing]:
    """The most trusted entries that cite the file, or are about it or what a change in it names."""
    changed, root = call.changed[:LOOKED_AT], f"{checker.root}/"
    things = [call.path.removeprefix(root)] if call.path.startswith(root) else []
    things += names(changed)
    if changed:
        things += [name for about in outside.about(changed) for name in about.entities]
    marked = checker.reader.marked([*map(of_name, things)], checker.scopes)
    entries = (entry_of(checker.reader, name) for name in {*chain.from_iterable(marked.values())})
    proven = [entry for entry in entries if entry and entry.stage is Stage.VALIDATED]
    return [
        Bearing(
            entry=entry,
            candidate=Candidate(entry=entry.id, stage=entry.stage, shared=1),
            sure=entry.text is not None,
        )
        for entry in sorted(proven, key=lambda e: (_distrust(outside, e), e.id))[:MOST]
    ]


def _distrust(outside: Outside, entry: Entry) -> float:
    """The less, the more an entry is trusted today."""
    return -(level(entry, outside.clock.now_ms(), outside.kinds.policies) or 0.0)


MOST_RULES: Final = 5  # rules at one act


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The rules for a command that this context was not shown. Breaks off once `expired`."""
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        session = context_at(outside, reader, arrival)
        checker = Checker(outside, reader, arrival.place)
        waiting = _waiting(outside, checker, session, command)
        notes = [*islice(fit_to_show(outside, reader, session, waiting), MOST_RULES)]
    if not notes:
        return ""
    block = render_rules([note.text for note in notes])
    recalled = Recalled(mode="act", shown=tuple(note.id for note in notes), tokens=estimate(block))
    once = answered_key(outside.ledger.key, observation, arrival.session)
    with outside.ledger.writing() as writer:
        where = arrival.where(outside, writer)
        new = append(writer, arrival.subject, observation.actor, recalled, where=where, key=once)
    return block if new else ""


def _waiting(
    outside: Outside, checker: Checker, session: Session, command: str
) -> Iterator[EntryId]:
    """The rules of a place that govern a command and are not in the context, the newest first."""
    reader, acts = checker.reader, outside.language.acts_in
    rules = newest(roster_of(outside, reader).rules, checker.holds_in)
    for entry in filter(None, (entry_of(reader, n) for n in rules if n not in session.rules)):
        text, about = text_or_empty(reader, entry.text), texts_behind(reader, entry.entities)
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

    def planned() -> Plan[Answer]:
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
            ending = endings(outside, reader, observation, arrival.response)
            rests_on = snapshot(
                reader,
                lambda reader: (
                    so_far(outside, observation, reader),
                    decided_by(reader, arrival.subject, offering),
                    shown_last(reader, arrival.subject) if prompt.response.objects else None,
                ),
            )

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
            asked = writer.keep("prompt", text)
            first, *more = (replace(payload, prompt=asked) for payload in payloads)
            if not record(outside, writer, arrival, first, where):
                return NOTHING
            actor, origin = observation.actor, arrival.origin
            for missed in more:
                append(writer, arrival.subject, actor, missed, where=where, origin=origin)
            return Answer(offering.text, offering.notice)

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, "What bears on the prompt")


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
    bearing = (
        Bearing(
            entry=ranked.entry,
            candidate=Candidate(
                entry=ranked.entry.id,
                stage=ranked.entry.stage,
                score=round(1_000 * ranked.match.score),
                relevance=ranked.relevance,
                shared=len(ranked.match.shared),
            ),
            sure=ranked.relevance >= (NAMED if ranked.named else GIVEN) * MILLION,
        )
        for ranked in results
        if ranked.entry.id not in without
    )
    return offer(outside, checker, session, "hook", bearing)


def _payloads(prompt: Prompt, offering: Offering) -> tuple[Recalled | Missed, ...]:
    """What is recorded of a prompt: what was found, and that it was missed; () for no search.

    It is missed where nothing is shown and nothing surely bears on it, until the agent opens one.
    """
    if not prompt.worth_recall:
        return ()
    recalled = offering.recalled
    answers = (recalled,) if recalled.found else ()
    known = any(each.relevance >= GIVEN * MILLION for each in recalled.found)
    # It is asked last: its patterns are worth loading only where nothing was shown.
    if known or recalled.shown or recalled.already or asks_to_remember(prompt.public):
        return answers
    return (*answers, Missed(mode="hook", tentative=True))
