"""Proposals and signals as people look at them: lists, one in full with its diff, and sums."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Annotated

from learnt.core.events import Actor
from learnt.core.governance.misses import by_size, cluster
from learnt.core.governance.proposals import (
    BETWEEN,
    IN_SHARED_FILES,
    Proposal,
    ProposalKind,
    Status,
)
from learnt.core.identifiers import ContentRef, EntryId, ProjectId, project_subject
from learnt.core.projects import Project
from learnt.core.records import APART, Record
from learnt.flows.governance.decisions import proposal_of, proposals, recorded
from learnt.flows.governance.signals import ProjectMisses, missed, misses, reuses
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import legible, stored, text_or_empty
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.ports import Outside, Reader

_BY = {actor: f"a {actor}" for actor in Actor} | {Actor.AGENT: "an agent", Actor.LEARNT: "Learnt"}


class ProposalTexts(Record, kw_only=True):
    """A proposal with its texts."""

    proposal: Proposal
    target: str
    draft: str
    rationale: str  # in one sentence
    samples: tuple[str, ...]
    note: str
    path: str
    project: str = ""  # its folder's name; empty where it is for all
    accepted: str | None = None  # of an outside edit: the text that was accepted before it


class EntryReuse(Record):
    """How often an entry was put before an agent, in how many sessions and projects."""

    entry: EntryId
    count: int
    sessions: int
    projects: int
    problem: str


class Recalls(Record):
    """How many entries were put before agents, how often in all, and the most frequent ones."""

    tracked: int = 0
    surfaces: int = 0
    last_updated_ms: int | None = None
    top: tuple[EntryReuse, ...] = ()


class MissCluster(Record):
    """Prompts that found nothing and share two terms, `named` as they were mostly typed."""

    count: int
    distinct: int
    pair: tuple[str, str]
    words: tuple[str, ...]
    named: Annotated[tuple[str, str], APART] = ("", "")


class Misses(Record):
    """How many prompts found nothing, how many different ones, and which belong together."""

    total: int = 0
    unique: int = 0
    clusters: tuple[MissCluster, ...] = ()


class Signals(Record):
    """The sums of what was recorded."""

    reuse: Recalls = Recalls()  # frozen, and empty
    misses: Misses = Misses()  # likewise


def signals(outside: Outside, most: int = 5) -> Signals:
    """What the ledger holds of reuse and misses; nothing is written."""
    with outside.ledger.reading() as reader:
        used = reuses(reader)
        by_project = missed(outside, reader)
        # `status` counts those as well of which the words were erased.
        prompts = [each.prompt for each in misses(reader)]
        recalls = Recalls(
            tracked=len(used),
            surfaces=sum(reuse.count for reuse in used),
            last_updated_ms=max((reuse.last_ms for reuse in used), default=0) or None,
            top=tuple(
                filled(
                    EntryReuse,
                    reuse,
                    sessions=len(reuse.sessions),
                    projects=len(reuse.projects),
                    problem=_problem(reader, reuse.entry),
                )
                for reuse in used[:most]
            ),
        )
    return Signals(reuse=recalls, misses=_misses(prompts, by_project, most))


def missed_of_late(outside: Outside, newest: int) -> Misses:
    """The prompts that found nothing: how many of all, and what the newest have in common."""
    with outside.ledger.reading() as reader:
        found = misses(reader)
        prompts = [each.prompt for each in found]
        return _misses(prompts, missed(outside, reader, found[-newest:]), newest)


def _misses(
    prompts: Sequence[ContentRef | None], by_project: Iterable[ProjectMisses], most: int
) -> Misses:
    clusters = [group for project in by_project for group in cluster(project.misses)]
    largest = sorted((group for group in clusters if group.count > 1), key=by_size)[:most]
    return Misses(
        total=len(prompts),
        unique=len(set(prompts)),
        clusters=tuple(filled(MissCluster, group) for group in largest),
    )


def listed(outside: Outside, statuses: Iterable[str] = ()) -> list[ProposalTexts]:
    """The proposals of these states, or all, the oldest first."""
    # One that waits with an erased text is left out: only a new analysis can bring it back.
    wanted = set(statuses)
    with outside.ledger.reading() as reader:
        return [
            _with_texts(reader, proposal)
            for proposal in proposals(reader)
            if (not wanted or proposal.status in wanted)
            and (proposal.status is not Status.PENDING or proposal.draft is not None)
        ]


def waiting(outside: Outside) -> list[str]:
    """The kinds of the proposals that wait for a person, as `listed` has them."""
    with outside.ledger.reading() as reader:
        return [
            kind or ProposalKind.NEW_SKILL
            for _, status, draft, kind in reader.columns(Proposal.prefix, "status", "draft", "kind")
            if draft is not None and (status or Status.PENDING) == Status.PENDING
        ]


def ready_notice(outside: Outside, *, commands: bool = False) -> str:
    """One line for a person about what waits; `commands`: their agent has our slash commands."""
    kinds = waiting(outside)
    drafts = kinds.count(ProposalKind.NEW_SKILL)
    counts = ((drafts, "draft"), (len(kinds) - drafts, "other proposal" if drafts else "proposal"))
    told = " and ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n)
    more = " (your agent rewrites a draft: /learnt-draft)" if drafts and commands else ""
    return f"{told} {'is' if len(kinds) == 1 else 'are'} ready: learnt review{more}" if told else ""


def shown(outside: Outside, name: str) -> ProposalTexts:
    """One proposal in full. Raises NotFound."""
    with outside.ledger.reading() as reader:
        return _with_texts(reader, proposal_of(reader, name))


def _problem(reader: Reader, name: EntryId) -> str:
    entry = entry_of(reader, name)
    return legible(reader, entry.about if entry else None) or "(erased)"


def _with_texts(reader: Reader, proposal: Proposal) -> ProposalTexts:
    return ProposalTexts(
        proposal=proposal,
        target=legible(reader, proposal.target),
        draft=legible(reader, proposal.draft),
        rationale=_rationale(reader, proposal),
        samples=tuple(legible(reader, ref) for ref in proposal.evidence.samples),
        note=legible(reader, proposal.note),
        path=legible(reader, proposal.path),
        project=_project(reader, proposal.scope) if proposal.scope else "",
        accepted=_accepted(reader, proposal),
    )


def _project(reader: Reader, name: ProjectId) -> str:
    project = stored(reader, Project, project_subject(name))
    return text_or_empty(reader, project.label if project else None) or name


_WHY = {
    ProposalKind.NEW_VERSION: "another text for a skill that is there",
    ProposalKind.MERGE: "{words} goes into it, and out of use",
    ProposalKind.RETIRE: "the skill goes out of use; its file is kept beside",
    ProposalKind.ROLLBACK: "a text that the skill had before",
    ProposalKind.ROUTING: (
        "{count} prompts ({distinct} distinct) found nothing; they share [{words}]"
    ),
    ProposalKind.RULE: "your rule was given {count}x across {distinct} sessions",
    ProposalKind.OUTSIDE_EDIT: "the file of {about} was changed outside Learnt",
}


def _rationale(reader: Reader, proposal: Proposal) -> str:
    count, distinct = proposal.evidence.count, proposal.evidence.distinct
    if proposal.bundle is not None:
        source = legible(reader, proposal.bundle).partition(BETWEEN)[0]
        if by := proposal.drafted_by:
            return f"{_BY[by]} asks for it to be installed from {source}"
        return f"an update of what was installed from {source}"
    if by := proposal.drafted_by:
        return f"drafted by {_BY[by]}; no use of it speaks for it yet"
    if proposal.kind is ProposalKind.NEW_SKILL:
        who = "you" if proposal.by_hand else "an agent"
        author = f"; {who} wrote this text" if proposal.rewritten else ""
        what = f"“{_problem(reader, EntryId(proposal.about))}” was"
        if proposal.notes:
            what = f"{len(proposal.notes)} notes on one subject were"
        return f"{what} recalled {count}x across {distinct} sessions{author}"
    if proposal.kind is ProposalKind.TOPIC:
        new = f", {distinct} of them not in it yet" if distinct else ""
        return f"{count} validated facts belong there{new}"
    if proposal.kind is ProposalKind.RETIRE and proposal.evidence.first_ms:
        since = moment(proposal.evidence.first_ms)
        return f"never used in {count} sessions since {since}; its file is kept beside"
    words = legible(reader, proposal.words)
    return _WHY[proposal.kind].format(
        words=words, count=count, distinct=distinct, about=proposal.about
    )


def _accepted(reader: Reader, edit: Proposal) -> str | None:
    if edit.kind is not ProposalKind.OUTSIDE_EDIT:
        return None
    edited = recorded(edit.about, reader)
    if edited is None:
        return None
    whole = edited.adopted or edited.kind not in IN_SHARED_FILES
    return legible(reader, edited.after if whole else edited.draft)


def diff(path: str, before: str | None, after: str | None) -> str:
    """A unified diff of a file; None where there is none."""
    lines = difflib.unified_diff(
        (before or "").splitlines(keepends=True),
        (after or "").splitlines(keepends=True),
        "/dev/null" if before is None else path,
        "/dev/null" if after is None else path,
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
