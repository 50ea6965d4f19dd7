"""A person turns a proposal down, or takes a decision back."""

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.proposals import Proposal, ProposalKind, Status, text_hash
from learnt.core.identifiers import ContentRef, entry_subject, proposal_subject
from learnt.core.json_values import JsonObject
from learnt.core.safety import excerpt
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import (
    Caller,
    proposal_of,
    refuse_others,
    text_of_ref,
)
from learnt.ports import Outside, Reader, Writer

LONGEST_NOTE = 1_000


def reject(outside: Outside, name: str, note: str, caller: Caller) -> bool:
    """Turn a pending proposal down; it stays so until its evidence has doubled.

    False where it was rejected before; Refused where it is not pending, and for all but a person.
    """
    refuse_others(caller.actor, f"learnt evolve reject {name}")
    with outside.ledger.durably_writing() as writer:
        proposal = proposal_of(writer, name)
        if proposal.status is Status.REJECTED:
            return False
        if proposal.status is not Status.PENDING:
            raise Refused(
                f"{name} is {proposal.status}, not pending. `learnt evolve undo {name}` takes that "
                "back first."
            )
        _decided(writer, proposal, "rejected", note, caller)
    return True


def undo(outside: Outside, name: str, caller: Caller) -> str:
    """Take a decision back: the proposal is pending again; what was done, in words.

    A file that was written becomes what it was before, unless it changed since: then Conflict, and
    it is left as it is.
    """
    refuse_others(caller.actor, f"learnt evolve undo {name}")
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        if proposal.status is Status.PENDING:
            raise Refused(f"{name} is pending: nothing was decided that could be undone.")
        if proposal.status is Status.APPLIED and proposal.kind is ProposalKind.OUTSIDE_EDIT:
            raise Refused(f"{name} only took note of an edit; the file is yours to change back.")
        restored = _Restored(reader, proposal)
    done = f"{name} waits for a decision again"
    if proposal.status in {Status.APPLIED, Status.ACCEPTED}:
        done = f"{done}; {restored.carry_out(outside)}"
    with outside.ledger.durably_writing() as writer:
        if proposal_of(writer, name).status is not proposal.status:
            raise Conflict(f"{name} was decided on meanwhile. Look at it again.")
        _decided(writer, proposal, "undone", "", caller)
        if proposal.entry is not None:
            writer.append(
                Draft(
                    subject=entry_subject(proposal.entry),
                    kind=Kind.APPLIED,
                    actor=Actor.LEARNT,
                    payload={"proposal": ""},
                )
            )
    return done


class _Restored:
    """What a file was before an accept, and how it becomes that again."""

    def __init__(self, reader: Reader, proposal: Proposal) -> None:
        def text(ref: ContentRef | None) -> str | None:
            return None if ref is None else text_of_ref(reader, ref)

        self._proposal = proposal
        self._path, self._before = text(proposal.path), text(proposal.before)
        self._links = [link for ref in proposal.links if (link := text(ref)) is not None]

    def carry_out(self, outside: Outside) -> str:
        if self._path is None:
            return "no file was written"
        done = self._restored(outside, self._path)
        folder = self._path.rpartition("/")[0]
        for link in self._links:
            outside.documents.unlink(link, folder)
        return done

    def _restored(self, outside: Outside, path: str) -> str:
        """The file first: where that is refused, nothing else is touched."""
        there, written = outside.documents.read(path), self._proposal.written
        # What was cut short before the writing, or after an earlier undo, has nothing to restore.
        if there == self._before:
            return f"{path} is as it was before" if self._before else "its file is gone already"
        if self._proposal.status is Status.ACCEPTED and text_hash(there) != written:
            return f"{path} was never written by Learnt, and is kept as it is"
        if self._proposal.adopted and there is not None:
            raise Refused(
                f"{path} holds an edit of yours that was taken for the accepted text; undoing "
                "would lose it. It was left as it is: keep a copy, delete the file, undo again."
            )
        if self._before is None:
            outside.documents.remove(path, written)
            return f"{path} is removed"
        outside.documents.write(path, self._before, written)
        return f"{path} is what it was before"


def _decided(writer: Writer, proposal: Proposal, verdict: str, note: str, caller: Caller) -> None:
    payload: JsonObject = {
        "verdict": verdict,
        "note": writer.keep("note", excerpt(note, LONGEST_NOTE)) if note else None,
        "traces": [writer.keep("trace", trace) for trace in caller.traces],
    }
    writer.append(
        Draft(
            subject=proposal_subject(proposal.id),
            kind=Kind.DECIDED,
            actor=caller.actor,
            payload=payload,
        )
    )
