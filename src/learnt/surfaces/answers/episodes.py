"""How an episode came out, as commands answer it."""

from typing import NamedTuple

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Outcome, Quote
from learnt.core.identifiers import EntryId
from learnt.formats.answers import filled


class EpisodeAnswer(NamedTuple):
    """How an episode came out: `grade` is 0 to 1, None where nothing hard was seen."""

    episode: str
    session: str
    prompt: str
    wall_ms: int
    ended_by: str
    tools: int
    failed: int
    took_ms: int | None
    tokens: int | None
    trouble: str
    cause: str
    grade: float | None
    graded: bool
    evidence: tuple[Quote, ...]
    entries: tuple[EntryId, ...]


def as_episode(closed: Episode) -> EpisodeAnswer:
    """A closed episode, its outcome beside it."""
    outcome = closed.outcome
    own = {"episode": closed.event, "grade": share(outcome), "evidence": outcome.quotes}
    return filled(EpisodeAnswer, closed, outcome, **own)


def share(outcome: Outcome) -> float | None:
    """An outcome's grade, 0 to 1; None where it has none."""
    return None if outcome.grade is None else outcome.grade / MILLION
