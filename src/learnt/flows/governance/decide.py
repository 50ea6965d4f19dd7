"""A person turns a proposal down, or takes a decision back."""

from learnt.core.events import Actor, Draft
from learnt.core.governance.proposals import Proposal, ProposalKind, Status, text_hash
from learnt.core.identifiers import ContentRef, ProposalId, entry_subject
from learnt.core.payloads.entry_events import BecameSkill
from learnt.core.payloads.proposal_events import Decided
from learnt.core.safety import excerpt
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import count_as_accepted
from learnt.flows.governance.decisions import Caller, proposal_of, record, refuse_others
from learnt.formats import draft_md
from learnt.ports import Outside, Reader, Writer

LONGEST_NOTE = 1_000


def reject(outside: Outside, name: str, note: str, caller: Caller) -> bool:
    """Turn a pending proposal down; it stays so until its evidence has doubled.

    False where it was rejected before; Refused where it is not pending, and for all but a person.
    """
    with outside.ledger.reading() as reader:
        proposal_of(reader, name)
    refuse_others(caller, f"learnt evolve reject {name}")
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
        kept = writer.keep("note", note) if note else None
        record(writer, proposal, caller, Decided(verdict="rejected", note=kept))
    return True


def undo(outside: Outside, name: str, caller: Caller) -> str:
    """Take a decision back: the proposal is pending again; what was done, in words.

    A file that was written becomes what it was before, and a block goes out of a shared file. What
    changed since is left as it is: Conflict, with what to do.
    """
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        refuse_others(caller, f"learnt evolve undo {name}")
        if proposal.status is Status.PENDING:
            raise Refused(f"{name} is pending: nothing was decided that could be undone.")
        restored = _Restored(reader, proposal)
    done = f"{name} waits for a decision again"
    if proposal.status in {Status.APPLIED, Status.ACCEPTED}:
        done = f"{done}; {restored.carry_out(outside)}"
    with outside.ledger.durably_writing() as writer:
        if proposal_of(writer, name).status is not proposal.status:
            raise Conflict(f"{name} was decided on meanwhile. Look at it again.")
        _take_back(writer, proposal)
        record(writer, proposal, caller, Decided(verdict="undone"))
    return done


def _take_back(writer: Writer, proposal: Proposal) -> None:
    """What followed from the decision elsewhere follows no longer."""
    if proposal.entry is not None:
        writer.append(
            Draft(
                subject=entry_subject(proposal.entry),
                actor=Actor.LEARNT,
                payload=BecameSkill(),
            )
        )
    if proposal.kind is not ProposalKind.OUTSIDE_EDIT or proposal.status is not Status.APPLIED:
        return
    held = proposal_of(writer, proposal.about)
    if held.status is not Status.APPLIED:
        return
    if held.after != proposal.after:
        raise Refused(f"A later edit of {held.id} was accepted since: undo that one first.")
    text = None if proposal.before is None else writer.text(proposal.before)
    count_as_accepted(writer, ProposalId(proposal.about), proposal.before, text_hash(text))


class _Restored:
    """What a file was before an accept, and how it becomes that again."""

    def __init__(self, reader: Reader, proposal: Proposal) -> None:
        def text(ref: ContentRef | None) -> str | None:
            return None if ref is None else reader.text(ref)

        self._proposal = proposal
        self._path, self._before = text(proposal.path), text(proposal.before)
        block = proposal.after if proposal.adopted else proposal.draft
        self._block = text(block)
        self._links = [link for ref in proposal.links if (link := text(ref)) is not None]

    def carry_out(self, outside: Outside) -> str:
        if self._proposal.kind is ProposalKind.OUTSIDE_EDIT:
            return "the file is as you edited it"
        if self._proposal.path is None:
            return "no file was written"
        if self._path is None:
            return "where its file lies was erased; if it is still there, it is yours to delete"
        if self._proposal.kind is ProposalKind.ROUTING:
            return self._block_removed(outside, self._path)
        done = self._restored(outside, self._path)
        folder = self._path.rpartition("/")[0]
        for link in self._links:
            outside.documents.unlink(link, folder)
        return done

    def _restored(self, outside: Outside, path: str) -> str:
        """The file first: where that is refused, nothing else is touched."""
        there, written = outside.documents.read(path), self._proposal.written
        # What was cut short before the writing, or after an earlier undo, has nothing to restore.
        if there is None or there == self._before:
            return f"{path} is as it was before" if there else "its file is gone already"
        if self._proposal.status is Status.ACCEPTED and text_hash(there) != written:
            return f"{path} was never written by Learnt, and is kept as it is"
        if self._proposal.adopted:
            raise Refused(
                f"{path} holds an edit of yours that was taken for the accepted text; undoing "
                "would lose it. It was left as it is: keep a copy, delete the file, undo again."
            )
        if self._before is not None:
            outside.documents.write(path, self._before, written)
            return f"{path} is what it was before"
        if self._proposal.before is not None:
            raise Refused(f"What {path} was before is erased. It was left: delete it, undo again.")
        outside.documents.remove(path, written)
        return f"{path} is removed"

    def _block_removed(self, outside: Outside, path: str) -> str:
        """Of a shared file the proposal's own block alone."""
        there, name = outside.documents.read(path), self._proposal.id
        if there is None or name not in there:
            return f"{path} holds nothing of it"
        now = text_hash(there)
        known = self._before is not None or self._proposal.before is None
        if known and now == self._proposal.written and not self._proposal.adopted:
            without = self._before  # to the byte
        elif self._block is None or there.count(self._block) != 1:
            line = there[: there.index(name)].count("\n") + 1
            raise Conflict(
                f"The block of {name} in {path} (line {line}) changed since it was accepted. It "
                "was left as it is: delete it there if you want it gone, then undo again."
            )
        else:
            without = draft_md.without_route(there, self._block, self._before)
        if without is None:
            outside.documents.remove(path, now)
            return f"{path} is removed"
        outside.documents.write(path, without, now)
        return f"its block is taken out of {path}"
