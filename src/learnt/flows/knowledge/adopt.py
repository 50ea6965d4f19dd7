"""Seed 002's memory comes in: everything as candidates, its signals as signals of today."""

from collections import Counter
from dataclasses import dataclass

from learnt.core.events import Actor, Kind, Where
from learnt.core.governance.proposals import Evidence, ProposalKind, proposal_id
from learnt.core.identifiers import (
    EntryId,
    EventId,
    entry_subject,
    plain_or_hashed,
    proposal_subject,
    session_subject,
)
from learnt.core.knowledge.drafts import Solution
from learnt.core.knowledge.gates import Admit, Merge, Reject
from learnt.core.natural_keys import natural_key
from learnt.core.payloads import proposal_events
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.payloads.recall_events import Missed, Reused
from learnt.core.recall.routing import should_recall
from learnt.core.safety import excerpt, owned
from learnt.flows.knowledge.capture import capture_many
from learnt.flows.knowledge.offers import Offer, Quoted
from learnt.flows.stored import append, kept
from learnt.formats import skill_md
from learnt.formats.answers import filled
from learnt.formats.seed_memory import SeedDecision, SeedMemory, SeedMiss
from learnt.ports import Outside

AGENT = "seed-002"
_PROMPT = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """What came in: `reuses` and `misses` count what was new.

    `proposals_left` are those not taken over: those still pending, which a new analysis makes anew,
    and those that were applied there.
    """

    admitted: int
    merged: int
    rejected: int
    reuses: int
    misses: int
    proposals_turned_down: int
    proposals_left: int
    unreadable_lines: int
    dry_run: bool = False


def adopt(outside: Outside, seed: SeedMemory, folder: str | None, actor: Actor) -> Adopted:
    """Take the memory over; to do it twice adds nothing but a confirmation to each entry."""
    offers = [
        Offer(
            what=filled(Solution, memory),
            actor=Actor.TOOL,  # whoever runs the import did not write these
            witness="indirect",
            folder=folder,
            quoted=Quoted(date=memory.captured_at),
        )
        for memory in seed.memories
    ]
    outcomes = capture_many(outside, offers)
    adopted = {
        memory.id: (outcome.entry, memory.problem)
        for memory, outcome in zip(seed.memories, outcomes, strict=True)
        if not isinstance(outcome.decision, Reject)
    }
    rejected = [
        proposal
        for proposal in seed.proposals
        if proposal.status == "rejected" and proposal.memory in adopted and actor is Actor.HUMAN
    ]
    reuses = sum(
        _reused(outside, adopted[memory][0], session)
        for memory, session in seed.sessions
        if memory in adopted and session
    )
    misses = sum(_missed(outside, miss) for miss in seed.misses if should_recall(miss.prompt))
    turned_down = sum(_turned_down(outside, row, *adopted[row.memory]) for row in rejected)
    kinds = Counter(type(outcome.decision) for outcome in outcomes)
    return Adopted(
        admitted=kinds[Admit],
        merged=kinds[Merge],
        rejected=kinds[Reject],
        reuses=reuses,
        misses=misses,
        proposals_turned_down=turned_down,
        proposals_left=len(seed.proposals) - len(rejected),
        unreadable_lines=seed.unreadable,
    )


def _reused(outside: Outside, entry: EntryId, session: str) -> bool:
    key = outside.ledger.key
    name = plain_or_hashed(key, session)
    subject, payload = entry_subject(entry), Reused(recall=EventId(f"{AGENT}:{name}"))
    where = Where(agent=AGENT, session=name)
    once = natural_key(key, "reused", entry, AGENT, name, 0)
    with outside.ledger.writing() as writer:
        return append(writer, subject, Actor.TOOL, payload, where=where, key=once) is not None


def _missed(outside: Outside, miss: SeedMiss) -> bool:
    key, text = outside.ledger.key, excerpt(miss.prompt, _PROMPT)
    name = plain_or_hashed(key, miss.session or "unknown")
    subject, where = session_subject(AGENT, name), Where(agent=AGENT, session=name)
    with outside.ledger.writing() as writer:
        payload = Missed(mode="hook", prompt=writer.keep("prompt", text))
        once = natural_key(key, "miss adopted", name, payload.prompt, miss.recorded_at)
        return append(writer, subject, Actor.TOOL, payload, where=where, key=once) is not None


def _turned_down(outside: Outside, decided: SeedDecision, entry: EntryId, problem: str) -> bool:
    target = f"skills/{skill_md.slug(problem)}/SKILL.md"
    own = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, entry, target)
    subject, words = proposal_subject(own), excerpt(decided.note, _PROMPT)
    with outside.ledger.writing() as writer:
        if writer.view(subject) is not None:
            return False
        count = len(list(writer.events(subject=entry_subject(entry), kind=Kind.REUSED)))
        proposed = Proposed(
            kind=ProposalKind.NEW_SKILL,
            about=entry,
            target=writer.keep("target", owned(target)),
            evidence=Evidence(count=count, distinct=count),
        )
        rejected = proposal_events.Decided(verdict="rejected", note=kept(writer, "note", words))
        append(writer, subject, Actor.TOOL, proposed)
        append(writer, subject, Actor.HUMAN, rejected)
    return True
