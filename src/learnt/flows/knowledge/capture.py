"""Knowledge is offered: looked at and decided on before the ledger is held, then recorded."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from learnt.core.events import Actor, Kind, Origin, Where
from learnt.core.identifiers import EntryId, NaturalKey, entry_id
from learnt.core.knowledge.drafts import Fact, Offered, normalised, subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Admit, Correct, Merge, Neighbour, Reject, Ruling, unfit
from learnt.core.knowledge.kinds import RULE
from learnt.core.knowledge.topics import KIND_ABOVE, Layer, Vocabulary, upward
from learnt.core.marked import refusal, why_refused
from learnt.core.payloads.entry_events import Gated
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.knowledge.citing import Anchored, Anchors
from learnt.flows.knowledge.feedback import proof, refuse_beside_the_point, seen_session
from learnt.flows.knowledge.offers import Offer, OfferOutcome, neighbours, ruled, tidied
from learnt.flows.knowledge.recording import (
    Recording,
    fingerprint,
    record,
    remembered,
    say,
    suspect,
)
from learnt.flows.plans import LOOKS, Plan, carry_out, snapshot
from learnt.flows.recall.beside import notes_beside
from learnt.flows.recall.held import commanded
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import Located, Place, find, look, where_at
from learnt.flows.stored import named, text_or_empty
from learnt.ports import Outside, Reader, Writer


def capture(outside: Outside, offer: Offer, *, looks: int = LOOKS) -> OfferOutcome:
    """Offer one piece of knowledge; the decision is in the ledger whichever way it went.

    Raises Refused where a citation does not resolve or the evidence shows nothing of it, UsageError
    for a kind that is not known, Conflict where what it was compared with, or a cited file, changed
    before each of so many looks.
    """
    prepared = _prepared(outside, offer)
    plan = partial(_planned, outside, prepared)
    what = "What the offer was compared with, or cites,"
    return _led_on(outside, prepared, carry_out(outside.ledger, plan, what, looks=looks))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """An offer with what could be told of it without comparing."""

    offer: Offer
    draft: EntryId
    place: Place | None
    anchors: Anchors
    redacted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Neighbourhood:
    located: Located | None = None
    duplicate: EntryId | None = None
    near: tuple[Neighbour, ...] = ()


def _prepared(outside: Outside, offer: Offer) -> _Prepared:
    if offer.actor is Actor.HUMAN:
        refuse_touched(offer.what)
    what, redacted = tidied(outside, offer.what)
    check_kind(outside.kinds, what.kind)
    own = offer.origin is Origin.USER and (offer.actor is Actor.HUMAN or offer.picked)
    if what.kind == RULE and not own:
        raise Refused(
            "Only the person makes rules: they type `remember: ...` to the agent, or decide in "
            "`learnt review`. Nothing was captured; offer it as a business_rule, or a procedure."
        )
    shown = None
    if offer.evidence or offer.session:
        with outside.ledger.reading() as reader:
            shown = proof(reader, offer.evidence, offer.session) if offer.evidence else None
            session = seen_session(reader, shown.session if shown else offer.session)
        offer = replace(offer, session=session, evidence=shown.tool_use if shown else "")
    if shown is not None:
        if shown.failed:
            raise Refused(f"{shown.tool_use} failed: it shows nothing. Nothing was captured.")
        if isinstance(what, Fact):
            refuse_beside_the_point(outside, shown, what.entities)
    place = None if offer.folder is None else look(outside, offer.folder)
    return _Prepared(
        offer=replace(offer, what=what),
        draft=entry_id(outside.clock.now_ms(), outside.random.bytes(3)),
        place=place,
        anchors=Anchors(outside, offer.cites, place),
        redacted=redacted,
    )


def refuse_touched(what: Offered) -> None:
    """Raise Refused where a person's words hold a secret or a private part: all of them."""
    for text in what.texts:
        name, detail = refusal(text, text)
        if name in {"credential", "private"}:
            raise Refused(f"{why_refused(name, detail)}.")


def check_kind(kinds: Vocabulary, kind: str) -> None:
    """Raise UsageError for a kind of entry that a home does not know."""
    if not kinds.knows(kind):
        raise UsageError(
            f"kind: {kind[:60]!r} is none that is known here: {', '.join(kinds.policies)}. Nothing "
            "was captured. Domains add kinds; `learnt doctor` tells of those that could not be "
            "loaded."
        )


def _neighbourhood(outside: Outside, prepared: _Prepared, reader: Reader) -> _Neighbourhood:
    what = prepared.offer.what
    located = None if prepared.place is None else find(reader, prepared.place)
    scope, scopes = (located.project, located.household) if located else (None, ())
    duplicate = reader.same_entry(fingerprint(outside, normalised(what)), scope)
    if prepared.offer.picked and duplicate is not None:
        same = entry_of(reader, duplicate)
        # What waits gives way to what was proved.
        duplicate = None if same and same.stage is Stage.CANDIDATE else duplicate
    return _Neighbourhood(
        located=located,
        duplicate=duplicate,
        near=tuple(
            neighbours(outside, reader, subject(what), scopes, everywhere=prepared.place is None)
        ),
    )


def _planned(outside: Outside, prepared: _Prepared) -> Plan[OfferOutcome]:
    citations = prepared.anchors.resolved()
    with outside.ledger.reading() as reader:
        around = snapshot(reader, partial(_neighbourhood, outside, prepared))
    ruling = ruled(outside, prepared.offer, around.seen.duplicate, around.seen.near)
    write = partial(_write, outside, prepared, ruling, citations)
    return Plan(rests_on=around, files_hold=prepared.anchors.hold, write=write)


def _write(
    outside: Outside,
    prepared: _Prepared,
    ruling: Ruling,
    citations: tuple[Anchored, ...],
    writer: Writer,
) -> OfferOutcome:
    offer, key, name = prepared.offer, outside.ledger.key, prepared.draft
    where = replace(
        where_at(outside, writer, prepared.place),
        session=named(key, offer.session),
        episode=named(key, offer.episode),
    )
    match ruling.decision:
        case Merge(into=other) | Correct(entry=other):
            name = other
        case Admit() | Reject():
            pass  # as the draft that it is
        case _:
            assert_never(ruling.decision)
    recording = Recording(
        entry=name, offer=offer, where=where, citations=citations, doubt=ruling.doubt
    )
    counted = record(outside, writer, recording, ruling.decision)
    if isinstance(ruling.decision, Admit | Correct):
        for suspicion in ruling.suspects:
            suspect(writer, recording, suspicion)
    entry = entry_of(writer, name)
    return OfferOutcome(
        entry=name,
        ruling=ruling,
        stage=entry.stage if entry else Stage.REJECTED,
        redacted=prepared.redacted,
        unsure=tuple(notes_beside(outside, writer, ruling.near, unasked=offer.at_once)),
        counted=counted,
    )


def _led_on(outside: Outside, prepared: _Prepared, outcome: OfferOutcome) -> OfferOutcome:
    """The outcome with the kind of entry that this session's facts call for next, if any."""
    offer = prepared.offer
    what, session = offer.what, named(outside.ledger.key, offer.session)
    if not (session and isinstance(outcome.decision, Admit) and isinstance(what, Fact)):
        return outcome
    about = {name.casefold() for name in what.entities}
    counts: Counter[Layer] = Counter()
    with outside.ledger.reading() as reader:
        for event in reader.events(kind=Kind.REMEMBERED, session=session) if about else ():
            entry = entry_of(reader, EntryId(event.subject.split(":", 1)[1]))
            if entry is None or not entry.live or entry.topic not in set(Layer):
                continue
            if about & {text_or_empty(reader, ref).casefold() for ref in entry.entities}:
                counts[Layer(entry.topic)] += 1
    above = upward(counts)
    return outcome if above is None else replace(outcome, upward=KIND_ABOVE[above])


def put_right(outside: Outside, entry: Entry, offer: Offer, why: str, key: NaturalKey) -> str:
    """A person changed what an entry says: it says that from now on, validated.

    Gives the reason where no agent may see the text. Raises Conflict where `entry` changed since.
    """
    refuse_touched(offer.what)
    what, _ = tidied(outside, offer.what)
    if refused := unfit(what, commanded(outside.language, "\n".join(what.texts))):
        return refused
    offer = replace(offer, what=what)
    decision = Correct(entry.id, why, _topic(outside, what, entry))
    recording = Recording(entry=entry.id, offer=offer, where=Where(project=entry.scope))
    with outside.ledger.writing() as writer:
        now = entry_of(writer, entry.id)
        if now is None or not now.live or now.corrected != entry.corrected:
            raise Conflict(f"{entry.id} changed meanwhile. Nothing was recorded; call this again.")
        if writer.keyed(key) is None:
            say(writer, recording, Gated(verdict="correct", reason=why))
            payload = remembered(outside, writer, recording, Stage.VALIDATED, decision)
            content = replace(payload.content, cites=now.cites, signs=now.signs)
            say(writer, recording, payload._replace(content=content), key)
    return ""


def _topic(outside: Outside, what: Offered, entry: Entry) -> str:
    """Where a text that a person changed belongs; of a kind that is not known, where it was."""
    if not isinstance(what, Fact):
        return ""
    if entry.topic and not outside.kinds.knows(what.kind):
        return entry.topic
    return outside.kinds.layer(what.kind, what.text)
