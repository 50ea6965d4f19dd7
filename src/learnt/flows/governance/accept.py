"""A person accepts a proposal: the text goes to the disk, bound to what they saw it change.

The decision is recorded before the file is written and the writing after it. Whatever is cut short
between is finished, or said to be open, by `finish`.
"""

import re
from dataclasses import dataclass

from learnt.core.events import Actor, Draft
from learnt.core.governance.proposals import Proposal, ProposalKind, Status, text_hash
from learnt.core.identifiers import ContentRef, ProposalId, entry_subject, proposal_subject
from learnt.core.payloads.entry_events import BecameSkill
from learnt.core.payloads.proposal_events import Applied, Decided
from learnt.errors import Conflict, Refused
from learnt.flows.governance.decisions import (
    Caller,
    proposal_of,
    record,
    refuse_others,
    text_of_ref,
)
from learnt.formats import draft_md
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where texts of a kind go: below which root, and where links to a skill are put.

    `within` stands before each target; `links` are pairs of a root and a folder below it.
    """

    root: str
    within: str = ""
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What accepting a proposal would do to one file. `before` is None where there is none.

    With `adopts` the file has the text already (`after`; of a shared file the part that is
    Learnt's), and accepting takes note of it: nothing is written.
    """

    proposal: ProposalId
    kind: ProposalKind = ProposalKind.NEW_SKILL
    draft: ContentRef | None = None
    path: str
    before: str | None
    after: str
    adopts: bool = False
    links: tuple[str, ...] = ()
    not_linked: tuple[str, ...] = ()  # where no link may be put, and why
    foreign: bool = False  # what is there is not what it was drawn up for

    @property
    def base(self) -> str:
        """The hash of what it changes."""
        return text_hash(self.before)

    @property
    def written(self) -> str:
        """The hash of what the file holds afterwards."""
        return self.base if self.adopts else text_hash(self.after)

    @property
    def seal(self) -> str:
        """What a `--yes` is bound to: the place, what is there, and what would be there."""
        return text_hash("\x00".join((self.path, self.base, self.after)))[:16]

    @property
    def in_the_way(self) -> bool:
        """Whether a file that is not ours stands where the text would go."""
        return self.foreign and self.before is not None


def plan(outside: Outside, name: str, place: Place) -> Change:
    """What accepting the proposal would write, as the disk is now. Writes nothing."""
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        target = text_of_ref(reader, proposal.target)
        draft = text_of_ref(reader, proposal.draft)
        if proposal.kind is ProposalKind.OUTSIDE_EDIT:
            return _adoption(outside, reader, proposal, target, draft)
    routing = proposal.kind is ProposalKind.ROUTING
    if not _PLACES[proposal.kind].fullmatch(target):
        raise Refused(f"{target[:200]!r} is no place for a {proposal.kind}. Nothing was written.")
    path = outside.documents.whole(place.root, place.within + target)
    before = outside.documents.read(path)
    links, not_linked = [], []
    for root, folder in place.links if proposal.kind is ProposalKind.NEW_SKILL else ():
        try:
            links.append(outside.documents.whole(root, folder + target.split("/")[1]))
        except Refused as error:
            not_linked.append(str(error))
    return Change(
        proposal=proposal.id,
        kind=proposal.kind,
        draft=proposal.draft,
        path=path,
        before=before,
        after=draft_md.with_route(before, draft) if routing else draft,
        links=tuple(links),
        not_linked=tuple(not_linked),
        # A topic is drawn up for the text that was accepted before it, a skill for no file at all.
        foreign=not routing and text_hash(before) != proposal.base,
    )


_PLACES = {
    ProposalKind.NEW_SKILL: re.compile(r"skills/[a-z0-9][a-z0-9-]{0,63}/SKILL\.md"),
    ProposalKind.ROUTING: re.compile(re.escape(draft_md.ROUTES)),
    ProposalKind.TOPIC: re.compile(
        r"(?:knowledge|skills/[a-z0-9][a-z0-9-]{0,63}/references)/[a-z0-9_]{1,120}\.md"
    ),
}


def own_text(held: Proposal, file: str) -> str | None:
    """What of a file is an accepted proposal's: all of it, or its block in a shared one."""
    if held.kind is not ProposalKind.ROUTING:
        return file
    return draft_md.block_of(file, held.id)


def _adoption(outside: Outside, reader: Reader, edit: Proposal, path: str, draft: str) -> Change:
    """Taking an edit for the accepted text: nothing is written."""
    held = proposal_of(reader, edit.about)
    if held.status is not Status.APPLIED:
        raise Refused(f"{held.id} was taken back; its file at {path} is yours. Nothing changed.")
    if held.path is None or reader.text(held.path) != path:
        raise Refused(f"{held.id} was not applied to {path!r}. Nothing changed.")
    before = outside.documents.read(path)
    if before is None or own_text(held, before) != draft:
        raise Conflict(f"{path} was edited again. Run `learnt evolve analyze`, then look.")
    return Change(
        proposal=edit.id,
        kind=edit.kind,
        draft=edit.draft,
        path=path,
        before=before,
        after=draft,
        adopts=True,
    )


def accept(outside: Outside, change: Change, caller: Caller, *, overwrite: bool = False) -> bool:
    """Carry out what a person saw and accepted; False where it was applied before.

    Raises Refused for anybody but a person, and where a file is in the way; Conflict where the
    file or the proposal changed since it was shown.
    """
    if accepted_before(outside, change.proposal, caller):
        return False
    if not overwrite:
        refuse_in_the_way(change)
    there = outside.documents.read(change.path)
    with outside.ledger.durably_writing() as writer:
        proposal = proposal_of(writer, change.proposal)
        _refuse_changed(proposal, change, there)
        _decide(writer, proposal, change, caller)
    _carry_out(outside, change)
    return True


def accepted_before(outside: Outside, name: ProposalId, caller: Caller) -> bool:
    """Whether a person accepted it before; then its end is reached when this returns.

    Raises Refused for anybody but a person and where it was rejected; Conflict where what was
    accepted before cannot be brought to its end.
    """
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
    refuse_others(caller, f"learnt evolve accept {name}")
    if proposal.status is Status.REJECTED:
        raise Refused(f"{name} was rejected. `learnt evolve undo {name}` brings it back first.")
    if proposal.status is Status.PENDING:
        return False
    said = finish(outside, name)
    if said != Status.APPLIED:
        raise Conflict(said)
    return True


def refuse_in_the_way(change: Change) -> None:
    """Raise Refused where a file stands in the way."""
    if change.in_the_way:
        raise Refused(f"{change.path} exists and was left as it is; --overwrite replaces it.")


def _refuse_changed(now: Proposal, change: Change, there: str | None) -> None:
    """Raise Conflict where the file, or the proposal, is not what was shown."""
    if text_hash(there) != change.base:
        raise Conflict(
            f"{change.path} changed since it was shown. Nothing was written; look at it again with "
            f"`learnt evolve show {change.proposal}`."
        )
    if now.status is not Status.PENDING or now.draft != change.draft:
        raise Conflict(f"{change.proposal} was decided or renewed meanwhile. Nothing was written.")


def _decide(writer: Writer, now: Proposal, change: Change, caller: Caller) -> None:
    if change.adopts:
        # What it takes the place of is the text that counted as accepted until now.
        before, after = proposal_of(writer, now.about).after, change.draft
    else:
        before = None if change.before is None else writer.keep("file", change.before)
        after = writer.keep("file", change.after)
    accepted = Decided(
        verdict="accepted",
        path=writer.keep("path", change.path),
        before=before,
        after=after,
        base=change.base,
        written=change.written,
        links=tuple(writer.keep("path", link) for link in change.links),
    )
    record(writer, now, caller, accepted)


def _carry_out(outside: Outside, change: Change) -> None:
    if change.written != change.base:
        outside.documents.write(change.path, change.after, change.base)
    folder = change.path.rpartition("/")[0]
    linked = [link for link in change.links if outside.documents.link(link, folder)]
    with outside.ledger.durably_writing() as writer:
        _record_applied(writer, change.proposal, linked)


def _record_applied(writer: Writer, name: ProposalId, links: list[str]) -> None:
    """The file is there: the proposal is applied, and the entry behind it has become a skill."""
    proposal = proposal_of(writer, name)
    if proposal.status is not Status.ACCEPTED:
        return  # somebody else finished it, or a person took it back meanwhile
    _applied(writer, name, proposal.written, tuple(writer.keep("path", link) for link in links))
    if proposal.kind is ProposalKind.OUTSIDE_EDIT:
        count_as_accepted(writer, ProposalId(proposal.about), proposal.after, proposal.written)
    elif proposal.entry is not None:
        writer.append(
            Draft(
                subject=entry_subject(proposal.entry),
                actor=Actor.LEARNT,
                payload=BecameSkill(proposal=name),
            )
        )


def count_as_accepted(
    writer: Writer, name: ProposalId, text: ContentRef | None, written: str
) -> None:
    """From now on this is the accepted text of an applied proposal: a person vouched for it."""
    _applied(writer, name, written, proposal_of(writer, name).links, text)


def _applied(
    writer: Writer,
    name: ProposalId,
    written: str,
    links: tuple[ContentRef, ...],
    after: ContentRef | None = None,
) -> None:
    applied = Applied(written=written, links=links, after=after)
    writer.append(Draft(subject=proposal_subject(name), actor=Actor.LEARNT, payload=applied))


def finish(outside: Outside, name: ProposalId) -> str:
    """Bring an accepted proposal to its end after a cut: `applied`, or why it is still open.

    The file is as it was before: it is written now. It is as it should be: that is recorded. It is
    neither: it is left, and a person is to look.
    """
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        if proposal.status is not Status.ACCEPTED:
            return proposal.status
        path, after = text_of_ref(reader, proposal.path), text_of_ref(reader, proposal.after)
        links = tuple(text_of_ref(reader, link) for link in proposal.links)
    there = outside.documents.read(path)
    if text_hash(there) not in {proposal.written, proposal.base}:
        return f"{path} was changed before it could be written; see `learnt evolve show {name}`"
    done = text_hash(there) == proposal.written
    _carry_out(
        outside,
        Change(proposal=name, path=path, before=there, after=after, adopts=done, links=links),
    )
    return Status.APPLIED
