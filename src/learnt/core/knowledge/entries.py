"""An entry as its view stores it, what speaks for it and against it, and how two stand.

Confirmations admit it; once it is validated, feedback slows or speeds its fading. Weights are
kept in thousandths; what goes through a power is computed when it is read.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import chain
from typing import Annotated, ClassVar, Final, Literal

from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.confidence import FADES_BY, HALF, Belief, confidence
from learnt.core.knowledge.kinds import KINDS, Policy
from learnt.core.records import ALWAYS, ROWS, Record, Row

THOUSAND: Final = 1_000
MOST_KEPT: Final = 64  # confirmations of one entry; the oldest weigh next to nothing by then
ANSWERED: Final = 6_000  # success since a failure, in thousandths, that leaves nothing of its shock
# How far each kind of witness is believed (seed 000 v2), in thousandths.
CREDIBILITY: Final = {"tool": 1_000, "human": 800, "agent": 600, "indirect": 300}
RELEVANCE: Final = {"core": 1_000, "auxiliary": 500, "marginal": 200}
CREDIBLE: Final = CREDIBILITY["human"]  # from here on it is more than somebody's judgement
PROVEN: Final = 300  # what one proof adds to the successes, in thousandths
INVALID_C0: Final = 100
_LAST_DAY_MS: Final = 253_402_300_799_999
_DAY_MS: Final = 86_400_000


class Confirmation(Record):
    """One witness: when, how far believed and how relevant (thousandths); stored as a list."""

    ms: int
    credibility: int
    relevance: int
    session: str = ""
    actor: Actor = Actor.AGENT


class Standing(Record, kw_only=True):
    """All that was said of an entry, in thousandths; `shocks`: each failure, successes before."""

    confirmations: Annotated[tuple[Confirmation, ...], ROWS] = ()
    confirmed_ms: int = 0
    c0: int = THOUSAND
    alpha: int = 0
    beta: int = 0
    shocks: tuple[tuple[int, int], ...] = ()


NOTHING_SAID: Final = Standing()


def day(ms: int) -> date:
    """The day in UTC of a wall time, whatever a clock has said.

    >>> day(0), day(-5), day(10**18)
    (datetime.date(1970, 1, 1), datetime.date(1970, 1, 1), datetime.date(9999, 12, 31))
    """
    return datetime.fromtimestamp(min(max(ms, 0), _LAST_DAY_MS) / THOUSAND, UTC).date()


def belief(standing: Standing, kind: str, today: date) -> Belief:
    """What confidence reads. One confirmed by a clock that was ahead counts from today.

    >>> held = after_failure(Standing(), 1_500)
    >>> belief(after_success(held, 300, 0), "schema", day(0)).shock
    0.375
    """
    shock = sum(
        weight * FADES_BY ** (-(standing.alpha - before) / (THOUSAND * HALF))
        for before, weight in standing.shocks
    )
    return Belief(
        kind=kind,
        confirmed=min(day(standing.confirmed_ms), today),
        c0=standing.c0 / THOUSAND,
        alpha=standing.alpha / THOUSAND,
        beta=standing.beta / THOUSAND,
        shock=round(shock / THOUSAND, 9),
    )


def after_confirmation(standing: Standing, given: Confirmation, *, validated: bool) -> Standing:
    """One more witness; of a validated entry a credible one is proof, an agent's echo none."""
    standing = replace(standing, confirmations=(*standing.confirmations, given)[-MOST_KEPT:])
    if not validated or given.credibility < CREDIBLE:
        return standing
    weight = PROVEN * given.credibility * given.relevance // (THOUSAND * THOUSAND)
    return after_success(standing, max(1, weight), given.ms)


def after_success(standing: Standing, weight: int, ms: int) -> Standing:
    """After something proved it: it counts from now."""
    alpha = standing.alpha + weight
    shocks = tuple((at, lost) for at, lost in standing.shocks if alpha - at < ANSWERED)
    latest = max(standing.confirmed_ms, ms)
    return replace(standing, alpha=alpha, shocks=shocks, confirmed_ms=latest)


def after_failure(standing: Standing, weight: int) -> Standing:
    """After something spoke against it."""
    shocks = [*standing.shocks, (standing.alpha, weight)]
    if len(shocks) > 1 and shocks[-2][0] == standing.alpha:
        shocks[-2:] = [(standing.alpha, shocks[-2][1] + weight)]
    return replace(standing, beta=standing.beta + weight, shocks=tuple(shocks))


def as_new(standing: Standing, ms: int) -> Standing:
    """Validated, or found true again: nothing for or against it, from now; its witnesses stay."""
    return Standing(confirmations=standing.confirmations, confirmed_ms=ms)


def invalid(standing: Standing) -> Standing:
    """Known to be wrong, whatever spoke for it."""
    return replace(standing, c0=INVALID_C0, alpha=0, beta=0, shocks=())


Suspected = Literal["same", "contradicts"]
# What speaks for it: other numbers, a negation on one side, another order, or other words.
Clash = Literal["", "number", "negation", "order", "words"]


class Relation(StrEnum):
    """How a newer note stands to an older one; the values are what agents and people write."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    NARROWS = "narrows"
    DIFFERENT = "different"


class Suspicion(Row):
    """What rules alone suspect of an entry and an `other` one; it lowers nothing."""

    other: EntryId
    sort: Suspected
    clash: Clash = ""


class Answered(Row):
    """How an agent said that an entry stands to an `other` one.

    `wider`: the other one narrows it. `disputed`: the answer, or a later one that says otherwise,
    put the two in dispute.
    """

    other: EntryId
    relation: Relation
    wider: bool = False
    disputed: bool = False

    @property
    def narrows(self) -> bool:
        """Whether the entry says of a part what the other one says of the whole."""
        return self.relation is Relation.NARROWS and not self.wider


class Stage(StrEnum):
    """How far an entry has come. A rejected draft keeps its reason and nothing else."""

    REJECTED = "rejected"
    CANDIDATE = "candidate"
    VALIDATED = "validated"
    RETIRED = "retired"


LIVE: Final = frozenset({Stage.CANDIDATE, Stage.VALIDATED})  # what may be found at all
# Why a person's decision retired an entry; such a one may come back.
SETTLED: Final = "settled in favour of another entry"
BY_HAND: Final = "a person retired it"
MERGED: Final = "merged"
TAKEN_BACK: Final = "a person took a decision back"
SUPERSEDED: Final = "superseded"  # by what its person typed later
ALIAS: Final = "the same as another entry"
RELATED_AWAY: Final = frozenset({SUPERSEDED, ALIAS})  # an agent's answer did it
COMES_BACK: Final = frozenset({SETTLED, BY_HAND, MERGED, *RELATED_AWAY})  # from such an end
PICKED: Final = "picked"  # the doubt on words of a person's that an agent picked


class Source(Record):
    """Where in a conversation an entry was said: all of it optional, for imports and quotes."""

    session: Annotated[str | None, ALWAYS] = None
    position: Annotated[int | None, ALWAYS] = None
    speaker: Annotated[ContentRef | None, ALWAYS] = None
    date: Annotated[str | None, ALWAYS] = None


class Content(Record, kw_only=True):
    """What an entry says. Texts are content references; `scope` None is everywhere.

    A fact has a `text` and the `entities` it is about, a solution a `problem` and an `approach`;
    `topic` is where a fact belongs, `cites` what in its project shows it. `signs` are lines of
    results that name a solution's problem, to find it by. `fingerprint` is the keyed hash of its
    normalised text, equal for exact duplicates only.
    """

    form: Annotated[str, ALWAYS] = "solution"
    kind: Annotated[str, ALWAYS] = "solution"
    text: ContentRef | None = None
    problem: ContentRef | None = None
    approach: ContentRef | None = None
    cautions: tuple[ContentRef, ...] = ()
    tags: tuple[ContentRef, ...] = ()
    entities: tuple[ContentRef, ...] = ()
    files: tuple[ContentRef, ...] = ()
    cites: tuple[Citation, ...] = ()
    signs: tuple[ContentRef, ...] = ()
    language: ContentRef | None = None
    scope: ProjectId | None = None
    fingerprint: str = ""
    source: Source | None = None
    topic: str = ""


class Entry(Content, kw_only=True):
    """What is true of an entry now.

    `reused` counts the sessions in which it was injected and delivered; `skill` is the proposal by
    which it became a skill, while that stands; `into` the entry that it was merged into. `units`
    are the sessions for which a coin decided whether to show its text as it is; `masked`: it hurts,
    and no hook shows it; `restarts` counts how often a person took that back. `disputes` are the
    entries with which it may not hold together: a dispute stands while each names the other;
    `arguments` are what was said for it there, the newest last. `doubt` is why the gates would have
    kept out what a person said, a name in WORTHLESS, or why it waits, until a person looks at it.
    `suspects` are the entries that rules alone suspect it to repeat or contradict, `related` those
    of which an agent said how it stands to them: both hold while each entry names the other.
    `classed`: a person said whether it is a rule.
    """

    prefix: ClassVar[str] = "entry:"  # of the subjects of its events

    id: EntryId
    stage: Stage
    actor: Annotated[Actor, ALWAYS] = Actor.LEARNT
    origin: Annotated[Origin, ALWAYS] = Origin.ASSISTANT
    remembered_ms: int = 0
    reused: int = 0
    corrected: int = 0
    standing: Standing = NOTHING_SAID
    reason: str = ""
    skill: str = ""
    into: EntryId | None = None
    units: int = 0
    masked: bool = False
    restarts: int = 0
    disputes: tuple[EntryId, ...] = ()
    arguments: tuple[ContentRef, ...] = ()
    doubt: str = ""
    suspects: Annotated[tuple[Suspicion, ...], ROWS] = ()
    related: Annotated[tuple[Answered, ...], ROWS] = ()
    classed: bool = False

    @property
    def picked(self) -> bool:
        """Whether an agent picked it out of a person's words, who has not confirmed it."""
        return self.doubt == PICKED

    @property
    def version(self) -> int:
        """What rises whenever it says something else, or is to be measured again."""
        return self.corrected + self.restarts

    @property
    def about(self) -> ContentRef | None:
        """The text it is found by: a fact's own, a solution's problem; None once erased."""
        return self.text or self.problem

    @property
    def live(self) -> bool:
        """Whether it may be found at all."""
        return self.stage in LIVE and self.about is not None

    @property
    def related_away(self) -> bool:
        """Whether an agent's answer retired it, which can be taken back."""
        ended = self.stage is Stage.RETIRED and self.about is not None
        return ended and self.reason in RELATED_AWAY

    @property
    def suspected(self) -> tuple[Suspicion, ...]:
        """The suspicions that nobody has answered."""
        return tuple(each for each in self.suspects if not self.answer_on(each.other))

    @property
    def beside(self) -> tuple[EntryId, ...]:
        """The entries that may say something else of the same matter."""
        return (*self.disputes, *(each.other for each in self.suspected))

    def answer_on(self, other: EntryId) -> Answered | None:
        """How an agent said that it stands to an other entry."""
        return next((each for each in self.related if each.other == other), None)

    @property
    def refs(self) -> tuple[ContentRef, ...]:
        """Every content reference the entry holds."""
        speaker = self.source.speaker if self.source else None
        singles = (self.text, self.problem, self.approach, self.language, speaker)
        several = (self.cautions, self.tags, self.entities, self.files, self.signs, self.arguments)
        cited = (cite.refs for cite in self.cites)
        return tuple(filter(None, chain(singles, *several, *cited)))


def level(entry: Entry, now_ms: int, kinds: Mapping[str, Policy] = KINDS) -> float | None:
    """An entry's confidence today, 0 to 1; None for one that is not validated."""
    if entry.stage is not Stage.VALIDATED:
        return None
    today = day(now_ms)
    return confidence(belief(entry.standing, entry.kind, today), today, kinds=kinds)
