"""What every decision on a proposal needs: the proposal, who decides, and the record of it."""

from dataclasses import dataclass

from learnt.core.events import Actor, Draft
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import ContentRef, ProposalId, proposal_subject
from learnt.core.payloads.proposal_events import Decided
from learnt.errors import NotFound, Refused
from learnt.flows.stored import stored
from learnt.ports import Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who decides, and the traces of how they called: terminal and parent processes.

    `doubt` says why a call is not taken for a person's.
    """

    actor: Actor
    traces: tuple[str, ...] = ()
    doubt: str = ""


def proposal_of(reader: Reader, name: str) -> Proposal:
    """The proposal of an id; raises NotFound, LedgerDamaged."""
    proposal = stored(reader, Proposal, proposal_subject(ProposalId(name)))
    if proposal is None:
        raise NotFound(f"There is no proposal {name}. `learnt evolve list` shows them.")
    return proposal


def text_of_ref(reader: Reader, ref: ContentRef | None) -> str:
    """A proposal's text; raises Refused where there is none any more."""
    text = None if ref is None else reader.text(ref)
    if text is None:
        raise Refused(
            "The proposal's text is gone: erased, or overtaken. `learnt evolve analyze` writes a "
            "new one where the evidence still calls for it."
        )
    return text


def refuse_others(caller: Caller, command: str) -> None:
    """Raise Refused for anybody but a person."""
    if caller.actor is not Actor.HUMAN:
        why = f" This call is not taken for a person's: {caller.doubt}." if caller.doubt else ""
        raise Refused(
            f"Only a person may decide: ask them to run `{command}` on a terminal of their own."
            f"{why} Nothing was written."
        )


def record(writer: Writer, proposal: Proposal, caller: Caller, decision: Decided) -> None:
    """Record a decision, and how it came about."""
    traces = tuple(writer.keep("trace", trace) for trace in caller.traces)
    writer.append(
        Draft(
            subject=proposal_subject(proposal.id),
            actor=caller.actor,
            payload=decision._replace(traces=traces),
        )
    )
