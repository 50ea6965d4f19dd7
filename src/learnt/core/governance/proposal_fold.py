"""How the events of a proposal fold into what is true of it."""

from dataclasses import replace
from typing import assert_never

from learnt.core.events import Event, Kind, payload_of
from learnt.core.governance.proposals import Proposal, Status, reopens
from learnt.core.identifiers import ProposalId
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed


def step(proposal: Proposal | None, event: Event) -> Proposal:
    """The proposal after one more event about it."""
    known = proposal or Proposal(id=ProposalId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROPOSED:
            return _proposed(known, payload_of(Proposed, event), event.wall_ms)
        case Kind.DECIDED:
            return _decided(known, payload_of(Decided, event))
        case Kind.APPLIED:
            return _applied(known, payload_of(Applied, event))
        case Kind.PURGED:
            return replace(known, draft=None, words=None, note=None)
        case (
            Kind.GATED | Kind.REMEMBERED | Kind.STAGED | Kind.REUSED | Kind.FEEDBACK
            | Kind.RECALLED | Kind.MISSED | Kind.NOT_DELIVERED | Kind.HARVESTED
            | Kind.SESSION_STARTED | Kind.SESSION_LINKED | Kind.SESSION_ENDED
            | Kind.EPISODE_CLOSED | Kind.PROJECT_SEEN | Kind.PROJECT_LINKED
        ):  # fmt: skip
            return known
        case _:
            assert_never(event.kind)


def _proposed(known: Proposal, offer: Proposed, wall_ms: int) -> Proposal:
    known = replace(known, evidence=offer.evidence, proposed_ms=known.proposed_ms or wall_ms)
    if reopens(known, offer.evidence.count):
        known = replace(known, status=Status.PENDING, rejected_at=0)
    if known.status is not Status.PENDING or offer.kind is None:
        return known  # what was decided on stays what was decided on
    return replace(
        known,
        kind=offer.kind,
        about=offer.about,
        words=offer.words,
        target=offer.target,
        draft=offer.draft,
        scope=offer.scope,
        base=offer.base,
    )


def _decided(known: Proposal, decision: Decided) -> Proposal:
    match (decision.verdict, known.status):
        case ("accepted", Status.PENDING):
            return replace(
                known,
                status=Status.ACCEPTED,
                note=decision.note,
                path=decision.path,
                before=decision.before,
                after=decision.after,
                agreed=decision.after,
                base=decision.base,
                written=decision.written,
                links=decision.links,
            )
        case ("withdrawn", Status.PENDING):
            return replace(known, draft=None)
        case ("rejected", Status.PENDING):
            count = known.evidence.count
            return replace(known, status=Status.REJECTED, note=decision.note, rejected_at=count)
        case ("undone", Status.REJECTED | Status.ACCEPTED | Status.APPLIED):
            return replace(
                known,
                status=Status.PENDING,
                note=decision.note,
                path=None,
                before=None,
                after=None,
                agreed=None,
                written="",
                links=(),
                rejected_at=0,
            )
        case _:
            return known  # a decision that can't follow changes nothing


def _applied(known: Proposal, applied: Applied) -> Proposal:
    if known.status not in {Status.ACCEPTED, Status.APPLIED}:
        return known
    return replace(
        known,
        status=Status.APPLIED,
        written=applied.written,
        after=applied.after or known.after,
        links=applied.links,
    )
