"""What every decision on a proposal needs: the proposal, who decides, and the record of it."""

from dataclasses import dataclass

from learnt.core.events import Actor, Draft
from learnt.core.governance.proposals import Proposal, Status
from learnt.core.identifiers import ContentRef, ProposalId, proposal_subject
from learnt.core.payloads.proposal_events import Decided
from learnt.errors import NotFound, Refused
from learnt.flows.stored import all_stored, stored, text_behind
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """Who decides; `doubt` says why a call is not taken for a person's."""

    actor: Actor
    doubt: str = ""


def proposals(reader: Reader) -> list[Proposal]:
    """Every proposal, the oldest first."""
    return sorted(all_stored(reader, Proposal), key=lambda each: (each.proposed_ms, each.id))


def recorded(name: str, reader: Reader) -> Proposal | None:
    """The proposal of an id, or None; as a snapshot asks for it. Raises LedgerDamaged."""
    return stored(reader, Proposal, proposal_subject(ProposalId(name)))


def proposal_of(reader: Reader, name: str) -> Proposal:
    """The proposal of an id. Raises NotFound, LedgerDamaged."""
    proposal = recorded(name, reader)
    if proposal is None:
        raise NotFound(f"There is no proposal {name}. `learnt evolve list` shows them.")
    return proposal


def text_of_ref(reader: Reader, ref: ContentRef | None) -> str:
    """A proposal's text. Raises Refused where it was erased."""
    text = text_behind(reader, ref)
    if text is None:
        raise Refused(
            "The proposal's text is gone: erased, or overtaken. `learnt evolve analyze` writes a "
            "new one where the evidence still calls for it."
        )
    return text


def refuse_others(decider: Decider, command: str) -> None:
    """Raise Refused for anybody but a person."""
    if decider.actor is not Actor.HUMAN:
        why = f" This call is not taken for a person's: {decider.doubt}." if decider.doubt else ""
        raise Refused(
            f"Only a person may decide: ask them to run `{command}` on a terminal of their own."
            f"{why} Nothing was written."
        )


def record(writer: Writer, proposal: Proposal, decider: Decider, decision: Decided) -> None:
    """Record a decision."""
    writer.append(Draft(proposal_subject(proposal.id), decider.actor, decision))


def withdraw(outside: Outside, proposal: Proposal) -> None:
    """Take back a proposal of Learnt's own that waits and no longer fits what is there."""
    with outside.ledger.writing() as writer:
        current = proposal_of(writer, proposal.id)
        if current.status is Status.PENDING and current.draft == proposal.draft:
            record(writer, current, Decider(actor=Actor.LEARNT), Decided(verdict="withdrawn"))
