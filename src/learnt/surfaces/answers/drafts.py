"""The proposal that an agent's draft of a skill is: the answer of the tool `propose_skill`."""

from typing import NamedTuple

from learnt.core.governance.proposals import Status
from learnt.core.identifiers import ProposalId
from learnt.flows.governance.draft_skill import Drafted
from learnt.formats.answers import filled


class ProposedSkill(NamedTuple):
    """The proposal that a draft is. Only a person can accept it, on a terminal of their own."""

    id: ProposalId
    status: Status
    new: bool
    redacted: tuple[str, ...]
    said: str


_SAID = {
    Status.PENDING: "It waits for the person: ask them to run `learnt review` in a terminal.",
    Status.ACCEPTED: "A person accepted it, and its writing is not finished: `learnt doctor`.",
    Status.APPLIED: "A person accepted a skill of that name: its file is theirs to change.",
    Status.REJECTED: "A person rejected it. Only they bring it back: `learnt evolve undo {}`.",
}


def proposed_skill(done: Drafted) -> ProposedSkill:
    """What became of a draft, as an answer."""
    said = _SAID[done.proposal.status].format(done.proposal.id)
    return filled(ProposedSkill, done, done.proposal, said=said)
