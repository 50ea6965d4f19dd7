"""Knowledge is offered: through the gates, and into the ledger if they let it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
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
from learnt.core.knowledge.alignment import Relation
from learnt.core.knowledge.drafts import Fact, Offered, Solution, normalised, subject, tidy
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import (
    GATES,
    Admit,
    Correct,
    Decision,
    Known,
    Merge,
    Reject,
    Ruling,
    decide,
)
from learnt.core.knowledge.placement import layer
from learnt.core.knowledge.standing import CREDIBILITY, CREDIBLE, day
from learnt.core.natural_keys import natural_key
from learnt.errors import Refused
from learnt.flows.knowledge.evidence import proof
from learnt.flows.knowledge.neighbours import neighbours
from learnt.flows.knowledge.upward import upward
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import locate, look
from learnt.ports import Outside, Writer

BULK = 500
SOFT = 300  # what a contradiction costs the entry that it speaks against, in thousandths


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Where in a conversation an offer was said: each part None where it is not known."""

    session: str | None = None
    position: int | None = None
    speaker: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Knowledge on its way in: whose it is, and where it is to hold.

    `witness` is who vouches for it, a name in CREDIBILITY; empty for whoever acts; `evidence` the
    id of a tool call that shows it. `session` is the agent's, as it named it; `judged` its own
    judgement of entries that the rules are not sure about. A person may have `insisted` on what
    it is worth.
    """

    what: Offered
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None
    witness: str = ""
    session: str = ""
    evidence: str = ""
    judged: tuple[tuple[EntryId, Relation], ...] = ()
    insisted: bool = False

    @property
    def origin(self) -> Origin:
        """A person at a terminal speaks for themselves; any other caller is the agent."""
        return Origin.USER if self.actor is Actor.HUMAN else Origin.ASSISTANT

    @property
    def credibility(self) -> int:
        """How far the witness is believed, in thousandths."""
        own = "human" if self.actor is Actor.HUMAN else "agent"
        return CREDIBILITY["tool" if self.evidence else self.witness or own]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an offer.

    `redacted` names the kinds of secret that were taken out; `upward` the kind of entry that this
    session's facts about the same thing call for next.
    """

    entry: EntryId
    ruling: Ruling
    stage: Stage
    redacted: tuple[str, ...] = ()
    upward: str = ""

    @property
    def decision(self) -> Decision:
        """What the gates decided."""
        return self.ruling.decision


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


def _offer(outside: Outside, writer: Writer, offer: Offer, *, gated: bool) -> Outcome:
    what, redacted = tidy(offer.what)
    if offer.evidence:
        found = proof(writer, offer.evidence, offer.session)
        if found.failed:
            raise Refused(f"{found.tool_use} failed: it shows nothing. Nothing was captured.")
        offer = replace(offer, session=found.session)
    located = None if offer.folder is None else locate(outside, writer, look(outside, offer.folder))
    scope = located.project if located else None
    where = Where(
        project=scope,
        place=writer.keep("place", located.place) if located and located.place else None,
        session=plain_or_hashed(outside.ledger.key, offer.session) if offer.session else None,
    )
    ruling = Ruling(decision=Admit(), passages=())
    if gated:
        scopes = located.household if located else ()
        ruling = _ruled(outside, writer, what, offer, (scope, scopes))
    draft = entry_id(outside.clock.now_ms(), outside.random.bytes(3))
    entry = _entry(ruling.decision, draft)
    stage = _stage(ruling.decision, offer.actor)
    _record(outside, writer, replace(offer, what=what), (entry, stage, where), ruling.decision)
    admitted = isinstance(ruling.decision, Admit)
    leads = upward(writer, what, where.session) if admitted else ""
    return Outcome(entry=entry, ruling=ruling, stage=stage, redacted=redacted, upward=leads)


def put_right(outside: Outside, writer: Writer, entry: EntryId, offer: Offer, why: str) -> None:
    """A person changed what an entry says: it says that from now on, validated."""
    what, _ = tidy(offer.what)
    held = entry_of(writer, entry)
    scope = None if held is None else held.scope
    topic = layer(what.kind, what.text) if isinstance(what, Fact) else ""
    right = Correct(entry, why, topic)
    said = partial(_say, writer, entry, offer, Where(project=scope))
    said(Kind.GATED, {"verdict": "correct", "reason": why})
    content = _content(outside, writer, what, offer, (scope, Stage.VALIDATED, right))
    said(Kind.REMEMBERED, content)


def _record(
    outside: Outside,
    writer: Writer,
    offer: Offer,
    place: tuple[EntryId, Stage, Where],
    decision: Decision,
) -> None:
    """Record what became of an offer; its texts only where it is let in."""
    what, (entry, stage, where) = offer.what, place
    scope = where.project
    said = partial(_say, writer, entry, offer, where)
    match decision:
        case Admit():
            said(Kind.GATED, {"verdict": "admit", "passed": GATES})
            said(Kind.REMEMBERED, _content(outside, writer, what, offer, (scope, stage, decision)))
        case Merge():
            key = once(outside, entry, offer, where, "confirmed")
            reason: JsonObject = {"verdict": "merge", "gate": "redundancy", "reason": "duplicate"}
            said(Kind.GATED, {**reason, "credibility": offer.credibility}, key)
        case Correct(_, why):
            said(Kind.GATED, {"verdict": "correct", "gate": "alignment", "reason": why})
            said(Kind.REMEMBERED, _content(outside, writer, what, offer, (scope, stage, decision)))
            said(Kind.FEEDBACK, _soft_failure())
        case Reject(gate, why, against):
            passed = GATES[: GATES.index(gate)]
            refusal: JsonObject = {"verdict": "reject", "gate": gate, "reason": why}
            said(Kind.GATED, {**refusal, "passed": passed, "against": against})
            if against is not None:
                key = once(outside, against, offer, where, "contradicted")
                _say(writer, against, offer, where, Kind.FEEDBACK, _soft_failure(), key)


def _ruled(
    outside: Outside,
    writer: Writer,
    what: Offered,
    offer: Offer,
    seen: tuple[ProjectId | None, Sequence[ProjectId]],
) -> Ruling:
    scope, scopes = seen
    same = writer.same_entry(_fingerprint(outside, normalised(what)), scope)
    near = neighbours(outside, writer, subject(what), scopes)
    told = dict(offer.judged)

    def judge(known: Known, offered: Offered) -> Relation | None:
        asked = None if outside.judge is None else outside.judge.relation(known, offered)
        return told.get(known.id, asked)

    insisted = offer.insisted and offer.actor is Actor.HUMAN
    return decide(
        what,
        offer.credibility,
        same,
        near,
        stem=outside.stem,
        judge=judge,
        insisted=insisted,
    )


def _entry(decision: Decision, draft: EntryId) -> EntryId:
    match decision:
        case Merge(into):
            return into
        case Correct(entry):
            return entry
    return draft


def _fingerprint(outside: Outside, text: str) -> str:
    return keyed_hash(outside.ledger.key, "fingerprint", text)


def _stage(decision: Decision, actor: Actor) -> Stage:
    if isinstance(decision, Reject):
        return Stage.REJECTED
    return Stage.VALIDATED if actor is Actor.HUMAN else Stage.CANDIDATE


def once(
    outside: Outside, entry: EntryId, offer: Offer, where: Where, said: str
) -> NaturalKey | None:
    """The natural key of an agent's own judgement: it counts once per entry and session.

    Whoever calls from outside a session has one a day.
    """
    if offer.credibility >= CREDIBLE:
        return None
    session = where.session or day(outside.clock.now_ms()).isoformat()
    return natural_key(outside.ledger.key, "judged by an agent", entry, session, said)


def _say(
    writer: Writer,
    entry: EntryId,
    offer: Offer,
    where: Where,
    kind: Kind,
    payload: JsonObject,
    key: NaturalKey | None = None,
) -> None:
    writer.append(
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
