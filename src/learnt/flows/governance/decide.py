"""A person turns a proposal down, or takes a decision back."""

from functools import partial

from learnt.core.governance.proposals import (
    IN_SHARED_FILES,
    Proposal,
    ProposalKind,
    Status,
    text_hash,
)
from learnt.core.payloads.proposal_events import Decided
from learnt.core.records import Record
from learnt.core.safety import excerpt, owned
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import retire
from learnt.flows.governance.decisions import (
    Decider,
    became_skill,
    count_as_accepted,
    proposal_of,
    record,
    refuse_others,
)
from learnt.flows.plans import snapshot
from learnt.flows.skills.catalogue import follow
from learnt.flows.stored import kept, text_behind, texts_behind
from learnt.formats import draft_md
from learnt.ports import Outside, Reader

LONGEST_NOTE = 1_000


def reject(outside: Outside, name: str, note: str, decider: Decider) -> bool:
    """Turn a pending proposal down until its evidence doubles; False if it was. Raises Refused."""
    with outside.ledger.reading() as reader:
        proposal_of(reader, name)
    refuse_others(decider, f"learnt evolve reject {name}")
    note = excerpt(note, LONGEST_NOTE)
    with outside.ledger.durably_writing() as writer:
        proposal = proposal_of(writer, name)
        if proposal.status is Status.REJECTED:
            return False
        if proposal.status is not Status.PENDING:
            raise Refused(
                f"{name} is {proposal.status}, not pending. `learnt evolve undo {name}` takes that "
                "back first."
            )
        decision = Decided(verdict="rejected", note=kept(writer, "note", note))
        record(writer, proposal, decider, decision)
    return True


def undo(outside: Outside, name: str, decider: Decider) -> str:
    """Take a decision and what it wrote back; what was done. Raises Refused, Conflict."""
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        refuse_others(decider, f"learnt evolve undo {name}")
        if proposal.status is Status.PENDING:
            raise Refused(f"{name} is pending: nothing was decided that could be undone.")
        stands = snapshot(reader, partial(_decided_on, proposal))
        edited = _edited(reader, proposal)
        accepted = _Accepted(
            proposal=proposal,
            path=text_behind(reader, proposal.path),
            before=text_behind(reader, proposal.before),
            block=text_behind(reader, proposal.after if proposal.adopted else proposal.draft),
            links=texts_behind(reader, proposal.links),
            gone=text_behind(reader, proposal.gone),
        )
    done = f"{name} waits for a decision again"
    if proposal.status in {Status.APPLIED, Status.ACCEPTED}:
        if proposal.kind is ProposalKind.NEW_VERSION:
            from learnt.flows.health.trial import rejoin  # few decisions need it

            rejoin(outside, name)
        done = f"{done}; {accepted.take_back(outside)}"
    with outside.ledger.durably_writing() as writer:
        if not stands.holds(writer):
            raise Conflict(f"{name} was decided on meanwhile. Look at it again.")
        became_skill(writer, proposal, "")
        if edited is not None:
            count_as_accepted(writer, edited, proposal.before, text_hash(accepted.before))
        record(writer, proposal, decider, Decided(verdict="undone"))
    return done


def _decided_on(proposal: Proposal, reader: Reader) -> object:
    """What an undo rests on: the decision, and what became of the file that was edited."""
    edited = _edited(reader, proposal)
    return proposal_of(reader, proposal.id).status, edited and edited.after


def _edited(reader: Reader, edit: Proposal) -> Proposal | None:
    """The applied proposal whose accepted text an edit became; raises Refused for an older edit."""
    if edit.kind is not ProposalKind.OUTSIDE_EDIT or edit.status is not Status.APPLIED:
        return None
    edited = proposal_of(reader, edit.about)
    if edited.status is not Status.APPLIED:
        return None
    if edited.after != edit.after:
        raise Refused(f"A later edit of {edited.id} was accepted since: undo that one first.")
    return edited


class _Accepted(Record):
    """What accepting a proposal did to a file; a text is None where it was erased."""

    proposal: Proposal
    path: str | None
    before: str | None
    block: str | None
    links: tuple[str, ...]
    gone: str | None  # the file that went out of use with it

    def take_back(self, outside: Outside) -> str:
        """Make the file what it was before, if it was written; what was done, in words."""
        if self.proposal.kind is ProposalKind.OUTSIDE_EDIT:
            return "the file is as you edited it"
        if self.proposal.path is None:
            return "no file was written"
        if self.path is None:
            return "where its file lies was erased; if it is still there, it is yours to delete"
        if self.proposal.kind in IN_SHARED_FILES:
            return self._remove_block(outside, self.path)
        if self.gone is not None:
            retire(outside, self.gone, back=True)
            if self.proposal.kind is ProposalKind.RETIRE:
                return f"{self.gone} is in use again"
        # The file first: where that is refused, nothing else is touched.
        done = self._restore(outside, self.path)
        folder = self.path.rpartition("/")[0]
        for link in self.links:
            outside.documents.unlink(link, folder)
        return done

    def _restore(self, outside: Outside, path: str) -> str:
        there, written = outside.documents.read(path), self.proposal.written
        # What was cut short before the writing, or after an earlier undo, has nothing to restore.
        installed = self.proposal.bundle is not None
        if there is None or (there == self.before and not installed):
            return f"{path} is as it was before" if there else "its file is gone already"
        if self.proposal.status is Status.ACCEPTED and text_hash(there) != written:
            return f"{path} was never written by Learnt, and is kept as it is"
        if self.proposal.adopted:
            raise Refused(
                f"{path} holds an edit of yours that was taken for the accepted text; undoing "
                "would lose it. It was left as it is: keep a copy, delete the file, undo again."
            )
        if self.before is None and self.proposal.before is not None:
            raise Refused(f"What {path} was before is erased. It was left: delete it, undo again.")
        if installed:
            from learnt.flows.skills.install import take_back  # yaml takes longer than the rest

            return take_back(outside, self.proposal, path)
        done = _become(outside, path, self.before, written, f"{path} is what it was before")
        if self.before is not None:
            follow(outside, path, there, self.before)
        return done

    def _remove_block(self, outside: Outside, path: str) -> str:
        there, name = outside.documents.read(path), self.proposal.id
        if there is None or name not in there:
            return f"{path} holds nothing of it"
        now = text_hash(there)
        not_erased = self.before is not None or self.proposal.before is None
        if not_erased and now == self.proposal.written and not self.proposal.adopted:
            without = self.before  # to the byte
        elif self.block is None or there.count(self.block) != 1:
            line = there[: there.index(name)].count("\n") + 1
            raise Conflict(
                f"The block of {name} in {path} (line {line}) changed since it was accepted. It "
                "was left as it is: delete it there if you want it gone, then undo again."
            )
        else:
            without = draft_md.without_route(there, self.block, self.before)
        return _become(outside, path, without, now, f"its block is taken out of {path}")


def _become(outside: Outside, path: str, text: str | None, now: str, done: str) -> str:
    """Write a file's text, or remove it where it had none; what was done, in words."""
    if text is None:
        # A file of agents' instructions lies among a project's own.
        among = path.endswith(tuple(f"/{name}" for name in draft_md.INSTRUCTIONS))
        outside.documents.remove(path, now, folder=not among)
        return f"{path} is removed"
    outside.documents.write(path, owned(text), now)
    return done
