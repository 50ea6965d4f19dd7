"""What the ledger knows of a skill: its versions, where it was installed from, how it did."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from learnt.core.identifiers import ContentRef
from learnt.core.payloads.skill_events import EvaluationVerdict, ExportTrouble, Method, Obstacle

ALPHA: Final = 0.3  # the weight of the latest use (seed 004)
REMEMBERED: Final = 64  # results that the success rate is computed from; older ones weigh 1e-10


def rate_of(results: Iterable[float]) -> float | None:
    """How well a skill did, by results of 0 to 1, the oldest first; None without any.

    >>> round(rate_of([1, 0, 1]), 6)
    0.79
    """
    rate: float | None = None
    for latest in results:
        rate = latest if rate is None else (1 - ALPHA) * rate + ALPHA * latest
    return rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A text that a skill had: its SHA-256, the one before, and how and when it came.

    `text` is None once it was purged. `number` is as the skill tells it, `place` where its copy
    lies. Of one that was applied by itself `commit` is git's, or `obstacle` says why there is none.
    """

    digest: str
    number: str = ""
    parent: str = ""
    cause: str = ""
    ms: int = 0
    text: ContentRef | None = None
    commit: str = ""
    obstacle: Obstacle = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A comparison of a skill's text `digest` with `parent`, the one before; gaps in millionths.

    `verdict` is None until it ended; `review` waits for a person. `after` is the gap it ended with.
    `issue` tells of a regression in public: it was tried `tries` times, last at `tried_ms`, and
    `trouble` is what came in between. Where another system told of it,
    `commit` is that of the text, and `executions` are those that it was the end of.
    """

    digest: str
    parent: str = ""
    method: Method | None = None
    cause: str = ""
    ms: int = 0
    gap: int = 0
    verdict: EvaluationVerdict | None = None
    after: int | None = None
    ended_ms: int = 0
    issue: ContentRef | None = None
    tries: int = 0
    tried_ms: int = 0
    trouble: ExportTrouble = ""
    commit: str = ""
    executions: int = 0


IMPORT_UNDONE: Final = "import undone"  # why another system's flags no longer count


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """That another system has a skill in its queue: its flags there, the last one, the gap then.

    `executions` are the lines of what it calls those that were flagged.
    """

    flags: int = 0
    ms: int = 0
    gap: int = 0
    executions: ContentRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A folder that a skill was installed in: where, the digest of it all, and where it is from."""

    place: str = ""
    digest: str = ""
    source: ContentRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHistory:
    """A skill by its events. `results` has an S or F for each of the latest uses, oldest first.

    `source` and `installed` (the digest of its whole folder) are those of the last installation,
    empty for what was not installed; `copies` has each place that was recorded.
    `evaluations` are the oldest first. `automatic`: a person lets texts by rules be applied by
    themselves; `owed` is the proposal of one that git may have to commit yet.
    """

    prefix: ClassVar[str] = "skill:"

    name: ContentRef | None = None
    versions: tuple[Version, ...] = ()
    source: ContentRef | None = None
    installed: str = ""
    pinned: bool = False
    uses: int = 0
    results: str = ""
    evaluations: tuple[Evaluation, ...] = ()
    flagged: Flagged = Flagged()
    copies: tuple[Copy, ...] = ()
    automatic: bool = False
    owed: str = ""

    def at(self, place: str) -> Copy:
        """What was installed there; where no places are recorded, what was installed at all.

        >>> SkillHistory(installed="d").at("a").digest
        'd'
        >>> SkillHistory(installed="d", copies=(Copy(place="b", digest="d"),)).at("a").digest
        ''
        """
        if not self.copies:
            return Copy(digest=self.installed, source=self.source)
        return next((copy for copy in self.copies if copy.place == place), Copy())

    def texts_at(self, place: str) -> tuple[Version, ...]:
        """The versions of the copy there; what is recorded without a place is of every copy.

        >>> SkillHistory(versions=(Version(digest="d", place="b"),)).texts_at("a")
        ()
        """
        return tuple(one for one in self.versions if not place or one.place in {"", place})

    @property
    def evaluation(self) -> Evaluation | None:
        """The comparison that goes on, or that waits for a person."""
        last = self.evaluations[-1] if self.evaluations else None
        return last if last and last.verdict in {None, "review", "investigate"} else None

    @property
    def success_rate(self) -> float | None:
        """How well it did by what was told, 0 to 1; None where nothing was."""
        return rate_of(float(result == "S") for result in self.results)
