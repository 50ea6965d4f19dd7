"""How the events of an entry fold into what is true of it."""

from typing import Final, assert_never

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Origin, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge import citations
from learnt.core.knowledge import entries as standings
from learnt.core.knowledge.entries import (
    Answered,
    Confirmation,
    Content,
    Entry,
    Stage,
    Standing,
    Suspicion,
)
from learnt.core.payloads import entry_events
from learnt.core.payloads.entry_events import EntryDecided
from learnt.core.records import shared

MOST_ARGUMENTS: Final = 3  # for a side of a dispute: the newest
MOST_SUSPECTS: Final = 8  # of an entry: the newest
_CONTENT = " ".join(Content.__struct_fields__)


def step(entry: Entry | None, event: Event) -> Entry:
    """The entry after one more event about it."""
    entry = entry or Entry(id=EntryId(event.subject.split(":", 1)[1]), stage=Stage.CANDIDATE)
    match event.kind:
        case Kind.GATED:
            return _gated(entry, event, payload_of(entry_events.Gated, event))
        case Kind.REMEMBERED:
            return _remembered(entry, event, payload_of(entry_events.Remembered, event))
        case Kind.FEEDBACK:
            return _feedback(entry, event, payload_of(entry_events.EntryFeedback, event))
        case Kind.STAGED:
            return _staged(entry, event, payload_of(entry_events.Staged, event))
        case Kind.REUSED | Kind.NOT_DELIVERED:
            change = 1 if event.kind is Kind.REUSED else -1
            return replace(entry, reused=max(0, entry.reused + change))
        case Kind.APPLIED:
            return replace(entry, skill=payload_of(entry_events.BecameSkill, event).proposal)
        case Kind.DECIDED | Kind.CLASSED:
            return _decided(entry, event)
        case Kind.SUSPECTED | Kind.RELATED:
            return _beside(entry, event)
        case Kind.PURGED:
            return Entry(id=entry.id, stage=Stage.RETIRED, reason="purged")
        case _:
            return entry


def _gated(entry: Entry, event: Event, gated: entry_events.Gated) -> Entry:
    match gated.verdict:
        case "reject":
            return replace(entry, stage=Stage.REJECTED, reason=gated.reason)
        case "merge":
            firm = (gated.credibility or 0) >= standings.CREDIBLE
            cites = citations.joined(entry.cites, gated.cites, firm=firm)
            entry = replace(entry, cites=cites if gated.cites else entry.cites)
            return _confirmed(entry, _witness(event, gated.credibility))
        case "admit" | "correct" | None:
            return entry  # what it says follows by itself
        case _:
            assert_never(gated.verdict)


def _disputed(entry: Entry, word: entry_events.EntryFeedback) -> Entry:
    others = tuple(other for other in entry.disputes if other != word.other)
    match word.result:
        case "disputed" if word.other:
            return replace(entry, disputes=(*others, word.other))
        case "argued" if word.argument and entry.disputes:
            return replace(entry, arguments=(*entry.arguments, word.argument)[-MOST_ARGUMENTS:])
        case "settled":
            return replace(entry, disputes=others, arguments=())
        case _:
            return entry


def _beside(entry: Entry, event: Event) -> Entry:
    """What is suspected or said of it and another entry."""
    if event.kind is not Kind.SUSPECTED:
        return _related(entry, payload_of(entry_events.Related, event))
    pair = payload_of(entry_events.SuspectedPair, event)
    others = tuple(each for each in entry.suspects if each.other != pair.other)
    suspicion = Suspicion(pair.other, pair.sort, pair.clash)
    return replace(entry, suspects=(*others, suspicion)[-MOST_SUSPECTS:])


def _related(entry: Entry, word: entry_events.Related) -> Entry:
    """The first answer on a pair stands; taking it back leaves all as it was before."""
    other, first = word.other, entry.answer_on(word.other)
    related = tuple(each for each in entry.related if each.other != other)
    if word.relation is None:
        gone = {other} if first and first.disputed else set()
        left = tuple(name for name in entry.disputes if name not in gone)
        return replace(entry, related=related, disputes=left)
    first = first or Answered(other, word.relation, wider=word.wider)
    new = word.disputed and other not in entry.disputes
    return replace(
        entry,
        related=(*related, replace(first, disputed=first.disputed or new)),
        disputes=(*entry.disputes, *((other,) if new else ())),
    )


def _confirmed(entry: Entry, witness: Confirmation) -> Entry:
    if witness.credibility == 0:
        return entry  # said before by the same witness
    validated = entry.stage is Stage.VALIDATED
    standing = standings.after_confirmation(entry.standing, witness, validated=validated)
    entry = replace(entry, standing=standing)
    return _vouched(entry) if witness.actor is Actor.HUMAN and entry.picked else entry


def _vouched(entry: Entry) -> Entry:
    """A person looked at it: what an agent picked out of their words is their own from now on."""
    return replace(entry, doubt="", actor=Actor.HUMAN if entry.picked else entry.actor)


def _witness(event: Event, credibility: int | None) -> Confirmation:
    """The event as a witness; where it does not say how credible, who acted does."""
    # Outside of a session a person is one of the day's; of an agent none was seen.
    outside = standings.day(event.wall_ms).isoformat() if event.actor is Actor.HUMAN else ""
    own = standings.CREDIBILITY["human" if event.actor is Actor.HUMAN else "agent"]
    return Confirmation(
        ms=event.wall_ms,
        credibility=own if credibility is None else credibility,
        relevance=standings.RELEVANCE["core"],
        session=event.where.session or outside,
        actor=event.actor,
    )


def _feedback(entry: Entry, event: Event, word: entry_events.EntryFeedback) -> Entry:
    standing = entry.standing
    entry = replace(entry, cites=word.cites or entry.cites)
    match word.result:
        case "disputed" | "argued" | "settled":
            return _disputed(entry, word)
        case "confirmed":
            witness = _witness(event, word.credibility)
            # One that a merge brings along says itself when it was, and in which session.
            witness = replace(
                witness,
                ms=witness.ms if word.ms is None else word.ms,
                relevance=witness.relevance if word.relevance is None else word.relevance,
                session=word.session or witness.session,
            )
            return _confirmed(entry, witness)
        case "success" | "failure" if word.weight <= 0:
            return entry
        case "success":
            standing = standings.after_success(standing, word.weight, event.wall_ms)
        case "failure":
            standing = standings.after_failure(standing, word.weight)
        case "reset":
            standing = standings.as_new(standing, event.wall_ms)
            if event.actor is Actor.HUMAN:
                entry = _vouched(entry)
        case "invalidate":
            standing = standings.invalid(standing)
        case None:
            return entry
        case _:
            assert_never(word.result)
    return replace(entry, standing=standing)


def _staged(entry: Entry, event: Event, staged: entry_events.Staged) -> Entry:
    if staged.told is not None:
        return _taken_back(entry, staged, staged.told)
    if not entry.live:
        return entry
    match staged.stage:
        case Stage.RETIRED:
            return replace(entry, stage=Stage.RETIRED, reason=staged.reason, into=staged.into)
        case Stage.VALIDATED:
            proved = standings.as_new(entry.standing, event.wall_ms)
            entry = _vouched(entry) if event.actor is Actor.HUMAN else entry
            return replace(entry, stage=Stage.VALIDATED, standing=proved)
        case Stage.CANDIDATE:  # what validated it was taken back
            return replace(entry, stage=Stage.CANDIDATE)
        case Stage.REJECTED | None:
            return entry
        case _:
            assert_never(staged.stage)


def _taken_back(entry: Entry, staged: entry_events.Staged, told: Standing) -> Entry:
    """As it stood before a person's decision; what was erased or ended otherwise stays so."""
    ended = entry.stage is Stage.RETIRED and entry.about and entry.reason in standings.COMES_BACK
    if staged.stage not in {Stage.CANDIDATE, Stage.VALIDATED} or not (entry.live or ended):
        return entry
    back = replace(entry, stage=staged.stage, standing=told, doubt=staged.doubt)
    return replace(back, reason="", into=None)


def _decided(entry: Entry, event: Event) -> Entry:
    if event.kind is Kind.CLASSED:
        classed = payload_of(entry_events.Classed, event)
        return replace(entry, kind=classed.kind or entry.kind, classed=classed.by_word)
    decided = payload_of(EntryDecided, event)
    if decided.version != entry.version:
        return entry  # of another text than it has by now
    match decided.action:
        case "drawn":
            return replace(entry, units=entry.units + 1)
        case "masked":
            return replace(entry, masked=True)
        case "unmasked":
            return replace(entry, masked=False, units=0, restarts=entry.restarts + 1)
        case None:
            return entry
        case _:
            assert_never(decided.action)


def _remembered(entry: Entry, event: Event, remembered: entry_events.Remembered) -> Entry:
    """Remembered first, or corrected: a corrected text has its own witnesses to find."""
    stage, content, held = remembered.stage, remembered.content, Standing()
    if stage is Stage.VALIDATED:
        held = remembered.told or Standing(confirmed_ms=event.wall_ms)
    return replace(
        entry,
        stage=stage,
        standing=replace(held, confirmations=(_witness(event, remembered.credibility),)),
        corrected=entry.corrected + (entry.about is not None),
        actor=event.actor,
        origin=event.origin or Origin.ASSISTANT,
        remembered_ms=event.wall_ms,
        units=0,
        masked=False,
        disputes=(),
        arguments=(),
        suspects=(),
        related=(),
        doubt=remembered.doubt,
        **shared(content, _CONTENT),
    )
