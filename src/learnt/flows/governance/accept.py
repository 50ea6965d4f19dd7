"""A person accepts a proposal: the text goes to the disk, bound to what they saw it change.

The decision is recorded before the file is written and the writing after it. Whatever is cut short
between is finished, or said to be open, by `finish`.
"""

import re
from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.proposals import (
    Proposal,
    ProposalKind,
    Status,
    from_state,
    text_hash,
)
from learnt.core.identifiers import ContentRef, ProposalId, entry_subject, proposal_subject
from learnt.core.json_values import JsonObject
from learnt.errors import Conflict, LedgerDamaged, NotFound, Refused
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
    """What accepting a proposal would do to one file. `before` is None where there is none."""

    proposal: ProposalId
    draft: ContentRef | None = None
    path: str
    before: str | None
    after: str
    links: tuple[str, ...] = ()
    not_linked: tuple[str, ...] = ()  # where no link may be put, and why

    @property
    def base(self) -> str:
        """The hash of what it changes."""
        return text_hash(self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who decides, and the traces of how they called: terminal and parent processes."""

    actor: Actor
    traces: tuple[str, ...] = ()


def proposal_of(reader: Reader, name: str) -> Proposal:
    """The proposal of an id; raises NotFound."""
    state = reader.view(proposal_subject(ProposalId(name)))
    if state is None:
        raise NotFound(f"There is no proposal {name}. `learnt evolve list` shows them.")
    return read_state(state)


def read_state(state: JsonObject) -> Proposal:
    """A proposal by its view; raises LedgerDamaged where that is nonsense."""
    try:
        return from_state(state)
    except (KeyError, ValueError) as error:
        raise LedgerDamaged(
            f"The view of {state.get('id')} says what no proposal can be ({error}). Nothing was "
            "changed; `learnt rebuild` makes it anew from the events."
        ) from error


def text_of_ref(reader: Reader, ref: ContentRef | None) -> str:
    """A proposal's text; raises Refused where it was erased."""
    text = None if ref is None else reader.text(ref)
    if text is None:
        raise Refused("The proposal's text was erased. Run `learnt evolve analyze` for a new one.")
    return text


def plan(outside: Outside, name: str, place: Place) -> Change:
    """What accepting the proposal would write, as the disk is now. Writes nothing."""
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        target = text_of_ref(reader, proposal.target)
        draft = text_of_ref(reader, proposal.draft)
        if proposal.kind is ProposalKind.OUTSIDE_EDIT:
            return _adoption(outside, reader, proposal, target, draft)
    expected = _ROUTE if proposal.kind is ProposalKind.ROUTING else _SKILL
    if not expected.fullmatch(target):
        raise Refused(f"{target[:200]!r} is no place for a {proposal.kind}. Nothing was written.")
    path = outside.documents.whole(place.root, place.within + target)
    before = outside.documents.read(path)
    after = draft_md.with_route(before, draft) if proposal.kind is ProposalKind.ROUTING else draft
    links, not_linked = [], []
    for root, folder in place.links if proposal.kind is ProposalKind.NEW_SKILL else ():
        try:
            links.append(outside.documents.whole(root, folder + target.split("/")[1]))
        except Refused as error:
            not_linked.append(str(error))
    return Change(
        proposal=proposal.id,
        draft=proposal.draft,
        path=path,
        before=before,
        after=after,
        links=tuple(links),
        not_linked=tuple(not_linked),
    )


_SKILL = re.compile(r"skills/[a-z0-9][a-z0-9-]{0,63}/SKILL\.md")
_ROUTE = re.compile(re.escape(draft_md.ROUTES))


def _adoption(outside: Outside, reader: Reader, edit: Proposal, path: str, draft: str) -> Change:
    """Taking an edit for the accepted text: nothing is written."""
    held = proposal_of(reader, edit.about)
    if held.path is None or reader.text(held.path) != path:
        raise Refused(f"{edit.about} was not applied to {path!r}. Nothing was written.")
    before = outside.documents.read(path)
    if before != draft:
        raise Conflict(f"{path} was edited again. Run `learnt evolve analyze`, then look.")
    return Change(proposal=edit.id, draft=edit.draft, path=path, before=before, after=draft)


def accept(outside: Outside, change: Change, caller: Caller, *, overwrite: bool = False) -> bool:
    """Carry out what a person saw and accepted; False where it was applied before.

    Raises Refused for anybody but a person, and where a file is in the way; Conflict where the
    file or the proposal changed since it was shown.
    """
    refuse_others(caller.actor, f"learnt evolve accept {change.proposal}")
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, change.proposal)
    if proposal.status in {Status.APPLIED, Status.ACCEPTED}:
        said = finish(outside, proposal.id)
        if said != Status.APPLIED:
            raise Conflict(said)
        return False
    if proposal.status is Status.REJECTED:
        raise Refused(
            f"{proposal.id} was rejected. `learnt evolve undo {proposal.id}` brings it back first."
        )
    in_the_way = change.before is not None and proposal.kind is ProposalKind.NEW_SKILL
    if in_the_way and not overwrite:
        raise Refused(f"{change.path} exists and was left as it is; --overwrite replaces it.")
    _look_again(outside, change)
    with outside.ledger.durably_writing() as writer:
        _decide(outside, writer, proposal, change, caller)
    _carry_out(outside, change)
    return True


def refuse_others(actor: Actor, command: str) -> None:
    """Raise Refused for anybody but a person."""
    if actor is not Actor.HUMAN:
        raise Refused(
            f"Only a person may decide: ask them to run `{command}` on a terminal of their own. "
            "Nothing was written."
        )


def _look_again(outside: Outside, change: Change) -> None:
    if text_hash(outside.documents.read(change.path)) != change.base:
        raise Conflict(
            f"{change.path} changed since it was shown. Nothing was written; look at it again with "
            f"`learnt evolve show {change.proposal}`."
        )


def _decide(
    outside: Outside, writer: Writer, proposal: Proposal, change: Change, caller: Caller
) -> None:
    now = proposal_of(writer, proposal.id)
    if now.status is not Status.PENDING or now.draft != change.draft:
        raise Conflict(f"{proposal.id} was decided or renewed meanwhile. Nothing was written.")
    edit = proposal.kind is ProposalKind.OUTSIDE_EDIT
    payload: JsonObject = {
        "verdict": "accepted",
        "path": writer.keep("path", change.path),
        "before": None if change.before is None else writer.keep("file", change.before),
        "after": writer.keep("file", change.after),
        "base": change.base,
        "written": text_hash(change.after),
        "links": [] if edit else [writer.keep("path", link) for link in change.links],
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


def _carry_out(outside: Outside, change: Change) -> None:
    if text_hash(change.after) != change.base:
        outside.documents.write(change.path, change.after, change.base)
    folder = change.path.rpartition("/")[0]
    linked = [link for link in change.links if outside.documents.link(link, folder)]
    with outside.ledger.durably_writing() as writer:
        record_applied(writer, change.proposal, linked)


def record_applied(writer: Writer, name: ProposalId, links: list[str]) -> None:
    """The file is there: the proposal is applied, and the entry behind it has become a skill."""
    proposal = proposal_of(writer, name)
    if proposal.status is not Status.ACCEPTED:
        return  # somebody else finished it, or a person took it back meanwhile
    payload: JsonObject = {
        "written": proposal.written,
        "links": [writer.keep("path", link) for link in links],
    }
    writer.append(
        Draft(
            subject=proposal_subject(name), kind=Kind.APPLIED, actor=Actor.LEARNT, payload=payload
        )
    )
    if proposal.kind is ProposalKind.OUTSIDE_EDIT:
        _adopt(writer, proposal)
    elif proposal.entry is not None:
        writer.append(
            Draft(
                subject=entry_subject(proposal.entry),
                kind=Kind.APPLIED,
                actor=Actor.LEARNT,
                payload={"proposal": name},
            )
        )


def _adopt(writer: Writer, edit: Proposal) -> None:
    """An edit that a person vouched for is from now on the text that was accepted."""
    held = proposal_of(writer, ProposalId(edit.about))
    payload: JsonObject = {
        "written": edit.written,
        "after": edit.after,
        "links": list(held.links),
    }
    writer.append(
        Draft(
            subject=proposal_subject(ProposalId(edit.about)),
            kind=Kind.APPLIED,
            actor=Actor.LEARNT,
            payload=payload,
        )
    )


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
        before = None if proposal.before is None else text_of_ref(reader, proposal.before)
        links = tuple(text_of_ref(reader, link) for link in proposal.links)
    there = text_hash(outside.documents.read(path))
    if there == proposal.written:
        before = after
    elif there != proposal.base:
        return f"{path} was changed before it could be written; see `learnt evolve show {name}`"
    _carry_out(outside, Change(proposal=name, path=path, before=before, after=after, links=links))
    return Status.APPLIED
