"""What became of an offer, as events: the gates' word, its texts, and what it says of others."""

from collections.abc import Iterable
from typing import Final, assert_never

from msgspec.structs import replace

from learnt.core.events import Actor, Payload, Where, natural_key
from learnt.core.identifiers import ContentRef, EntryId, NaturalKey, entry_subject, keyed_hash
from learnt.core.knowledge.drafts import Fact, Solution, normalised
from learnt.core.knowledge.entries import PICKED, Content, Source, Stage, Suspicion
from learnt.core.knowledge.gates import GATES, Admit, Correct, Decision, Merge, Reject
from learnt.core.payloads.entry_events import EntryFeedback, Gated, Remembered, SuspectedPair
from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.flows.knowledge.checking import Anchored, anchored
from learnt.flows.knowledge.feedback import SOFT, judged, proved
from learnt.flows.knowledge.offers import Offer
from learnt.flows.knowledge.sweep import stage as staged
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import append, kept, named
from learnt.ports import Outside, Writer

# What a correction costs an entry that nobody has vouched for.
_SOFT_FAILURE: Final = EntryFeedback(result="failure", weight=SOFT, source="correction")


class Recording(Record, kw_only=True):
    """An offer on its way: as which entry, where, what it cites, and a gate's `doubt`."""

    entry: EntryId
    offer: Offer
    where: Where
    citations: tuple[Anchored, ...] = ()
    doubt: str = ""


def record(outside: Outside, writer: Writer, this: Recording, decision: Decision) -> bool:
    """Record what became of an offer; False where its witness confirmed the same before."""
    said = this.offer.actor is Actor.HUMAN or this.offer.picked
    counts = said and not this.offer.waits
    stage = Stage.VALIDATED if counts else Stage.CANDIDATE
    first = said_at_once(outside, this.offer) if this.offer.at_once else None
    match decision:
        case Admit():
            say(writer, this, Gated(verdict="admit", passed=GATES), first)
            payload = remembered(outside, writer, this, stage, decision)
            say(writer, this, payload, _once(outside, this, this.entry, "confirmed"))
            return True
        case Merge():
            return _merge(outside, writer, this)
        case Correct(entry, why):
            key = _once(outside, this, entry, "confirmed", _corrected(writer, entry) + 1)
            say(writer, this, Gated(verdict="correct", gate="alignment", reason=why), first)
            say(writer, this, remembered(outside, writer, this, stage, decision), key)
            if this.offer.actor is not Actor.HUMAN:  # whose newest word needs no proof
                say(writer, this, _SOFT_FAILURE)
            return True
        case Reject(gate, why):
            passed = GATES[: GATES.index(gate)]
            verdict = Gated(verdict="reject", gate=gate, reason=why, passed=passed)
            say(writer, this, verdict, first)
            return True
        case _:
            assert_never(decision)


def said_at_once(outside: Outside, offer: Offer) -> NaturalKey:
    """The natural key by which the harvest knows what was decided while its prompt was answered."""
    text = fingerprint(outside, normalised(offer.what))
    return natural_key(outside.ledger.key, "decided at once", offer.utterance, text)


def _merge(outside: Outside, writer: Writer, this: Recording) -> bool:
    merged = Gated(
        verdict="merge",
        gate="redundancy",
        reason="duplicate",
        credibility=0 if this.offer.waits or this.offer.picked else this.offer.credibility,
        cites=anchored(writer, this.citations),
    )
    key = _once(outside, this, this.entry, "confirmed", _corrected(writer, this.entry))
    counted = say(writer, this, merged, key)
    if not counted:
        say(writer, this, replace(merged, credibility=0))
    entry = entry_of(writer, this.entry)
    vouched = this.offer.actor is Actor.HUMAN and not this.offer.waits
    if vouched and entry and entry.stage is Stage.CANDIDATE:
        staged(writer, this.entry, Actor.HUMAN, Stage.VALIDATED, "a person vouched for it")
    return counted


def _corrected(writer: Writer, name: EntryId) -> int:
    entry = entry_of(writer, name)
    return 0 if entry is None else entry.corrected


def _once(
    outside: Outside, this: Recording, entry: EntryId, result: str, texts: int = 0
) -> NaturalKey | None:
    """What makes a witness count once: its tool call, or for an agent's judgement the session."""
    offer = this.offer
    if offer.utterance:
        key = outside.ledger.key
        return natural_key(key, "said by a person", entry, offer.utterance, texts or None)
    if offer.actor is Actor.HUMAN:
        return None
    if offer.evidence:
        return proved(outside, entry, offer.evidence, result, texts)
    return judged(outside, entry, this.where.session, result, texts)


def dispute(writer: Writer, this: Recording, rival: EntryId) -> None:
    """Record on both sides that an entry and another one may not hold together."""
    if rival == this.entry:
        return
    say(writer, this, EntryFeedback(result="disputed", source="import", other=rival))
    other = EntryFeedback(result="disputed", source="import", other=this.entry)
    say(writer, replace(this, entry=rival), other)


def suspect(writer: Writer, this: Recording, suspicion: Suspicion) -> None:
    """Record on both sides what rules suspect of an entry and another one."""
    other, sort, clash = suspicion
    say(writer, this, SuspectedPair(other=other, sort=sort, clash=clash))
    mirrored = SuspectedPair(other=this.entry, sort=sort, clash=clash)
    say(writer, replace(this, entry=other), mirrored)


def fingerprint(outside: Outside, text: str) -> str:
    """What two texts have in common that say the same in the same words."""
    return keyed_hash(outside.ledger.key, "fingerprint", text)


def say(writer: Writer, this: Recording, payload: Payload, key: NaturalKey | None = None) -> bool:
    """Record one event of an offer; False where its natural key is taken."""
    offer, subject = this.offer, entry_subject(this.entry)
    event = append(
        writer, subject, offer.actor, payload, where=this.where, origin=offer.origin, key=key
    )
    return event is not None


def remembered(
    outside: Outside, writer: Writer, this: Recording, stage: Stage, decision: Admit | Correct
) -> Remembered:
    """The payload of an offer's texts, each kept as a content."""
    offer, what = this.offer, this.offer.what

    def all_kept(kind: str, texts: Iterable[str]) -> tuple[ContentRef, ...]:
        return tuple(writer.keep(kind, clean(text)) for text in texts)

    source, key = None, outside.ledger.key
    if (quoted := offer.quoted) is not None:
        source = Source(
            session=named(key, clean(quoted.session or "")),
            position=quoted.position,
            speaker=kept(writer, "speaker", clean(quoted.speaker or "")),
            date=named(key, clean(quoted.date or "")),
        )
    content = Content(
        form="fact" if isinstance(what, Fact) else "solution",
        kind=what.kind,
        scope=this.where.project,
        tags=all_kept("tag", what.tags),
        fingerprint=fingerprint(outside, normalised(what)),
        source=source,
        cites=anchored(writer, this.citations),
    )
    match what:
        case Fact():
            content = replace(
                content,
                text=writer.keep("fact", clean(what.text)),
                entities=all_kept("entity", what.entities),
                topic=decision.topic,
            )
        case Solution():
            content = replace(
                content,
                problem=writer.keep("problem", clean(what.problem)),
                approach=writer.keep("approach", clean(what.approach)),
                cautions=all_kept("caution", what.cautions),
                files=all_kept("file", what.files),
                signs=all_kept("sign", what.signs),
                language=kept(writer, "language", clean(what.language or "")),
            )
        case _:
            assert_never(what)
    return Remembered(
        stage=stage,
        content=content,
        credibility=offer.credibility,
        lesson=offer.lesson,
        doubt=PICKED if offer.picked else offer.waits or this.doubt,
    )
