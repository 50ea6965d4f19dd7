"""What is recorded of proposals, and of a purge. Texts are content references."""

from typing import Annotated, Literal

from learnt.core.events import Kind
from learnt.core.governance.proposals import Evidence, ProposalKind
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId
from learnt.core.records import INLINE, Record

Verdict = Literal["accepted", "rejected", "undone", "withdrawn"]


class Proposed(Record):
    """A change was proposed, or proposed again with other evidence. `Proposal` tells the fields.

    `calls` are those of a model that wrote it, where no distillation tells them. `rewritten`: an
    agent, or the person, wrote the draft again.
    """

    event: Literal[Kind.PROPOSED] = Kind.PROPOSED
    kind: ProposalKind | None = None
    about: str = ""
    words: ContentRef | None = None
    target: ContentRef | None = None
    draft: ContentRef | None = None
    bundle: ContentRef | None = None
    scope: ProjectId | None = None
    notes: tuple[EntryId, ...] = ()
    evidence: Annotated[Evidence, INLINE] = Evidence()
    base: str = ""
    calls: tuple[EventId, ...] = ()
    rewritten: bool = False


class Decided(Record):
    """A decision on a proposal, and what was accepted by it."""

    event: Literal[Kind.DECIDED] = Kind.DECIDED
    verdict: Verdict | None = None
    note: ContentRef | None = None
    path: ContentRef | None = None
    before: ContentRef | None = None
    after: ContentRef | None = None
    base: str = ""
    written: str = ""
    links: tuple[ContentRef, ...] = ()


class Applied(Record):
    """An accepted proposal is on the disk; `after` is its text, where it is not the agreed one."""

    event: Literal[Kind.APPLIED] = Kind.APPLIED
    written: str = ""
    links: tuple[ContentRef, ...] = ()
    after: ContentRef | None = None


class TextsPurged(Record):
    """Texts were erased for good: how many entries and contents."""

    event: Literal[Kind.PURGED] = Kind.PURGED
    entries: int = 0
    contents: int = 0
