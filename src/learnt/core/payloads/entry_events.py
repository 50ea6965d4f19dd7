"""What is recorded of an entry, one payload a kind of event. Texts are content references."""

from typing import Annotated, Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EntryId
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.entries import Content, Stage
from learnt.core.knowledge.relations import Clash, Relation, Suspected
from learnt.core.knowledge.standing import Standing
from learnt.core.records import INLINE

Verdict = Literal["admit", "merge", "correct", "reject"]
Result = Literal[
    "confirmed", "success", "failure", "reset", "invalidate", "disputed", "argued", "settled"
]


class Gated(NamedTuple):
    """What the gates decided on an offer, why, and which entry it contradicts (`against`)."""

    event: Literal[Kind.GATED] = Kind.GATED
    verdict: Verdict | None = None
    gate: str = ""
    reason: str = ""
    passed: tuple[str, ...] = ()
    against: EntryId | None = None
    credibility: int | None = None  # thousandths; 0: the same witness said it before
    cites: tuple[Citation, ...] = ()


class Remembered(NamedTuple):
    """What an entry says from now on. `lesson` is the sort of lesson that it was harvested as.

    `told` is how it stood where it was imported from. `doubt` names what the gates had against a
    person's own words, which they kept as they stand.
    """

    stage: Stage
    event: Literal[Kind.REMEMBERED] = Kind.REMEMBERED
    content: Annotated[Content, INLINE] = Content()
    credibility: int | None = None  # thousandths
    lesson: str = ""
    told: Standing | None = None
    doubt: str = ""


class EntryFeedback(NamedTuple):
    """Somebody's word on an entry, in thousandths. `source` says who, in words.

    One that a merge brings along says itself when it was (`ms`), and in which session. `other` is
    the entry that it is, or was, in dispute with: both may not hold. `argument` says why it holds.
    """

    event: Literal[Kind.FEEDBACK] = Kind.FEEDBACK
    result: Result | None = None
    source: str = ""
    weight: int = 0
    credibility: int | None = None
    relevance: int | None = None
    ms: int | None = None
    session: str = ""
    cites: tuple[Citation, ...] = ()
    other: EntryId | None = None
    argument: ContentRef | None = None


class SuspectedPair(NamedTuple):
    """Rules suspect that an entry repeats or contradicts an `other` one, by what `clash` names."""

    other: EntryId
    event: Literal[Kind.SUSPECTED] = Kind.SUSPECTED
    sort: Suspected = "contradicts"
    clash: Clash = ""


class Related(NamedTuple):
    """An agent's answer on how an entry stands to an `other` one; None where it was taken back.

    `wider`: of an answer that one narrows the other, this entry is the other. `disputed`: it puts
    the two in dispute. `batch`: a batch of `/learnt-tidy` had asked for it.
    """

    other: EntryId
    event: Literal[Kind.RELATED] = Kind.RELATED
    relation: Relation | None = None
    wider: bool = False
    disputed: bool = False
    batch: bool = False


class Tidied(NamedTuple):
    """A batch of pairs was shown, to be related: of each the newer entry first."""

    event: Literal[Kind.TIDIED] = Kind.TIDIED
    pairs: tuple[tuple[EntryId, EntryId], ...] = ()


class Staged(NamedTuple):
    """An entry came to another stage; `into` is the entry that it was merged into.

    Where a decision was taken back, `told` and `doubt` are how it stood before.
    """

    event: Literal[Kind.STAGED] = Kind.STAGED
    stage: Stage | None = None
    reason: str = ""
    into: EntryId | None = None
    told: Standing | None = None
    doubt: str = ""


class Classed(NamedTuple):
    """Of which kind an entry is from now on; by a person's word unless that is taken back."""

    event: Literal[Kind.CLASSED] = Kind.CLASSED
    kind: str = ""
    by_word: bool = False


class BecameSkill(NamedTuple):
    """An entry became a skill by a proposal; it is one no longer where that is empty."""

    event: Literal[Kind.APPLIED] = Kind.APPLIED
    proposal: str = ""
