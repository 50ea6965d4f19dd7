"""A tool is called: the rules that govern it, what is known of its failure or of its file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.payloads.entry_events import Candidate, Mode, Recalled
from learnt.core.recall.acts import governs
from learnt.core.recall.eligibility import Bearing
from learnt.core.recall.marks import SHARE, agree, of_error, of_name, others
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.sessions.turns import ToldCall
from learnt.core.tokens import estimate, names
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.contents import fit_to_show
from learnt.flows.recall.offering import Moment, context_at, decided_by, offer, record
from learnt.flows.recall.retract import answered_key
from learnt.flows.recall.roster import newest, roster_of
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.observe import arrival_of
from learnt.flows.stored import append, text_or_empty, texts_behind
from learnt.formats.contents import render_rules
from learnt.ports import Outside, Reader, Writer

MOST: Final = 2  # entries at one call
ALIKE: Final = 6  # entries with one mark: what more have tells none from another
LOOKED_AT: Final = 4_000  # characters of a change that are looked through for names


def answer_step(
    outside: Outside, observation: Observation, call: ToldCall, expired: Callable[[], bool]
) -> str:
    """The text to put before the agent; empty where nothing is known that bears on the call.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more. A call reported twice
    is answered once. Raises Conflict where what bears on it changes again and again.
    """
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
    """The rules that govern a command and were not shown whole in this context; empty for none.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more.
    """
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        session = context_at(outside, reader, arrival)
        checker = Checker(outside, reader, arrival.place)
        waiting = _waiting(outside, reader, checker, session, command)
        given = [*islice(fit_to_show(outside, reader, session, waiting), MOST_RULES)]
    if not given:
        return ""
    block = render_rules([note.text for note in given])
    shown = tuple(note.id for note in given)
    recalled = Recalled(mode="act", shown=shown, tokens=estimate(block))
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
        text = text_or_empty(reader, entry.text)
        if governs(text, outside.language.acts_in(text), command):
            yield entry.id
