"""Knowledge is offered: through the gates, and into the ledger if they let it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from learnt.core.events import Actor, Draft, Kind, Origin, Where
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    NaturalKey,
    ProjectId,
    entry_id,
    entry_subject,
    keyed_hash,
    plain_or_hashed,
)
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.drafts import Fact, Offered, Solution, normalised, subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import (
    GATES,
    Admit,
    Correct,
    Decision,
    Known,
    Merge,
    Reject,
    Ruling,
    Voucher,
    decide,
    unfit,
)
from learnt.core.knowledge.relations import Relation
from learnt.core.natural_keys import natural_key
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.citing import anchored, held_cites, resolved
from learnt.flows.knowledge.evidence import (
    Proof,
    judged,
    proof,
    proved,
    refuse_beside_the_point,
    seen_session,
)
from learnt.flows.knowledge.neighbours import neighbours
from learnt.flows.knowledge.offers import Offer, Outcome, Quoted
from learnt.flows.knowledge.subjects import tidied
from learnt.flows.knowledge.sweep import stage as staged
from learnt.flows.knowledge.upward import upward
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import find, locate, look
from learnt.ports import Outside, Reader, Writer

BULK = 500
SOFT = 300  # what a contradiction costs the entry that it speaks against, in thousandths


def capture(outside: Outside, offer: Offer) -> Outcome:
    """Offer one piece of knowledge; the decision is in the ledger whichever way it went."""
    with outside.ledger.writing() as writer:
        return _offer(outside, writer, offer, gated=True)


def capture_many(
    outside: Outside,
    offers: Iterable[Offer],
    *,
    gated: bool = True,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Outcome]:
    """Offer many, in transactions of 500; `gated` False admits all, for data that was judged.

    `progress` is told how many were done after each transaction.
    """
    outcomes: list[Outcome] = []
    batch: list[Offer] = []
    for offer in offers:
        batch.append(offer)
        if len(batch) == BULK:
            outcomes.extend(_batch(outside, batch, gated=gated))
            progress(len(outcomes))
            batch = []
    outcomes.extend(_batch(outside, batch, gated=gated))
    progress(len(outcomes))
    return outcomes


def _batch(outside: Outside, offers: list[Offer], *, gated: bool) -> list[Outcome]:
    with outside.ledger.writing() as writer:
        return [_offer(outside, writer, offer, gated=gated) for offer in offers]


def rehearse(outside: Outside, offer: Offer) -> None:
    """Compare an offer beforehand, without holding up who writes.

    What takes long is remembered: the offer itself is decided in a moment then.
    """
    what, _ = tidied(outside, offer.what)
    place = None if offer.folder is None else look(outside, offer.folder)
    with outside.ledger.reading() as reader:
        located = find(reader, place) if place else None
        scope, scopes = (located.project, located.household) if located else (None, ())
        _ruled(outside, reader, what, offer, (scope, scopes))


def _offer(outside: Outside, writer: Writer, offer: Offer, *, gated: bool) -> Outcome:
    what, redacted = tidied(outside, offer.what)
    _check_kind(outside, what)
    resolved(outside, offer.cites, offer.folder)
    if offer.evidence:
        found = proof(writer, offer.evidence, offer.session)
        if found.failed:
            raise Refused(f"{found.tool_use} failed: it shows nothing. Nothing was captured.")
        if isinstance(what, Fact):
            refuse_beside_the_point(outside, found, what.entities)
        offer = replace(offer, session=found.session, evidence=found.tool_use)
    offer = replace(offer, session=seen_session(writer, offer.session))
    located = None if offer.folder is None else locate(outside, writer, look(outside, offer.folder))
    scope = located.project if located else None
    where = Where(
        project=scope,
        place=writer.keep("place", located.place) if located and located.place else None,
        session=plain_or_hashed(outside.ledger.key, offer.session) if offer.session else None,
        episode=plain_or_hashed(outside.ledger.key, offer.episode) if offer.episode else None,
    )
    ruling = Ruling(decision=Admit(), passages=())
    if gated:
        scopes = located.household if located else ()
        ruling = _ruled(outside, writer, what, offer, (scope, scopes))
    draft = entry_id(outside.clock.now_ms(), outside.random.bytes(3))
    entry = _entry(ruling.decision, draft)
    offer = replace(offer, what=what)
    counted = _record(outside, writer, offer, (entry, where), ruling.decision)
    held = entry_of(writer, entry)
    admitted = isinstance(ruling.decision, Admit)
    return Outcome(
        entry=entry,
        ruling=ruling,
        stage=Stage.REJECTED if held is None else held.stage,
        redacted=redacted,
        upward=upward(writer, what, where.session) if admitted else "",
        counted=counted,
    )


def _check_kind(outside: Outside, what: Offered) -> None:
    if not outside.kinds.knows(what.kind):
        known = ", ".join(outside.kinds.policies)
        raise UsageError(
            f"kind: {what.kind[:60]!r} is none that is known here: {known}. Nothing was captured. "
            "Domains add kinds; `learnt doctor` tells of those that could not be loaded."
        )


def put_right(
    outside: Outside, writer: Writer, entry: EntryId, offer: Offer, why: str, key: NaturalKey
) -> str:
    """A person changed what an entry says: it says that from now on, validated.

    Returns the reason where no agent may see that text, and nothing is recorded.
    """
    what, _ = tidied(outside, offer.what)
    if refused := unfit(what):
        return refused
    held = entry_of(writer, entry)
    scope = None if held is None else held.scope
    topic = _topic(outside, what, held)
    right = Correct(entry, why, topic)
    said = partial(_say, writer, entry, offer, Where(project=scope))
    said(Kind.GATED, {"verdict": "correct", "reason": why})
    content = _content(outside, writer, what, offer, (scope, Stage.VALIDATED, right))
    said(Kind.REMEMBERED, {**content, **held_cites(held)}, key)
    return ""


def _topic(outside: Outside, what: Offered, held: Entry | None) -> str:
    """Where a text that a person changed belongs; of a kind that is not known, where it was."""
    if not isinstance(what, Fact):
        return ""
    if held is not None and held.topic and not outside.kinds.knows(what.kind):
        return held.topic
    return outside.kinds.layer(what.kind, what.text)


def _record(
    outside: Outside,
    writer: Writer,
    offer: Offer,
    place: tuple[EntryId, Where],
    decision: Decision,
) -> bool:
    """Record what became of an offer; its texts only where it is let in.

    False where it confirms what its witness confirmed before: that counts once.
    """
    what, (entry, where) = offer.what, place
    stage = Stage.VALIDATED if offer.actor is Actor.HUMAN else Stage.CANDIDATE
    told = (where.project, stage)
    said = partial(_say, writer, entry, offer, where)
    held = entry_of(writer, entry)
    texts = 0 if held is None else held.corrected
    match decision:
        case Admit():
            said(Kind.GATED, {"verdict": "admit", "passed": GATES})
            content = _content(outside, writer, what, offer, (*told, decision))
            said(Kind.REMEMBERED, content, _once(outside, entry, offer, where, "confirmed", 0))
        case Merge():
            key = _once(outside, entry, offer, where, "confirmed", texts)
            reason: JsonObject = {"verdict": "merge", "gate": "redundancy", "reason": "duplicate"}
            reason = {**reason, **anchored(outside, writer, offer.cites, offer.folder)}
            counted = said(Kind.GATED, {**reason, "credibility": offer.credibility}, key)
            if not counted:
                said(Kind.GATED, {**reason, "credibility": 0})
            if offer.actor is Actor.HUMAN and held and held.stage is Stage.CANDIDATE:
                staged(writer, entry, Actor.HUMAN, Stage.VALIDATED, "a person vouched for it")
            return counted
        case Correct(_, why):
            said(Kind.GATED, {"verdict": "correct", "gate": "alignment", "reason": why})
            content = _content(outside, writer, what, offer, (*told, decision))
            key = _once(outside, entry, offer, where, "confirmed", texts + 1)
            said(Kind.REMEMBERED, content, key)
            said(Kind.FEEDBACK, _soft_failure())
        case Reject(gate, why, against):
            passed = GATES[: GATES.index(gate)]
            refusal: JsonObject = {"verdict": "reject", "gate": gate, "reason": why}
            said(Kind.GATED, {**refusal, "passed": passed, "against": against})
            if against is not None:
                known = entry_of(writer, against)
                times = 0 if known is None else known.corrected
                key = _once(outside, against, offer, where, "failure", times)
                _say(writer, against, offer, where, Kind.FEEDBACK, _soft_failure(), key)
    return True


def _once(
    outside: Outside, entry: EntryId, offer: Offer, where: Where, result: str, texts: int
) -> NaturalKey | None:
    """What makes a witness count once: its tool call, or for an agent's judgement the session."""
    if offer.said:
        key = outside.ledger.key
        return natural_key(key, "said by a person", entry, offer.said, texts or None)
    if offer.actor is Actor.HUMAN:
        return None
    if offer.evidence:
        found = Proof(tool_use=offer.evidence, session=offer.session, failed=False)
        return proved(outside, entry, found, result, texts)
    return judged(outside, entry, where.session, result, texts)


def _ruled(
    outside: Outside,
    reader: Reader,
    what: Offered,
    offer: Offer,
    seen: tuple[ProjectId | None, Sequence[ProjectId]],
) -> Ruling:
    scope, scopes = seen
    same = reader.same_entry(_fingerprint(outside, normalised(what)), scope)
    near = neighbours(outside, reader, subject(what), scopes)
    told = dict(offer.judged)

    def judge(known: Known, offered: Offered) -> Relation | None:
        asked = None if outside.judge is None else outside.judge.relation(known, offered)
        return told.get(known.id, asked)

    person = offer.actor is Actor.HUMAN
    insisted = offer.insisted and offer.origin is Origin.USER
    by = Voucher(credibility=offer.credibility, person=person, insisted=insisted)
    return decide(what, by, same, near, stem=outside.stem, judge=judge, kinds=outside.kinds)


def _entry(decision: Decision, draft: EntryId) -> EntryId:
    match decision:
        case Merge(into):
            return into
        case Correct(entry):
            return entry
    return draft


def _fingerprint(outside: Outside, text: str) -> str:
    return keyed_hash(outside.ledger.key, "fingerprint", text)


def _say(
    writer: Writer,
    entry: EntryId,
    offer: Offer,
    where: Where,
    kind: Kind,
    payload: JsonObject,
    key: NaturalKey | None = None,
) -> bool:
    recorded = writer.append(
        Draft(
            subject=entry_subject(entry),
            kind=kind,
            actor=offer.actor,
            origin=offer.origin,
            where=where,
            payload=payload,
            natural_key=key,
        )
    )
    return recorded is not None


def _soft_failure() -> JsonObject:
    return {"result": "failure", "weight": SOFT, "source": "contradiction"}


def _content(
    outside: Outside,
    writer: Writer,
    what: Offered,
    offer: Offer,
    standing: tuple[ProjectId | None, Stage, Admit | Correct],
) -> JsonObject:
    scope, stage, decision = standing

    def kept(kind: str, texts: Iterable[str]) -> list[ContentRef]:
        return [writer.keep(kind, text) for text in texts]

    common: JsonObject = {
        "form": "fact" if isinstance(what, Fact) else "solution",
        "kind": what.kind,
        "stage": stage,
        "scope": scope,
        "credibility": offer.credibility,
        "tags": kept("tag", what.tags),
        "fingerprint": _fingerprint(outside, normalised(what)),
        "source": None if offer.quoted is None else _source(outside, writer, offer.quoted),
        **anchored(outside, writer, offer.cites, offer.folder),
        **({"lesson": offer.lesson} if offer.lesson else {}),
    }
    if isinstance(what, Fact):
        return {
            **common,
            "text": writer.keep("fact", what.text),
            "entities": kept("entity", what.entities),
            "topic": decision.topic,
        }
    assert isinstance(what, Solution)
    return {
        **common,
        "problem": writer.keep("problem", what.problem),
        "approach": writer.keep("approach", what.approach),
        "cautions": kept("caution", what.cautions),
        "files": kept("file", what.files),
        "language": writer.keep("language", what.language) if what.language else None,
    }


def _source(outside: Outside, writer: Writer, quoted: Quoted) -> JsonObject:
    """The coordinates as a payload may hold them: names plain or hashed, the speaker a content."""
    key = outside.ledger.key
    known: dict[str, str | int | None] = {
        "session": plain_or_hashed(key, quoted.session) if quoted.session else None,
        "position": quoted.position,
        "speaker": writer.keep("speaker", quoted.speaker) if quoted.speaker else None,
        "date": plain_or_hashed(key, quoted.date) if quoted.date else None,
    }
    return {name: value for name, value in known.items() if value is not None}
