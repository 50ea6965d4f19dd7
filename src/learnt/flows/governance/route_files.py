"""The files that hold accepted routes: which one a new route goes into, and what of it is whose."""

from collections.abc import Sequence

from learnt.core.governance.proposals import Proposal, ProposalKind
from learnt.errors import Refused
from learnt.formats.draft_md import ROUTES, block_of
from learnt.ports import Outside


def route_file(outside: Outside, root: str, within: str, names: Sequence[str]) -> str:
    """Of these files below a root the one that a route goes into.

    The first that is there, else the last. Raises Refused where links lead to the rules' own file.
    """
    texts = {}
    for name in names:
        try:
            texts[name] = outside.documents.read(outside.documents.whole(root, within + name))
        except Refused:
            if name == ROUTES:
                raise
            # It is a link, as such files often are: what it leads to has its own turn.
    there = {name: text for name, text in texts.items() if text is not None}
    # A file that brings another one in is read with it.
    own = [name for name, text in there.items() if not any(f"@{other}" in text for other in there)]
    return next(iter(own or there), names[-1])


def own_text(proposal: Proposal, file: str) -> str | None:
    """What of a file is an accepted proposal's: all of it, or its block in a shared one."""
    routing = proposal.kind is ProposalKind.ROUTING
    return block_of(file, proposal.id) if routing else file
