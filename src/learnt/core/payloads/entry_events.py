"""What is recorded of entries, and of recalls: what was found, shown, withheld, counted as used."""

from typing import Annotated, Final, Literal

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EntryId, EventId
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.entries import Clash, Content, Relation, Stage, Standing, Suspected
from learnt.core.records import INLINE, Record

Mode = Literal["hook", "failure", "file", "explicit", "read", "skill", "start", "act"]
MOMENTS: Final[frozenset[Mode]] = frozenset({"hook", "failure", "file"})  # nobody asked
Action = Literal["drawn", "masked", "unmasked"]


class Candidate(Record):
    """An entry that was found: its score in thousandths, its relevance in millionths."""

    entry: EntryId
    stage: str = ""
    score: int = 0
    relevance: int = 0
    shared: int = 0


class Eligible(Record):
    """An entry that might be shown, its text's version, its coin; the propensity in millionths."""

    entry: EntryId
    arm: str = ""
    propensity: int = 0
    version: int = 0


class Recalled(Record):
    """Something was found at a moment. `tokens` is the injection's length.

    The moment is its `mode`: `hook` a prompt, `failure` a tool call that failed, `file` one that
    was read or edited, `explicit` a question of somebody's, `read` that an agent read what a line
    had named at a `moment` before. `shown` are the entries that were given whole, `hinted` those
    that one line named. `counted` are the entries that count as used by it, `already` those in the
    context before, `drifted` those whose citations changed. In mode `skill` a skill was called:
    `exemplars` are the closings of the episodes that were shown as past successes, `prompt` is what
    was typed. At a session's `start` the contents were shown: `shown` are rules, `hinted` the notes
    that have a line. Before an `act` the rules in `shown` were given, which govern it.
    """

    event: Literal[Kind.RECALLED] = Kind.RECALLED
    mode: Mode | None = None
    prompt: ContentRef | None = None
    search: str = ""
    found: tuple[Candidate, ...] = ()
    eligible: tuple[Eligible, ...] = ()
    already: tuple[EntryId, ...] = ()
    shown: tuple[EntryId, ...] = ()
    counted: tuple[EntryId, ...] = ()
    drifted: tuple[EntryId, ...] = ()
    exemplars: tuple[EventId, ...] = ()
    tokens: int = 0
    hinted: tuple[EntryId, ...] = ()
    moment: Mode | None = None


class Missed(Record):
    """A question found nothing, or at a prompt nothing was given.

    `tentative`: the prompt is not missed if the agent is given or opens a note before the next one.
    """

    event: Literal[Kind.MISSED] = Kind.MISSED
    mode: Mode | None = None
    prompt: ContentRef | None = None
    tentative: bool = False


class NotDelivered(Record):
    """A recall never reached the agent. Of a session also what was given and counted by it."""

    event: Literal[Kind.NOT_DELIVERED] = Kind.NOT_DELIVERED
    recall: EventId | None = None
    reason: str = ""
    entries: tuple[EntryId, ...] = ()
    uncounted: tuple[EntryId, ...] = ()
    exemplars: tuple[EventId, ...] = ()
    hinted: tuple[EntryId, ...] = ()


class Reused(Record):
    """An entry was put before an agent in a session, by a recall."""

    event: Literal[Kind.REUSED] = Kind.REUSED
    recall: EventId | None = None


class EntryDecided(Record):
    """Whether hooks show an entry whose text has this `version`.

    `drawn`: the coin put a session that it was eligible in for the first time into an `arm`, with a
    `propensity` in millionths. `masked`: it hurts, by so much `evidence` (an e-value in
    thousandths), and no hook shows it. `unmasked`: a person wants it shown, and measured again.
    """

    event: Literal[Kind.DECIDED] = Kind.DECIDED
    action: Action | None = None
    version: int = 0
    arm: str = ""
    propensity: int = 0
    evidence: int = 0


Verdict = Literal["admit", "merge", "correct", "reject"]
Result = Literal[
    "confirmed", "success", "failure", "reset", "invalidate", "disputed", "argued", "settled"
]


class Gated(Record):
    """What the gates decided on an offer, why, and which entry it contradicts (`against`)."""

    event: Literal[Kind.GATED] = Kind.GATED
    verdict: Verdict | None = None
    gate: str = ""
    reason: str = ""
    passed: tuple[str, ...] = ()
    against: EntryId | None = None
    credibility: int | None = None  # thousandths; 0: the same witness said it before
    cites: tuple[Citation, ...] = ()


class Remembered(Record):
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


class EntryFeedback(Record):
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


class SuspectedPair(Record):
    """Rules suspect that an entry repeats or contradicts an `other` one, by what `clash` names."""

    other: EntryId
    event: Literal[Kind.SUSPECTED] = Kind.SUSPECTED
    sort: Suspected = "contradicts"
    clash: Clash = ""


class Related(Record):
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


class Tidied(Record):
    """A batch of pairs was shown, to be related: of each the newer entry first."""

    event: Literal[Kind.TIDIED] = Kind.TIDIED
    pairs: tuple[tuple[EntryId, EntryId], ...] = ()


class Staged(Record):
    """An entry came to another stage; `into` is the entry that it was merged into.

    Where a decision was taken back, `told` and `doubt` are how it stood before.
    """

    event: Literal[Kind.STAGED] = Kind.STAGED
    stage: Stage | None = None
    reason: str = ""
    into: EntryId | None = None
    told: Standing | None = None
    doubt: str = ""


class Classed(Record):
    """Of which kind an entry is from now on; by a person's word unless that is taken back."""

    event: Literal[Kind.CLASSED] = Kind.CLASSED
    kind: str = ""
    by_word: bool = False


class BecameSkill(Record):
    """An entry became a skill by a proposal; it is one no longer where that is empty."""

    event: Literal[Kind.APPLIED] = Kind.APPLIED
    proposal: str = ""
