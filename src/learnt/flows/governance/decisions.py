"""What every decision on a proposal needs: the proposal, who decides, and the record of it."""

from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.proposals import Proposal, from_state
from learnt.core.identifiers import ContentRef, ProposalId, proposal_subject
from learnt.core.json_values import JsonObject
from learnt.errors import LedgerDamaged, NotFound, Refused
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
    """The proposal of an id; raises NotFound."""
    state = reader.view(proposal_subject(ProposalId(name)))
    if state is None:
        raise NotFound(f"There is no proposal {name}. `learnt evolve list` shows them.")
    return read_state(state)


def read_state(state: JsonObject) -> Proposal:
    """A proposal by its view; raises LedgerDamaged where that is nonsense."""
    try:
        return from_state(state)
    except (KeyError, ValueError) as error:
        raise LedgerDamaged(
            f"The view of {state.get('id')} says what no proposal can be ({error}). Nothing was "
            "changed; `learnt rebuild` makes it anew from the events."
        ) from error


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


def record(
    writer: Writer, proposal: Proposal, verdict: str, caller: Caller, payload: JsonObject
) -> None:
    """Record a decision, and how it came about."""
    writer.append(
        Draft(
            subject=proposal_subject(proposal.id),
            kind=Kind.DECIDED,
            actor=caller.actor,
            payload={
                "verdict": verdict,
                **payload,
                "traces": [writer.keep("trace", trace) for trace in caller.traces],
            },
        )
    )
