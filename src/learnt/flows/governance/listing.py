"""Proposals and signals as people look at them: lists, one in full with its diff, and sums."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from learnt.core.events import Actor
from learnt.core.governance.misses import by_size, cluster
from learnt.core.governance.proposals import Proposal, ProposalKind, Status
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    ProposalId,
    project_subject,
    proposal_subject,
)
from learnt.core.projects import Project
from learnt.flows.governance.accept import Change
from learnt.flows.governance.analyze import proposals
from learnt.flows.governance.decisions import proposal_of
from learnt.flows.governance.signals import Reuse, missed, reuses
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import stored
from learnt.formats.answers import filled
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


class Recalled(NamedTuple):
    """How often an entry was put before an agent, in how many sessions and projects."""

    entry: EntryId
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not called
    sessions: int
    projects: int
    problem: str


class Recalls(NamedTuple):
    """How many entries were put before agents, how often in all, and the most frequent ones."""

    tracked: int = 0
    surfaces: int = 0
    last_updated_ms: int | None = None
    top: tuple[Recalled, ...] = ()


class MissCluster(NamedTuple):
    """Prompts that found nothing and belong together: how many, and the two terms they share."""

    count: int  # type: ignore[assignment]  # hides tuple.count, which is not called
    distinct: int
    pair: tuple[str, str]
    words: tuple[str, ...]


class Misses(NamedTuple):
    """How many prompts found nothing, how many different ones, and which belong together."""

    total: int = 0
    unique: int = 0
    clusters: tuple[MissCluster, ...] = ()


class Signals(NamedTuple):
    """The sums of what was recorded."""

    reuse: Recalls = Recalls()  # frozen, and empty
    misses: Misses = Misses()  # likewise


def signals(outside: Outside, most: int = 5) -> Signals:
    """What the ledger holds of reuse and misses; nothing is written."""
    with outside.ledger.reading() as reader:
        used = reuses(reader)
        found = missed(outside, reader)
        clusters = [one for missed_here in found for one in cluster(missed_here.misses)]
        misses = [miss for missed_here in found for miss in missed_here.misses]
        recalls = Recalls(
            tracked=len(used),
            surfaces=sum(reuse.count for reuse in used),
            last_updated_ms=max((reuse.last_ms for reuse in used), default=0) or None,
            top=tuple(_recalled(reader, reuse) for reuse in used[:most]),
        )
        largest = sorted((c for c in clusters if c.count > 1), key=by_size)[:most]
        missed_so_far = Misses(
            total=sum(miss.count for miss in misses),
            unique=len({miss.prompt for miss in misses}),
            clusters=tuple(filled(MissCluster, cluster) for cluster in largest),
        )
    return Signals(reuse=recalls, misses=missed_so_far)


def _recalled(reader: Reader, reuse: Reuse) -> Recalled:
    return Recalled(
        entry=reuse.entry,
        count=reuse.count,
        sessions=len(reuse.sessions),
        projects=len(reuse.projects),
        problem=_problem(reader, reuse.entry),
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
    held = entry_of(reader, entry)
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
    if proposal.scope is None:
        return ""
    project = stored(reader, Project, project_subject(proposal.scope))
    label = None if project is None else project.label
    return (label and reader.text(label)) or proposal.scope


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
        held = stored(reader, Proposal, proposal_subject(ProposalId(edit.about)))
        if held is None:
            return None
        whole = held.adopted or held.kind is not ProposalKind.ROUTING
        return _text(reader, held.after if whole else held.draft)
