"""A proposal: a change to a text that agents read, waiting for a person.

| from | to | by |
|---|---|---|
| pending | accepted | a person's accept: bound to the text shown and to what it changes |
| pending | accepted | what a person allowed beforehand: a text by rules, of one skill |
| accepted | applied | the text is on the disk |
| pending | rejected | a person's reject |
| rejected | pending | a person's undo, or evidence that has doubled since |
| accepted, applied | pending | a person's undo: the file is what it was before |
| pending | pending, without a text | an outside edit that is no longer on the disk is withdrawn |

Nothing else happens to a proposal: an event that would do anything else changes nothing.
"""

import hashlib
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from learnt.core.events import Actor
from learnt.core.identifiers import ContentRef, EntryId, ProjectId, ProposalId, keyed_hash
from learnt.core.records import ALWAYS, INLINE, Record


class ProposalKind(StrEnum):
    """What a proposal would do."""

    NEW_SKILL = "new-skill"
    ROUTING = "routing"
    RULE = "rule"
    OUTSIDE_EDIT = "outside-edit"
    TOPIC = "topic"
    NEW_VERSION = "new-version"
    MERGE = "merge"
    RETIRE = "retire"
    ROLLBACK = "rollback"


# What is proposed of a skill that is there: another text for its file, or none.
OF_SKILLS: Final = frozenset({
    ProposalKind.NEW_VERSION,
    ProposalKind.MERGE,
    ProposalKind.RETIRE,
    ProposalKind.ROLLBACK,
})
# What becomes a block in a file that holds other things as well.
IN_SHARED_FILES: Final = frozenset({ProposalKind.ROUTING, ProposalKind.RULE})
BETWEEN: Final = "\x1e"  # the parts of a bundle, of which the source is the first
RETIRED: Final = ".retired"  # behind the name of a retired skill's file, which no agent reads


class Status(StrEnum):
    """How far a proposal has come."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    APPLIED = "applied"
    REJECTED = "rejected"


MARKS: Final = dict(zip(Status, "⏸✓★✗", strict=True))
REOPENS_AT: Final = 2  # times the evidence that was there when it was rejected
_NAMES: Final = dict(
    zip(
        ProposalKind,
        ("skill", "route", "rule", "edit", "topic", "version", "merge", "retire", "rollback"),
        strict=True,
    )
)


class Evidence(Record, kw_only=True):
    """What speaks for a proposal: how often, in how many sessions or prompts, and samples of it."""

    count: int = 0
    distinct: int = 0
    first_ms: int = 0
    last_ms: int = 0
    samples: tuple[ContentRef, ...] = ()


class Proposal(Record, kw_only=True):
    """What is true of a proposal now. Texts are content references.

    `about` is what it comes of: an entry, a pair of terms (`words`, as they are typed), a topic, a
    proposal whose file was edited, the subject of a skill, or whoever drafted it, an actor;
    `target` is a path below a root that accepting chooses, of a skill that is there its whole path.
    `words` of a merge is the path of the skill that is merged into the other; `bundle` of a skill
    that is to be installed is the source and all files but SKILL.md. `notes` are the entries that
    its text was made of, where it is not of `about` alone.
    `written` is the hash of the text that was accepted, `before` the text it replaced (None: there
    was none), `agreed` what a person agreed to, `after` what counts as accepted by now, `path` the
    whole path and `links` what points to its folder. `rewritten`: the draft was
    rewritten by an agent, or by a person: `by_hand`.
    """

    prefix: ClassVar[str] = "proposal:"  # of the subjects of its events

    id: ProposalId
    kind: Annotated[ProposalKind, ALWAYS] = ProposalKind.NEW_SKILL
    status: Annotated[Status, ALWAYS] = Status.PENDING
    about: str = ""
    words: ContentRef | None = None
    target: ContentRef | None = None
    draft: ContentRef | None = None
    bundle: ContentRef | None = None
    scope: ProjectId | None = None
    notes: tuple[EntryId, ...] = ()
    evidence: Annotated[Evidence, INLINE] = Evidence()
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
    rewritten: bool = False
    by_hand: bool = False

    @property
    def adopted(self) -> bool:
        """Whether the accepted text is by now an edit that somebody made outside."""
        return self.after != self.agreed

    @property
    def gone(self) -> ContentRef | None:
        """The file that goes out of use with it: a retired or a merged skill's."""
        files = {ProposalKind.RETIRE: self.target, ProposalKind.MERGE: self.words}
        return files.get(self.kind)

    @property
    def entry(self) -> EntryId | None:
        """The entry it comes of, if it does."""
        if self.kind is not ProposalKind.NEW_SKILL or self.drafted_by is not None:
            return None
        return EntryId(self.about)

    @property
    def notes_used(self) -> tuple[EntryId, ...]:
        """The entries that its text was made of."""
        return self.notes or ((self.entry,) if self.entry else ())

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
