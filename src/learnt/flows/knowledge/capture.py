"""Knowledge is offered: it is looked at, decided on by the gates, and recorded if they let it in.

Whatever takes long, a file, a transcript, a comparison, is done before the ledger is held.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from learnt.core.events import Actor, Origin, Where
from learnt.core.identifiers import (
    EntryId,
    NaturalKey,
    entry_id,
    plain_or_hashed,
)
from learnt.core.knowledge.drafts import Fact, Offered, normalised, subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import (
    Admit,
    Correct,
    Merge,
    Neighbour,
    Ruling,
    Voucher,
    decide,
    unfit,
)
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.core.payloads.entry_events import Gated
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.knowledge.citing import Anchored, Anchors
from learnt.flows.knowledge.comparing import address_of, compared_with, worth_of
from learnt.flows.knowledge.evidence import proof, refuse_beside_the_point, seen_session
from learnt.flows.knowledge.neighbours import neighbours
from learnt.flows.knowledge.offers import Offer, Outcome
from learnt.flows.knowledge.recording import Recording, fingerprint, record, remembered, say
from learnt.flows.knowledge.subjects import tidied
from learnt.flows.knowledge.upward import upward
from learnt.flows.plans import LOOKS, Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import Located, Place, find, locate, look
from learnt.ports import Outside, Reader, Writer

BATCH = 20  # admitted unseen, in one transaction: prompts wait for it


def capture(outside: Outside, offer: Offer, *, looks: int = LOOKS) -> Outcome:
    """Offer one piece of knowledge; the decision is in the ledger whichever way it went.

    Raises Refused where a citation does not resolve or the evidence shows nothing of it, UsageError
    for a kind that is not known, Conflict where what it was compared with, or a cited file, changed
    before each of so many looks.
    """
    prepared = _prepared(outside, offer, gated=True)
    plan = partial(_planned, outside, prepared)
    recorded = carry_out(
        outside.ledger, plan, "What the offer was compared with, or cites,", looks=looks
    )
    return _outcome(outside, prepared, recorded)


def capture_many(
    outside: Outside,
    offers: Iterable[Offer],
    *,
    gated: bool = True,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Outcome]:
    """Offer many, one after the other; `gated` False admits all, for data that was judged.

    `progress` is told how many were done after each transaction.
    """
    outcomes: list[Outcome] = []
    if gated:
        for offer in offers:
            outcomes.append(capture(outside, offer))
            progress(len(outcomes))
        return outcomes
    left = iter(offers)
    while batch := [_prepared(outside, offer, gated=False) for offer in islice(left, BATCH)]:
        plans = [_planned(outside, prepared) for prepared in batch]
        with outside.ledger.writing() as writer:
            recorded = [plan.write(writer) for plan in plans]
        outcomes += map(partial(_outcome, outside), batch, recorded)
        progress(len(outcomes))
    return outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """An offer with what could be told of it without comparing: tidied, its witness seen."""

    offer: Offer
    draft: EntryId
    place: Place | None
    anchors: Anchors
    redacted: tuple[str, ...]
    gated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Neighbourhood:
    """What the ledger holds that decides on an offer."""

    located: Located | None = None
    duplicate: EntryId | None = None
    near: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorded:
    """What was written of an offer."""

    entry: EntryId
    ruling: Ruling
    stage: Stage
    counted: bool
    session: str | None


def _prepared(outside: Outside, offer: Offer, *, gated: bool) -> _Prepared:
    what, redacted = tidied(outside, offer.what)
    check_kind(outside.kinds, what.kind)
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
        gated=gated,
    )


def check_kind(kinds: Vocabulary, kind: str) -> None:
    """Raise UsageError for a kind of entry that a home does not know."""
    if not kinds.knows(kind):
        known = ", ".join(kinds.policies)
        raise UsageError(
            f"kind: {kind[:60]!r} is none that is known here: {known}. Nothing was captured. "
            "Domains add kinds; `learnt doctor` tells of those that could not be loaded."
        )


def _planned(outside: Outside, prepared: _Prepared) -> Plan[_Recorded]:
    citations = prepared.anchors.resolved()
    ruling = Ruling(decision=Admit(), passages=())
    with outside.ledger.reading() as reader:
        seen = snapshot(reader, partial(_neighbourhood, outside, prepared))
    if prepared.gated:
        ruling = _ruled(outside, prepared.offer, seen.seen)
    return Plan(
        rests_on=seen,
        files_hold=prepared.anchors.hold,
        write=partial(_write, outside, prepared, ruling, citations),
    )


def _neighbourhood(outside: Outside, prepared: _Prepared, reader: Reader) -> _Neighbourhood:
    if not prepared.gated:
        return _Neighbourhood()
    what = prepared.offer.what
    located = None if prepared.place is None else find(reader, prepared.place)
    scope, scopes = (located.project, located.household) if located else (None, ())
    return _Neighbourhood(
        located=located,
        duplicate=reader.same_entry(fingerprint(outside, normalised(what)), scope),
        near=tuple(neighbours(outside, reader, subject(what), scopes)),
    )


def _ruled(outside: Outside, offer: Offer, around: _Neighbourhood) -> Ruling:
    person = offer.actor is Actor.HUMAN
    insisted = offer.insisted and offer.origin is Origin.USER
    by = Voucher(credibility=offer.credibility, person=person, insisted=insisted)
    compared = compared_with(outside, offer.what, around.near, dict(offer.judged))
    worth = worth_of(outside, offer.what)
    address = address_of(outside, offer.what)
    return decide(
        offer.what,
        by,
        around.duplicate,
        compared,
        worth=worth,
        address=address,
        kinds=outside.kinds,
    )


def _write(
    outside: Outside,
    prepared: _Prepared,
    ruling: Ruling,
    citations: tuple[Anchored, ...],
    writer: Writer,
) -> _Recorded:
    offer, key = prepared.offer, outside.ledger.key
    located = None if prepared.place is None else locate(outside, writer, prepared.place)
    where = Where(
        project=located.project if located else None,
        place=writer.keep("place", located.place) if located and located.place else None,
        session=plain_or_hashed(key, offer.session) if offer.session else None,
        episode=plain_or_hashed(key, offer.episode) if offer.episode else None,
    )
    entry = prepared.draft
    match ruling.decision:
        case Merge(into):
            entry = into
        case Correct(corrected):
            entry = corrected
    recording = Recording(entry=entry, offer=offer, where=where, citations=citations)
    counted = record(outside, writer, recording, ruling.decision)
    held = entry_of(writer, entry)
    stage = Stage.REJECTED if held is None else held.stage
    return _Recorded(
        entry=entry, ruling=ruling, stage=stage, counted=counted, session=where.session
    )


def _outcome(outside: Outside, prepared: _Prepared, recorded: _Recorded) -> Outcome:
    leads = ""
    if recorded.session is not None and isinstance(recorded.ruling.decision, Admit):
        with outside.ledger.reading() as reader:
            leads = upward(reader, prepared.offer.what, recorded.session)
    return Outcome(
        entry=recorded.entry,
        ruling=recorded.ruling,
        stage=recorded.stage,
        redacted=prepared.redacted,
        upward=leads,
        counted=recorded.counted,
    )


def put_right(outside: Outside, entry: Entry, offer: Offer, why: str, key: NaturalKey) -> str:
    """A person changed what an entry says: it says that from now on, validated.

    `entry` is as it was when that was found. Returns the reason where no agent may see the text,
    and nothing is recorded. Raises Conflict where the entry changed since.
    """
    what, _ = tidied(outside, offer.what)
    if refused := unfit(what, address_of(outside, what)):
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
            said = remembered(outside, writer, recording, Stage.VALIDATED, decision)
            right = replace(said.content, cites=now.cites)
            say(writer, recording, said._replace(content=right), key)
    return ""


def _topic(outside: Outside, what: Offered, entry: Entry) -> str:
    """Where a text that a person changed belongs; of a kind that is not known, where it was."""
    if not isinstance(what, Fact):
        return ""
    if entry.topic and not outside.kinds.knows(what.kind):
        return entry.topic
    return outside.kinds.layer(what.kind, what.text)
