"""What became of accepted files meanwhile: edits become proposals, files of others are named."""

from collections.abc import Iterable
from functools import partial
from typing import Literal

from learnt.core.events import Actor, Kind, natural_key
from learnt.core.governance.proposals import (
    IN_SHARED_FILES,
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    text_hash,
)
from learnt.core.identifiers import ProposalId, proposal_subject
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.records import Record, member, text_of
from learnt.core.safety import owned
from learnt.errors import Conflict, LearntError
from learnt.flows.governance.accept import finish
from learnt.flows.governance.analyze import own_text
from learnt.flows.governance.decisions import proposals, recorded, withdraw
from learnt.flows.health.trial import open_trials
from learnt.flows.plans import Plan, carry_out_each, snapshot
from learnt.flows.stored import append, text_behind, text_or_empty
from learnt.ports import Outside, Reader, Writer

Ownership = Literal["ours", "edited", "gone", "unreadable", "foreign", "erased"]


class ClaimedFile(Record):
    """A file that a proposal wrote, or that says so; `erased`: where it wrote was erased."""

    path: str
    proposal: ProposalId
    ownership: Ownership


class Noticed(Record):
    """What a look at the disk gave: files, what is left to do, and edits proposed for review."""

    files: tuple[ClaimedFile, ...]
    unfinished: tuple[str, ...] = ()
    proposed: tuple[ProposalId, ...] = ()


def notice(outside: Outside, skill_folders: Iterable[str]) -> Noticed:
    """Finish what was cut short, propose edits and revisions, name files that claim to be ours."""
    with outside.ledger.reading() as reader:
        accepted = [p for p in proposals(reader) if p.status is Status.ACCEPTED]
    unfinished = []
    for proposal in accepted:
        try:
            obstacle = finish(outside, proposal)
        except LearntError as error:
            obstacle = str(error)
        unfinished += [obstacle] if obstacle else []
    with outside.ledger.reading() as reader:
        every = proposals(reader)
        applied = _applied(reader, every)
        swapped = {
            trial.path: frozenset(map(text_hash, trial.texts.values()))
            for trial in open_trials(reader)
        }
        waiting = [p for p in every if p.kind is ProposalKind.OUTSIDE_EDIT and _waits(p)]
        drafts = {proposal.id: text_behind(reader, proposal.draft) for proposal in waiting}
    files, proposed, edits = [], list[ProposalId](), dict[str, str]()
    for proposal, path, block in applied:
        ours = swapped.get(path, frozenset({proposal.written}))
        ownership, text = _look(outside, proposal, path, block, ours)
        files.append(ClaimedFile(path=path, proposal=proposal.id, ownership=ownership))
        if text is not None:
            edits[proposal.id] = text
            try:
                plan = partial(_edit, outside, proposal, path, text)
                made = carry_out_each(outside.ledger, plan, f"The edit of {path}")
                proposed += filter(None, made)
            except Conflict as error:  # others are at it: the next look at the disk proposes it
                unfinished.append(str(error))
    unseen = {file.proposal for file in files if file.ownership == "unreadable"}
    for edit in waiting:  # only as long as its text is what the file holds
        if edit.about not in unseen and drafts[edit.id] != edits.get(edit.about):
            withdraw(outside, edit)
    from learnt.flows.skills.keep_in_step import keep_in_step  # yaml takes longer than the rest

    proposed += keep_in_step(outside)
    known = {path for _, path, _ in applied}
    erased = {p.id for p in every if p.status is Status.APPLIED} - {p.id for p, *_ in applied}
    files += _foreign(outside, skill_folders, known, erased)
    return Noticed(files=tuple(files), unfinished=tuple(unfinished), proposed=tuple(proposed))


def _applied(reader: Reader, every: Iterable[Proposal]) -> list[tuple[Proposal, str, str]]:
    """The applied proposals, the paths of their files, and of a route the block that is its own."""
    applied = []
    for p in every:
        path = text_behind(reader, p.after) and text_behind(reader, p.path)  # not what was erased
        if p.status is Status.APPLIED and p.kind is not ProposalKind.OUTSIDE_EDIT and path:
            block = p.after if p.adopted else p.draft
            shared = p.kind in IN_SHARED_FILES
            applied.append((p, path, text_or_empty(reader, block) if shared else ""))
    # Topics and skills are accepted again and again: what was accepted last is what a file holds.
    newest = {path: p.id for p, path, _ in applied if p.kind not in IN_SHARED_FILES}
    return [row for row in applied if newest.get(row[1], row[0].id) == row[0].id]


def _waits(proposal: Proposal) -> bool:
    return proposal.status is Status.PENDING and proposal.draft is not None


def _look(
    outside: Outside, proposal: Proposal, path: str, block: str, ours: frozenset[str]
) -> tuple[Ownership, str | None]:
    """Whose a file is, and a text to be looked at; `ours` are the digests that it may have."""
    try:
        text = outside.documents.read(path)
    except LearntError:
        return "unreadable", None
    own = None if text is None else own_text(proposal, text)
    if text is None or own is None:
        return "gone", None
    if text_hash(text) in ours or (block and block in text):
        return "ours", None
    return "edited", own


def _edit(
    outside: Outside, proposal: Proposal, path: str, text: str
) -> tuple[Plan[ProposalId | None], ...]:
    """What proposing an edit takes, once each time that it is made; nothing where it waits."""
    now = text_hash(text)
    with outside.ledger.reading() as reader:
        # Edits may go back and forth: each is one of its own since the last text accepted.
        edited = f"{path} {_count(reader, proposal.id, Kind.APPLIED)} {now}"
        own = proposal_id(outside.ledger.key, ProposalKind.OUTSIDE_EDIT, proposal.id, edited)
        earlier = snapshot(reader, lambda at: (recorded(own, at), _count(at, own, Kind.DECIDED)))
    before, decisions = earlier.seen
    if before is not None and (before.status is not Status.PENDING or _waits(before)):
        return ()

    def write(writer: Writer) -> ProposalId | None:
        payload = Proposed(
            kind=ProposalKind.OUTSIDE_EDIT,
            about=proposal.id,
            target=writer.keep("path", owned(path)),
            draft=writer.keep("file", owned(text)),
            evidence=Evidence(count=1, distinct=1),
            base=now,
        )
        key = natural_key(outside.ledger.key, "edit noticed", own, decisions)
        event = append(writer, proposal_subject(own), Actor.LEARNT, payload, key=key)
        return None if event is None else own

    return (Plan(rests_on=earlier, write=write),)


def _count(reader: Reader, name: ProposalId, kind: Kind) -> int:
    return sum(1 for _ in reader.events(subject=proposal_subject(name), kind=kind))


def _foreign(
    outside: Outside, folders: Iterable[str], applied: set[str], erased: set[ProposalId]
) -> list[ClaimedFile]:
    from learnt.formats import front_matter  # yaml takes longer than all the rest

    foreign = []
    for folder in dict.fromkeys(folders):
        for path in outside.documents.named(folder, "SKILL.md"):
            if path in applied:
                continue
            try:
                text = outside.documents.read(path) or ""
            except LearntError:
                continue
            claimed = text_of(member(front_matter.read(text).get("metadata"), "learnt-proposal"))
            if claimed:
                name = ProposalId(claimed[:80])
                whose: Ownership = "erased" if name in erased else "foreign"
                foreign.append(ClaimedFile(path=path, proposal=name, ownership=whose))
    return foreign
