"""Seed 002's memory comes in: everything as candidates, its signals as signals of today."""

from collections import Counter
from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind, Where
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
from learnt.core.recall.worth import should_recall
from learnt.core.safety import excerpt
from learnt.flows.knowledge.capture import capture_many
from learnt.flows.knowledge.offers import Offer, Quoted
from learnt.formats import skill_md
from learnt.formats.seed_memory import Decided, SeedMemory
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
            what=Solution(
                problem=memory.problem,
                approach=memory.approach,
                cautions=memory.cautions,
                tags=memory.tags,
                files=memory.files,
                language=memory.language,
            ),
            actor=Actor.TOOL,  # whoever runs the import did not write these
            witness="indirect",
            folder=folder,
            quoted=Quoted(date=memory.captured_at),
        )
        for memory in seed.memories
    ]
    outcomes = capture_many(outside, offers)
    entries = {
        memory.id: outcome.entry
        for memory, outcome in zip(seed.memories, outcomes, strict=True)
        if not isinstance(outcome.decision, Reject)
    }
    problems = {memory.id: memory.problem for memory in seed.memories}
    reuses = sum(_reused(outside, entries, *pair) for pair in seed.sessions)
    misses = sum(_missed(outside, one.prompt, one.session, one.recorded_at) for one in seed.misses)
    down = [
        one
        for one in seed.proposals
        if one.status == "rejected" and one.memory in entries and actor is Actor.HUMAN
    ]
    turned = sum(
        _turned_down(outside, one, entries[one.memory], problems[one.memory]) for one in down
    )
    kinds = Counter(type(outcome.decision) for outcome in outcomes)
    return Adopted(
        admitted=kinds[Admit],
        merged=kinds[Merge],
        rejected=kinds[Reject],
        reuses=reuses,
        misses=misses,
        proposals_turned_down=turned,
        proposals_left=len(seed.proposals) - len(down),
        unreadable_lines=seed.unreadable,
    )


def _reused(outside: Outside, entries: dict[str, EntryId], memory: str, session: str) -> bool:
    entry, key = entries.get(memory), outside.ledger.key
    if entry is None or not session:
        return False
    name = plain_or_hashed(key, session)
    with outside.ledger.writing() as writer:
        recorded = writer.append(
            Draft(
                subject=entry_subject(entry),
                actor=Actor.TOOL,
                where=Where(agent=AGENT, session=name),
                payload=Reused(recall=EventId(f"{AGENT}:{name}")),
                natural_key=natural_key(key, "reused", entry, AGENT, name, 0),
            )
        )
    return recorded is not None


def _missed(outside: Outside, prompt: str, session: str, when: str) -> bool:
    if not should_recall(prompt):
        return False
    key, text = outside.ledger.key, excerpt(prompt, _PROMPT)
    name = plain_or_hashed(key, session or "unknown")
    with outside.ledger.writing() as writer:
        kept = writer.keep("prompt", text)
        recorded = writer.append(
            Draft(
                subject=session_subject(AGENT, name),
                actor=Actor.TOOL,
                where=Where(agent=AGENT, session=name),
                payload=Missed(mode="hook", prompt=kept),
                natural_key=natural_key(key, "miss adopted", name, kept, when),
            )
        )
    return recorded is not None


def _turned_down(outside: Outside, one: Decided, entry: EntryId, problem: str) -> bool:
    """A proposal that a person rejected there is rejected here, with its evidence till now."""
    target = f"skills/{skill_md.slug(problem)}/SKILL.md"
    own = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, entry, target)
    subject, words = proposal_subject(own), excerpt(one.note, _PROMPT)
    with outside.ledger.writing() as writer:
        if writer.view(subject) is not None:
            return False
        count = len(list(writer.events(subject=entry_subject(entry), kind=Kind.REUSED)))
        writer.append(
            Draft(
                subject=subject,
                actor=Actor.TOOL,
                payload=Proposed(
                    kind=ProposalKind.NEW_SKILL,
                    about=entry,
                    target=writer.keep("target", target),
                    evidence=Evidence(count=count, distinct=count),
                ),
            )
        )
        note = writer.keep("note", words) if words else None
        writer.append(
            Draft(
                subject=subject,
                actor=Actor.HUMAN,
                payload=proposal_events.Decided(verdict="rejected", note=note),
            )
        )
    return True
