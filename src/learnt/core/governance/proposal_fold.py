"""How the events of a proposal fold into what is true of it."""

from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.governance.proposals import Proposal, Status, reopens
from learnt.core.identifiers import ProposalId
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed
from learnt.core.records import shared

_UNDECIDED: Final = Proposal(id=ProposalId(""))


def step(proposal: Proposal | None, event: Event) -> Proposal:
    """The proposal after one more event about it."""
    proposal = proposal or Proposal(id=ProposalId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROPOSED:
            return _proposed(proposal, payload_of(Proposed, event), event)
        case Kind.DECIDED:
            return _decided(proposal, payload_of(Decided, event))
        case Kind.APPLIED if proposal.status in {Status.ACCEPTED, Status.APPLIED}:
            applied = payload_of(Applied, event)
            after, put = applied.after or proposal.after, shared(applied, "written links")
            return replace(proposal, status=Status.APPLIED, after=after, **put)
        case Kind.PURGED:
            return replace(proposal, draft=None, bundle=None, words=None, note=None)
        case _:
            return proposal


def _proposed(proposal: Proposal, offer: Proposed, event: Event) -> Proposal:
    proposed_ms = proposal.proposed_ms or event.wall_ms
    proposal = replace(proposal, evidence=offer.evidence, proposed_ms=proposed_ms)
    if reopens(proposal, offer.evidence.count):
        proposal = replace(proposal, status=Status.PENDING, rejected_at=0)
    if proposal.status is not Status.PENDING or offer.kind is None:
        return proposal  # what was decided on stays what was decided on
    said = shared(offer, "kind about words target draft bundle scope notes base rewritten")
    # More evidence leaves the text, and so who wrote it, as it was.
    new = offer.draft != proposal.draft
    by_hand = event.actor is Actor.HUMAN if new else proposal.by_hand
    return replace(proposal, **said, by_hand=offer.rewritten and by_hand)


def _decided(proposal: Proposal, decision: Decided) -> Proposal:
    match (decision.verdict, proposal.status):
        case ("accepted", Status.PENDING):
            accepted = shared(decision, "note path before after base written links")
            return replace(proposal, **accepted, status=Status.ACCEPTED, agreed=decision.after)
        case ("withdrawn", Status.PENDING):
            return replace(proposal, draft=None)
        case ("rejected", Status.PENDING):
            count = proposal.evidence.count
            return replace(proposal, status=Status.REJECTED, note=decision.note, rejected_at=count)
        case ("undone", Status.REJECTED | Status.ACCEPTED | Status.APPLIED):
            undone = shared(_UNDECIDED, "path before after agreed written links rejected_at status")
            return replace(proposal, **undone, note=decision.note)
        case _:
            return proposal  # a decision that can't follow changes nothing
