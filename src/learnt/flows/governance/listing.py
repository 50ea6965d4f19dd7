"""Proposals and signals as people look at them: lists, one in full with its diff, and sums."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from learnt.core import projects
from learnt.core.events import Actor
from learnt.core.governance.misses import Cluster, by_size, cluster
from learnt.core.governance.proposals import Proposal, ProposalKind, Status
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    ProposalId,
    entry_subject,
    project_subject,
    proposal_subject,
)
from learnt.core.knowledge import entries
from learnt.flows.governance.accept import Change
from learnt.flows.governance.analyze import proposals
from learnt.flows.governance.decisions import proposal_of, read_state
from learnt.flows.governance.signals import Reuse, missed, reuses
from learnt.ports import Outside, Reader

_ERASED = "(erased)"
_BY = {actor: f"a {actor}" for actor in Actor} | {Actor.AGENT: "an agent", Actor.LEARNT: "Learnt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A proposal with its texts. `rationale` says in one sentence what speaks for it.

    `project` is the name of the folder whose project it is for; empty where it is for all.
    """

    proposal: Proposal
    target: str
    draft: str
    rationale: str
    samples: tuple[str, ...]
    note: str
    path: str
    project: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """The sums of what was recorded."""

    tracked: int = 0
    surfaces: int = 0
    last_ms: int = 0
    top: tuple[tuple[Reuse, str], ...] = ()
    misses: int = 0
    unique: int = 0
    clusters: tuple[Cluster, ...] = ()


def signals(outside: Outside, most: int = 5) -> Signals:
    """What the ledger holds of reuse and misses; nothing is written."""
    with outside.ledger.reading() as reader:
        used = reuses(reader)
        found = missed(outside, reader)
        clusters = [one for missed_here in found for one in cluster(missed_here.misses)]
        misses = [miss for missed_here in found for miss in missed_here.misses]
        return Signals(
            tracked=len(used),
            surfaces=sum(reuse.count for reuse in used),
            last_ms=max((reuse.last_ms for reuse in used), default=0),
            top=tuple((reuse, _problem(reader, reuse.entry)) for reuse in used[:most]),
            misses=sum(miss.count for miss in misses),
            unique=len({miss.prompt for miss in misses}),
            clusters=tuple(sorted((c for c in clusters if c.count > 1), key=by_size)[:most]),
        )


def listed(outside: Outside, statuses: Iterable[str] = ()) -> list[Shown]:
    """The proposals of these states, or all, the oldest first."""
    wanted = set(statuses)
    with outside.ledger.reading() as reader:
        return [
            _shown(reader, proposal)
            for proposal in proposals(reader)
            if (not wanted or proposal.status in wanted) and not _moot(proposal)
        ]


def _moot(proposal: Proposal) -> bool:
    """Whether it waits with a text that was erased: only a new analysis can bring it back."""
    return proposal.status is Status.PENDING and proposal.draft is None


def shown(outside: Outside, name: str) -> Shown:
    """One proposal in full; raises NotFound."""
    with outside.ledger.reading() as reader:
        return _shown(reader, proposal_of(reader, name))


def _text(reader: Reader, ref: ContentRef | None) -> str:
    if ref is None:
        return ""
    held = reader.text(ref)
    return _ERASED if held is None else held


def _problem(reader: Reader, entry: EntryId) -> str:
    state = reader.view(entry_subject(entry))
    held = None if state is None else entries.from_state(state)
    return _ERASED if held is None or held.about is None else _text(reader, held.about)


def _shown(reader: Reader, proposal: Proposal) -> Shown:
    return Shown(
        proposal=proposal,
        target=_text(reader, proposal.target),
        draft=_text(reader, proposal.draft),
        rationale=_rationale(reader, proposal),
        samples=tuple(_text(reader, ref) for ref in proposal.evidence.samples),
        note=_text(reader, proposal.note),
        path=_text(reader, proposal.path),
        project=_project(reader, proposal),
    )


def _project(reader: Reader, proposal: Proposal) -> str:
    state = None if proposal.scope is None else reader.view(project_subject(proposal.scope))
    label = None if state is None else projects.from_state(state).label
    return (label and reader.text(label)) or proposal.scope or ""


def _rationale(reader: Reader, proposal: Proposal) -> str:
    count, distinct = proposal.evidence.count, proposal.evidence.distinct
    match proposal.kind:
        case ProposalKind.NEW_SKILL if proposal.drafted_by is not None:
            return f"drafted by {_BY[proposal.drafted_by]}; no use of it speaks for it yet"
        case ProposalKind.NEW_SKILL:
            problem = _problem(reader, EntryId(proposal.about))
            return f"“{problem}” was recalled {count}x across {distinct} sessions"
        case ProposalKind.ROUTING:
            words = _text(reader, proposal.words)
            return f"{count} prompts ({distinct} distinct) found nothing; they share [{words}]"
        case ProposalKind.TOPIC:
            new = f", {distinct} of them not in it yet" if distinct else ""
            return f"{count} validated facts belong there{new}"
        case ProposalKind.OUTSIDE_EDIT:
            return f"the file of {ProposalId(proposal.about)} was changed outside Learnt"


def diff(change: Change, accepted: str | None = None) -> str:
    """A unified diff of what accepting would change; `accepted` is an edited file's text before."""
    before = accepted if accepted is not None else change.before
    lines = difflib.unified_diff(
        (before or "").splitlines(keepends=True),
        change.after.splitlines(keepends=True),
        "/dev/null" if before is None else change.path,
        change.path,
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def accepted_text(outside: Outside, edit: Proposal) -> str | None:
    """For an outside edit, the text that was accepted before it."""
    if edit.kind is not ProposalKind.OUTSIDE_EDIT:
        return None
    with outside.ledger.reading() as reader:
        state = reader.view(proposal_subject(ProposalId(edit.about)))
        held = None if state is None else read_state(state)
        if held is None:
            return None
        whole = held.adopted or held.kind is not ProposalKind.ROUTING
        return _text(reader, held.after if whole else held.draft)
