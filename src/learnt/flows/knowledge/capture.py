"""Knowledge is offered: looked at and decided on before the ledger is held, then recorded."""

from collections import Counter
from typing import assert_never

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin, Where
from learnt.core.identifiers import EntryId, NaturalKey
from learnt.core.knowledge.drafts import Fact, Offered, normalised, subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Admit, Correct, Merge, Reject, Ruling, unfit
from learnt.core.knowledge.kinds import RULE
from learnt.core.knowledge.topics import KIND_ABOVE, Layer, Vocabulary, upward
from learnt.core.marked import refusal, why_refused
from learnt.core.payloads.entry_events import Gated
from learnt.core.records import Record
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.knowledge.checking import Anchored, Anchors
from learnt.flows.knowledge.feedback import proof, refuse_beside_the_point, seen_session
from learnt.flows.knowledge.offers import (
    Appraisal,
    Offer,
    OfferOutcome,
    appraise,
    neighbours,
    ruled,
    tidied,
)
from learnt.flows.knowledge.recording import (
    Recording,
    fingerprint,
    record,
    remembered,
    say,
    suspect,
)
from learnt.flows.plans import LOOKS
from learnt.flows.recall.search import commanded, entry_of, new_entries, notes_beside
from learnt.flows.sessions.locate import Place, find, look, refuse_off, where_at
from learnt.flows.stored import named, text_or_empty
from learnt.ports import Outside, Reader, Writer


def capture(outside: Outside, offer: Offer) -> OfferOutcome:
    """Offer one piece of knowledge; the decision is in the ledger whichever way it went.

    Raises Refused for a citation or evidence that does not fit, UsageError for an unknown kind,
    Conflict where a cited file changed during each look.
    """
    prepared = _prepared(outside, offer)
    for _ in range(LOOKS):
        citations = prepared.anchors.resolved()
        with outside.ledger.reading() as reader:
            moment, ruling = reader.moment(), _ruling(outside, prepared, reader)
        with outside.ledger.writing() as writer:
            if prepared.anchors.hold():
                if writer.moment() != moment:
                    ruling = _ruling(outside, prepared, writer)
                outcome = _write(outside, prepared, ruling, citations, writer)
                break
    else:
        raise Conflict(
            f"What the offer cites changed while it was looked at, {LOOKS} times over. Nothing was "
            "recorded; call this again."
        )
    return _led_on(outside, prepared, outcome)


class _Prepared(Record):
    """An offer with what could be told of it without comparing."""

    offer: Offer
    known: Appraisal
    place: Place | None
    anchors: Anchors
    redacted: tuple[str, ...]


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
            refuse_beside_the_point(outside, shown, what.entities, what.text)
    place = None if offer.folder is None else look(outside, offer.folder)
    offer = replace(offer, what=what)
    return _Prepared(
        offer=offer,
        known=appraise(outside, offer),
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


def _ruling(outside: Outside, prepared: _Prepared, reader: Reader) -> Ruling:
    """What the gates decide beside what the ledger holds now."""
    what, located = prepared.offer.what, None
    if prepared.place is not None:
        located = find(reader, prepared.place)
        refuse_off(located)
    scope, scopes = (located.project, located.household) if located else (None, ())
    duplicate = reader.same_entry(fingerprint(outside, normalised(what)), scope)
    if prepared.offer.picked and duplicate is not None:
        same = entry_of(reader, duplicate)
        # What waits gives way to what was proved.
        duplicate = None if same and same.stage is Stage.CANDIDATE else duplicate
    everywhere = prepared.place is None
    near = neighbours(outside, reader, subject(what), scopes, everywhere=everywhere)
    return ruled(outside, prepared.offer, prepared.known, duplicate, near)


def _write(
    outside: Outside,
    prepared: _Prepared,
    ruling: Ruling,
    citations: tuple[Anchored, ...],
    writer: Writer,
) -> OfferOutcome:
    offer, key, (name,) = prepared.offer, outside.ledger.key, new_entries(outside, writer, 1)
    where = replace(
        where_at(outside, writer, prepared.place),
        session=named(key, offer.session),
        episode=named(key, offer.episode),
    )
    match ruling.decision:
        case Merge(into=other) | Correct(entry=other):
            name = other
        case Admit() | Reject():
            pass  # as the new entry that it is
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
    """Record a person's new text of an entry; why no agent may see it, if so. Raises Conflict."""
    refuse_touched(offer.what)
    what, _ = tidied(outside, offer.what)
    if refused := unfit(what, commanded(outside.language, "\n".join(what.texts))):
        return refused
    offer = replace(offer, what=what)
    topic = ""
    if isinstance(what, Fact):  # of a kind that is not known it stays where it was
        lost = entry.topic and not outside.kinds.knows(what.kind)
        topic = entry.topic if lost else outside.kinds.layer(what.kind, what.text)
    decision = Correct(entry.id, why, topic)
    recording = Recording(entry=entry.id, offer=offer, where=Where(project=entry.scope))
    with outside.ledger.writing() as writer:
        now = entry_of(writer, entry.id)
        if now is None or not now.live or now.corrected != entry.corrected:
            raise Conflict(f"{entry.id} changed meanwhile. Nothing was recorded; call this again.")
        if writer.keyed(key) is None:
            say(writer, recording, Gated(verdict="correct", reason=why))
            payload = remembered(outside, writer, recording, Stage.VALIDATED, decision)
            content = replace(payload.content, cites=now.cites, signs=now.signs)
            say(writer, recording, replace(payload, content=content), key)
    return ""
