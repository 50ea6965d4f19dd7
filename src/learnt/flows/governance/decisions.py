"""What every decision on a proposal needs: the proposal, who decides, and the record of it."""

from learnt.core.events import Actor, NewEvent
from learnt.core.governance.proposals import Proposal, ProposalKind, Status
from learnt.core.identifiers import ContentRef, ProposalId, entry_subject, proposal_subject
from learnt.core.payloads.entry_events import BecameSkill
from learnt.core.payloads.proposal_events import Applied, Decided
from learnt.core.records import Record
from learnt.errors import NotFound, Refused
from learnt.flows.stored import all_stored, append, stored, text_behind
from learnt.ports import Outside, Reader, Writer


class Decider(Record, kw_only=True):
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
            "The proposal's text is gone: a note of it was purged, or it was overtaken. `learnt "
            "evolve analyze` writes a new one where the evidence still calls for it."
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
    writer.append(NewEvent(proposal_subject(proposal.id), decider.actor, decision))


def withdraw(outside: Outside, proposal: Proposal) -> None:
    """Take back a proposal of Learnt's own that waits and no longer fits what is there."""
    with outside.ledger.writing() as writer:
        current = proposal_of(writer, proposal.id)
        if current.status is Status.PENDING and current.draft == proposal.draft:
            record(writer, current, Decider(actor=Actor.LEARNT), Decided(verdict="withdrawn"))


def became_skill(writer: Writer, proposal: Proposal, by: str) -> None:
    """Record that the notes of a new skill are one by a proposal, or with none no more."""
    for entry in proposal.notes_used if proposal.kind is ProposalKind.NEW_SKILL else ():
        append(writer, entry_subject(entry), Actor.LEARNT, BecameSkill(proposal=by))


def count_as_accepted(
    writer: Writer, proposal: Proposal, text: ContentRef | None, written: str
) -> None:
    """Record that this is the accepted text of an applied proposal from now on."""
    applied = Applied(written=written, links=proposal.links, after=text)
    append(writer, proposal_subject(proposal.id), Actor.LEARNT, applied)
