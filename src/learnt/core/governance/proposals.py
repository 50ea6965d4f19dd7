"""A proposal: a change to a text that agents read, waiting for a person.

| from | to | by |
|---|---|---|
| pending | accepted | a person's accept: bound to the text shown and to what it changes |
| accepted | applied | the text is on the disk |
| pending | rejected | a person's reject |
| rejected | pending | a person's undo, or evidence that has doubled since |
| accepted, applied | pending | a person's undo: the file is what it was before |
| pending | pending, without a text | an outside edit that is no longer on the disk is withdrawn |

Nothing else happens to a proposal: an event that would do anything else changes nothing.
"""

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from learnt.core.events import Actor, Event, Kind
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    ProjectId,
    ProposalId,
    keyed_hash,
)
from learnt.core.json_values import JsonObject, strings, text_of, whole, without_defaults


class ProposalKind(StrEnum):
    """What a proposal would do."""

    NEW_SKILL = "new-skill"
    ROUTING = "routing"
    OUTSIDE_EDIT = "outside-edit"
    TOPIC = "topic"


class Status(StrEnum):
    """How far a proposal has come."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    APPLIED = "applied"
    REJECTED = "rejected"


MARKS: Final = {
    Status.PENDING: "⏸",
    Status.ACCEPTED: "✓",
    Status.APPLIED: "★",
    Status.REJECTED: "✗",
}
REOPENS_AT: Final = 2  # times the evidence that was there when it was rejected
_NAMES: Final = {
    ProposalKind.NEW_SKILL: "skill",
    ProposalKind.ROUTING: "route",
    ProposalKind.OUTSIDE_EDIT: "edit",
    ProposalKind.TOPIC: "topic",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for a proposal: how often, in how many sessions or prompts, and samples of it."""

    count: int = 0
    distinct: int = 0
    first_ms: int = 0
    last_ms: int = 0
    samples: tuple[ContentRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What is true of a proposal now. Texts are content references.

    `about` is what it comes of: an entry, a pair of terms (`words`, as they are typed), a topic, a
    proposal whose file was edited, or whoever drafted it, an actor; `target` is a path below a root
    that accepting chooses.
    `written` is the hash of the text that was accepted, `before` the text it replaced (None: there
    was none), `agreed` what a person agreed to, `after` what counts as accepted by now, `path` the
    whole path and `links` what points to its folder.
    """

    id: ProposalId
    kind: ProposalKind = ProposalKind.NEW_SKILL
    status: Status = Status.PENDING
    about: str = ""
    words: ContentRef | None = None
    target: ContentRef | None = None
    draft: ContentRef | None = None
    scope: ProjectId | None = None
    evidence: Evidence = Evidence()
    note: ContentRef | None = None
    path: ContentRef | None = None
    before: ContentRef | None = None
    after: ContentRef | None = None
    agreed: ContentRef | None = None
    base: str = ""
    written: str = ""
    links: tuple[ContentRef, ...] = ()
    rejected_at: int = 0
    proposed_ms: int = 0

    @property
    def adopted(self) -> bool:
        """Whether the accepted text is by now an edit that somebody made outside."""
        return self.after != self.agreed

    @property
    def entry(self) -> EntryId | None:
        """The entry it comes of, if it does."""
        if self.kind is not ProposalKind.NEW_SKILL or self.drafted_by is not None:
            return None
        return EntryId(self.about)

    @property
    def drafted_by(self) -> Actor | None:
        """Who wrote a skill that comes of no entry."""
        written = self.kind is ProposalKind.NEW_SKILL and self.about in set(Actor)
        return Actor(self.about) if written else None


def proposal_id(key: bytes, kind: ProposalKind, about: str, target: str) -> ProposalId:
    """A proposal's id: of its kind, its subject and its target, never of evidence that grows.

    Keyed, since a subject may be words that somebody typed and may want erased.

    >>> proposal_id(b"k", ProposalKind.NEW_SKILL, "e-1", "skills/locks/SKILL.md")[:6]
    'skill-'
    """
    return ProposalId(f"{_NAMES[kind]}-{keyed_hash(key, 'proposal', kind, about, target)[:10]}")


def text_hash(text: str | None) -> str:
    """What a decision is bound to: the SHA-256 of a file's text; empty where there is no file.

    >>> text_hash(None), text_hash("")[:8]
    ('', 'e3b0c442')
    """
    if text is None:
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def reopens(proposal: Proposal, count: int) -> bool:
    """Whether so much evidence brings a rejected proposal back."""
    rejected = proposal.status is Status.REJECTED
    return rejected and count >= REOPENS_AT * max(1, proposal.rejected_at)


def step(proposal: Proposal | None, event: Event) -> Proposal:
    """The proposal after one more event about it."""
    known = proposal or Proposal(id=ProposalId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROPOSED:
            return _proposed(known, event)
        case Kind.DECIDED:
            return _decided(known, event.payload)
        case Kind.APPLIED:
            return _applied(known, event.payload)
        case Kind.PURGED:
            return replace(known, draft=None, words=None, note=None)
        case _:
            return known


def _ref(payload: JsonObject, name: str) -> ContentRef | None:
    ref = text_of(payload.get(name))
    return ContentRef(ref) if ref else None


def _evidence(payload: JsonObject) -> Evidence:
    return Evidence(
        count=whole(payload.get("count")),
        distinct=whole(payload.get("distinct")),
        first_ms=whole(payload.get("first_ms")),
        last_ms=whole(payload.get("last_ms")),
        samples=tuple(map(ContentRef, strings(payload.get("samples")))),
    )


def _proposed(known: Proposal, event: Event) -> Proposal:
    payload = event.payload
    evidence = _evidence(payload)
    known = replace(known, evidence=evidence, proposed_ms=known.proposed_ms or event.wall_ms)
    if reopens(known, evidence.count):
        known = replace(known, status=Status.PENDING, rejected_at=0)
    if known.status is not Status.PENDING:
        return known  # what was decided on stays what was decided on
    kind, scope = text_of(payload.get("kind")), text_of(payload.get("scope"))
    if kind not in set(ProposalKind):
        return known
    return replace(
        known,
        kind=ProposalKind(kind),
        about=text_of(payload.get("about")),
        words=_ref(payload, "words"),
        target=_ref(payload, "target"),
        draft=_ref(payload, "draft"),
        scope=ProjectId(scope) if scope else None,
        base=text_of(payload.get("base")),
    )


def _decided(known: Proposal, payload: JsonObject) -> Proposal:
    note = _ref(payload, "note")
    match (text_of(payload.get("verdict")), known.status):
        case ("accepted", Status.PENDING):
            return replace(
                known,
                status=Status.ACCEPTED,
                note=note,
                path=_ref(payload, "path"),
                before=_ref(payload, "before"),
                after=_ref(payload, "after"),
                agreed=_ref(payload, "after"),
                base=text_of(payload.get("base")),
                written=text_of(payload.get("written")),
                links=tuple(map(ContentRef, strings(payload.get("links")))),
            )
        case ("withdrawn", Status.PENDING):
            return replace(known, draft=None)
        case ("rejected", Status.PENDING):
            count = known.evidence.count
            return replace(known, status=Status.REJECTED, note=note, rejected_at=count)
        case ("undone", Status.REJECTED | Status.ACCEPTED | Status.APPLIED):
            return replace(
                known,
                status=Status.PENDING,
                note=note,
                path=None,
                before=None,
                after=None,
                agreed=None,
                written="",
                links=(),
                rejected_at=0,
            )
        case _:
            return known


def _applied(known: Proposal, payload: JsonObject) -> Proposal:
    if known.status not in {Status.ACCEPTED, Status.APPLIED}:
        return known
    links = tuple(map(ContentRef, strings(payload.get("links"))))
    written = text_of(payload.get("written"))
    edited = _ref(payload, "after")
    return replace(
        known,
        status=Status.APPLIED,
        written=written,
        after=edited or known.after,
        links=links,
    )


def to_state(proposal: Proposal) -> JsonObject:
    """The proposal as a view stores it: no default is written."""
    evidence = proposal.evidence
    state: dict[str, object] = {
        "id": proposal.id,
        "kind": proposal.kind,
        "status": proposal.status,
        "about": proposal.about,
        "words": proposal.words,
        "target": proposal.target,
        "draft": proposal.draft,
        "scope": proposal.scope,
        "count": evidence.count,
        "distinct": evidence.distinct,
        "first_ms": evidence.first_ms,
        "last_ms": evidence.last_ms,
        "samples": list(evidence.samples),
        "note": proposal.note,
        "path": proposal.path,
        "before": proposal.before,
        "after": proposal.after,
        "agreed": proposal.agreed,
        "base": proposal.base,
        "written": proposal.written,
        "links": list(proposal.links),
        "rejected_at": proposal.rejected_at,
        "proposed_ms": proposal.proposed_ms,
    }
    return without_defaults(state, "id")


def from_state(state: JsonObject) -> Proposal:
    """The proposal that a view's state stands for."""
    scope = text_of(state.get("scope"))
    return Proposal(
        id=ProposalId(text_of(state["id"])),
        kind=ProposalKind(text_of(state["kind"])),
        status=Status(text_of(state["status"])),
        about=text_of(state.get("about")),
        words=_ref(state, "words"),
        target=_ref(state, "target"),
        draft=_ref(state, "draft"),
        scope=ProjectId(scope) if scope else None,
        evidence=_evidence(state),
        note=_ref(state, "note"),
        path=_ref(state, "path"),
        before=_ref(state, "before"),
        after=_ref(state, "after"),
        agreed=_ref(state, "agreed"),
        base=text_of(state.get("base")),
        written=text_of(state.get("written")),
        links=tuple(map(ContentRef, strings(state.get("links")))),
        rejected_at=whole(state.get("rejected_at")),
        proposed_ms=whole(state.get("proposed_ms")),
    )
