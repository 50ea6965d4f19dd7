"""How an episode came out, as `status` and `health feedback` tell it."""

from typing import NamedTuple

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Quote, Trouble
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
    grade = None if outcome.grade is None else outcome.grade / MILLION
    own = {"episode": closed.event, "grade": grade, "evidence": outcome.quotes}
    return filled(EpisodeAnswer, closed, outcome, **own)


def in_words(trouble: str, cause: str, grade: float | None) -> str:
    """An outcome in a few words; the grade is 0 to 1.

    >>> in_words("none", "none", None), in_words("test", "skill", 0.75)
    ('no trouble, not graded', 'test (skill), 75%')
    """
    ended = "no trouble" if trouble == Trouble.NONE else f"{trouble} ({cause})"
    return f"{ended}, {'not graded' if grade is None else f'{grade:.0%}'}"
