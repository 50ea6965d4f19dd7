"""What became of an offer, as events: the gates' word, its texts, and what it says of others."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from learnt.core.events import Actor, Draft, Payload, Where
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    NaturalKey,
    entry_subject,
    keyed_hash,
    plain_or_hashed,
)
from learnt.core.knowledge.drafts import Fact, Solution, normalised
from learnt.core.knowledge.entries import Content, Source, Stage
from learnt.core.knowledge.gates import GATES, Admit, Correct, Decision, Merge, Reject
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.entry_events import EntryFeedback, Gated, Remembered
from learnt.flows.knowledge.citing import Anchored, anchored
from learnt.flows.knowledge.evidence import Proof, judged, proved
from learnt.flows.knowledge.offers import Offer, Quoted
from learnt.flows.knowledge.sweep import stage as staged
from learnt.flows.recall.search import entry_of
from learnt.ports import Outside, Writer

SOFT = 300  # what a contradiction costs the entry that it speaks against, in thousandths
_SOFT_FAILURE: Final = EntryFeedback(result="failure", weight=SOFT, source="contradiction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """An offer on its way into the ledger: tidied, as which entry, where, and what it cites."""

    entry: EntryId
    offer: Offer
    where: Where
    citations: tuple[Anchored, ...] = ()


def record(outside: Outside, writer: Writer, this: Recording, decision: Decision) -> bool:
    """Record what became of an offer; its texts only where it is let in.

    False where it confirms what its witness confirmed before: that counts once.
    """
    person = this.offer.actor is Actor.HUMAN
    stage = Stage.VALIDATED if person else Stage.CANDIDATE
    match decision:
        case Admit():
            say(writer, this, Gated(verdict="admit", passed=GATES))
            said = remembered(outside, writer, this, stage, decision)
            say(writer, this, said, _once(outside, this, this.entry, "confirmed"))
            return True
        case Merge():
            return _merge(outside, writer, this)
        case Correct(entry, why):
            key = _once(outside, this, entry, "confirmed", _corrected(writer, entry) + 1)
            say(writer, this, Gated(verdict="correct", gate="alignment", reason=why))
            say(writer, this, remembered(outside, writer, this, stage, decision), key)
            say(writer, this, _SOFT_FAILURE)
            return True
        case Reject():
            _reject(outside, writer, this, decision)
            return True
    assert_never(decision)


def _merge(outside: Outside, writer: Writer, this: Recording) -> bool:
    entry = entry_of(writer, this.entry)
    key = _once(outside, this, this.entry, "confirmed", 0 if entry is None else entry.corrected)
    merged = Gated(
        verdict="merge",
        gate="redundancy",
        reason="duplicate",
        credibility=this.offer.credibility,
        cites=anchored(writer, this.citations),
    )
    counted = say(writer, this, merged, key)
    if not counted:
        say(writer, this, merged._replace(credibility=0))
    if this.offer.actor is Actor.HUMAN and entry and entry.stage is Stage.CANDIDATE:
        staged(writer, this.entry, Actor.HUMAN, Stage.VALIDATED, "a person vouched for it")
    return counted


def _reject(outside: Outside, writer: Writer, this: Recording, decision: Reject) -> None:
    gate, against = decision.gate, decision.against
    rejected = Gated(
        verdict="reject",
        gate=gate,
        reason=decision.reason,
        passed=GATES[: GATES.index(gate)],
        against=against,
    )
    say(writer, this, rejected)
    if against is not None:
        key = _once(outside, this, against, "failure", _corrected(writer, against))
        say(writer, replace(this, entry=against), _SOFT_FAILURE, key)


def _corrected(writer: Writer, name: EntryId) -> int:
    """How often an entry was put right before."""
    entry = entry_of(writer, name)
    return 0 if entry is None else entry.corrected


def _once(
    outside: Outside, this: Recording, entry: EntryId, result: str, texts: int = 0
) -> NaturalKey | None:
    """What makes a witness count once: its tool call, or for an agent's judgement the session."""
    offer = this.offer
    if offer.said:
        key = outside.ledger.key
        return natural_key(key, "said by a person", entry, offer.said, texts or None)
    if offer.actor is Actor.HUMAN:
        return None
    if offer.evidence:
        shown = Proof(tool_use=offer.evidence, session=offer.session, failed=False)
        return proved(outside, entry, shown, result, texts)
    return judged(outside, entry, this.where.session, result, texts)


def fingerprint(outside: Outside, text: str) -> str:
    """What two texts have in common that say the same in the same words."""
    return keyed_hash(outside.ledger.key, "fingerprint", text)


def say(writer: Writer, this: Recording, payload: Payload, key: NaturalKey | None = None) -> bool:
    """Record one event of an offer; False where its natural key is taken."""
    recorded = writer.append(
        Draft(
            subject=entry_subject(this.entry),
            actor=this.offer.actor,
            origin=this.offer.origin,
            where=this.where,
            payload=payload,
            natural_key=key,
        )
    )
    return recorded is not None


def remembered(
    outside: Outside, writer: Writer, this: Recording, stage: Stage, decision: Admit | Correct
) -> Remembered:
    """The payload of an offer's texts, each kept as a content."""
    offer, what = this.offer, this.offer.what

    def kept(kind: str, texts: Iterable[str]) -> tuple[ContentRef, ...]:
        return tuple(writer.keep(kind, text) for text in texts)

    common = Content(
        form="fact" if isinstance(what, Fact) else "solution",
        kind=what.kind,
        scope=this.where.project,
        tags=kept("tag", what.tags),
        fingerprint=fingerprint(outside, normalised(what)),
        source=None if offer.quoted is None else _source(outside, writer, offer.quoted),
        cites=anchored(writer, this.citations),
    )
    match what:
        case Fact():
            content = replace(
                common,
                text=writer.keep("fact", what.text),
                entities=kept("entity", what.entities),
                topic=decision.topic,
            )
        case Solution():
            content = replace(
                common,
                problem=writer.keep("problem", what.problem),
                approach=writer.keep("approach", what.approach),
                cautions=kept("caution", what.cautions),
                files=kept("file", what.files),
                language=writer.keep("language", what.language) if what.language else None,
            )
        case _:
            assert_never(what)
    return Remembered(
        stage=stage, content=content, credibility=offer.credibility, lesson=offer.lesson
    )


def _source(outside: Outside, writer: Writer, quoted: Quoted) -> Source:
    """The coordinates as a payload may hold them: names plain or hashed, the speaker a content."""
    key = outside.ledger.key
    return Source(
        session=plain_or_hashed(key, quoted.session) if quoted.session else None,
        position=quoted.position,
        speaker=writer.keep("speaker", quoted.speaker) if quoted.speaker else None,
        date=plain_or_hashed(key, quoted.date) if quoted.date else None,
    )
