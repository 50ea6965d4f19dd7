"""An entry: one atomic piece of knowledge, as it is now and as its view stores it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge import standing as standings
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.confidence import confidence
from learnt.core.knowledge.kinds import KINDS, Policy
from learnt.core.knowledge.relations import Answered, Suspicion
from learnt.core.knowledge.standing import NOTHING_SAID, Standing
from learnt.core.records import ALWAYS, ROWS


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
PICKED: Final = "picked"  # the doubt on words of a person's that an agent picked


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where in a conversation an entry was said: all of it optional, for imports and quotes."""

    session: Annotated[str | None, ALWAYS] = None
    position: Annotated[int | None, ALWAYS] = None
    speaker: Annotated[ContentRef | None, ALWAYS] = None
    date: Annotated[str | None, ALWAYS] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Content):
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
        """What rises whenever it says something else, or is to be measured anew."""
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
        named = (self.text, self.problem, self.approach, self.language, speaker)
        singles = (ref for ref in named if ref)
        cited = (ref for cite in self.cites for ref in cite.refs)
        return (
            *singles,
            *self.cautions,
            *self.tags,
            *self.entities,
            *self.files,
            *self.signs,
            *self.arguments,
            *cited,
        )


def level(entry: Entry, now_ms: int, kinds: Mapping[str, Policy] = KINDS) -> float | None:
    """An entry's confidence today, 0 to 1; None for one that is not validated."""
    if entry.stage is not Stage.VALIDATED:
        return None
    today = standings.day(now_ms)
    belief = standings.belief(entry.standing, entry.kind, today)
    return confidence(belief, today, kinds=kinds)
