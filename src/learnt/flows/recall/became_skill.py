"""Whether an entry lies before the agent as a skill already, so that its text need not."""

from pathlib import Path

from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import ContentRef, ProposalId, proposal_subject
from learnt.core.knowledge.entries import Entry
from learnt.flows.stored import stored
from learnt.ports import Outside, Reader


def became_skill(outside: Outside, reader: Reader, entry: Entry, root: Path | None) -> bool:
    """Whether the skill that came of the entry lies where an agent in this project finds it.

    Deleted, written below a folder of one's own, or absent from this copy of the project, it is
    not there, and the entry speaks for itself again.
    """
    if not entry.skill:
        return False
    proposal = stored(reader, Proposal, proposal_subject(ProposalId(entry.skill)))
    if proposal is None:
        return False

    def text(ref: ContentRef | None) -> str | None:
        return None if ref is None else reader.text(ref)

    path = text(proposal.path)
    links = [link for ref in proposal.links if (link := text(ref)) is not None]
    if path is None:
        return False
    if entry.scope is not None:
        links = [] if root is None else [_moved(link, path, root) for link in links]
    return any(outside.documents.there(f"{link}/SKILL.md") for link in links)


def _moved(link: str, path: str, root: Path) -> str:
    """Where a project's link would be in another copy of that project."""
    first = path.partition("/.agents/")[0]
    return f"{root}/{link.removeprefix(f'{first}/')}"
