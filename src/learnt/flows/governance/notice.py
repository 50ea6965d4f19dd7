"""What became of accepted files meanwhile: edits become proposals, strangers are named."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.proposals import (
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    text_hash,
)
from learnt.core.identifiers import ProposalId, proposal_subject
from learnt.core.json_values import member, text_of
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.errors import LearntError
from learnt.flows.governance.accept import finish, own_text
from learnt.flows.governance.analyze import proposals
from learnt.flows.governance.decisions import Caller, proposal_of, record
from learnt.ports import Outside, Reader

Ownership = Literal["ours", "edited", "gone", "unreadable", "foreign"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One file: whose it is. `ours` is byte for byte what was accepted."""

    path: str
    proposal: ProposalId
    ownership: Ownership


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What a look at the disk gave: files, accepts still open, and edits proposed for review."""

    files: tuple[Found, ...]
    unfinished: tuple[str, ...] = ()
    proposed: tuple[ProposalId, ...] = ()


def notice(outside: Outside, skill_folders: Iterable[str]) -> Noticed:
    """Finish what was cut short, propose edits made outside, name files that claim to be ours.

    A file in one of the skill folders that carries a proposal's id, but is not where that was
    applied, is foreign: nothing it says is believed.
    """
    with outside.ledger.reading() as reader:
        known = proposals(reader)
    unfinished = [
        said
        for proposal in known
        if proposal.status is Status.ACCEPTED
        and (said := _finished(outside, proposal.id)) != Status.APPLIED
    ]
    with outside.ledger.reading() as reader:
        known = proposals(reader)
        applied = [
            (proposal, path)
            for proposal in known
            if proposal.status is Status.APPLIED
            and proposal.kind is not ProposalKind.OUTSIDE_EDIT
            and proposal.path is not None
            and (path := reader.text(proposal.path)) is not None
        ]
        # A topic is accepted again and again: what was accepted last is what the file holds.
        newest = {path: p.id for p, path in applied if p.kind is ProposalKind.TOPIC}
        applied = [one for one in applied if newest.get(one[1], one[0].id) == one[0].id]
        blocks = {proposal.id: _block(reader, proposal) for proposal, _ in applied}
    files, proposed, edits = [], [], dict[str, str]()
    for proposal, path in applied:
        found, text = _look(outside, proposal, path, blocks[proposal.id])
        files.append(found)
        if text is not None:
            edits[proposal.id] = text
            if edit := _propose(outside, proposal, path, text):
                proposed.append(edit)
    unseen = {found.proposal for found in files if found.ownership == "unreadable"}
    for proposal in known:
        if proposal.kind is ProposalKind.OUTSIDE_EDIT and proposal.about not in unseen:
            _withdraw_overtaken(outside, proposal, edits.get(proposal.about))
    files += _foreign(outside, skill_folders, {path for _, path in applied})
    return Noticed(files=tuple(files), unfinished=tuple(unfinished), proposed=tuple(proposed))


def _finished(outside: Outside, name: ProposalId) -> str:
    try:
        return finish(outside, name)
    except LearntError as error:
        return str(error)


def _block(reader: Reader, proposal: Proposal) -> str:
    """Of an accepted route the block that is its own."""
    ref = proposal.after if proposal.adopted else proposal.draft
    if proposal.kind is not ProposalKind.ROUTING or ref is None:
        return ""
    return reader.text(ref) or ""


def _look(outside: Outside, proposal: Proposal, path: str, block: str) -> tuple[Found, str | None]:
    """Whose the file is now, and its text if that is to be looked at by a person.

    Of a shared rules file only the block is ours: the rest is anybody's to change.
    """

    def found(ownership: Ownership) -> Found:
        return Found(path=path, proposal=proposal.id, ownership=ownership)

    try:
        text = outside.documents.read(path)
    except LearntError:
        return found("unreadable"), None
    own = None if text is None else own_text(proposal, text)
    if text is None or own is None:
        return found("gone"), None
    if text_hash(text) == proposal.written or (block and block in text):
        return found("ours"), None
    return found("edited"), own


def _propose(outside: Outside, proposal: Proposal, path: str, text: str) -> ProposalId | None:
    """A proposal to take an edit for the accepted text; each edited text is proposed once.

    One that was withdrawn is proposed anew once its text is there again.
    """
    now = text_hash(text)
    with outside.ledger.writing() as writer:
        # Edits may go back and forth: each is one of its own since the last text accepted.
        since = len(list(writer.events(subject=proposal_subject(proposal.id), kind=Kind.APPLIED)))
        edited = f"{path} {since} {now}"
        own = proposal_id(outside.ledger.key, ProposalKind.OUTSIDE_EDIT, proposal.id, edited)
        decided = len(list(writer.events(subject=proposal_subject(own), kind=Kind.DECIDED)))
        if decided and not _withdrawn(writer, own):
            return None
        recorded = writer.append(
            Draft(
                subject=proposal_subject(own),
                actor=Actor.LEARNT,
                payload=Proposed(
                    kind=ProposalKind.OUTSIDE_EDIT,
                    about=proposal.id,
                    target=writer.keep("path", path),
                    draft=writer.keep("file", text),
                    evidence=Evidence(count=1, distinct=1),
                    base=now,
                ),
                natural_key=natural_key(outside.ledger.key, "edit noticed", own, decided),
            )
        )
    return None if recorded is None else own


def _withdrawn(reader: Reader, name: ProposalId) -> bool:
    held = proposal_of(reader, name)
    return held.status is Status.PENDING and held.draft is None


def _withdraw_overtaken(outside: Outside, edit: Proposal, now: str | None) -> None:
    """An edit waits only as long as its text is what the file holds."""
    if edit.status is not Status.PENDING or edit.draft is None:
        return
    with outside.ledger.reading() as reader:
        if reader.text(edit.draft) == now:
            return
    with outside.ledger.writing() as writer:
        still = proposal_of(writer, edit.id)
        if still.status is Status.PENDING and still.draft == edit.draft:
            record(writer, still, Caller(actor=Actor.LEARNT), Decided(verdict="withdrawn"))


def _foreign(outside: Outside, folders: Iterable[str], applied: set[str]) -> list[Found]:
    from learnt.formats import front_matter  # yaml takes longer than all the rest

    found = []
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
                found.append(Found(path=path, proposal=name, ownership="foreign"))
    return found
