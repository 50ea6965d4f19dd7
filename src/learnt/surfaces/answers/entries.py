"""An entry that was asked for or listed, as commands answer it."""

from typing import NamedTuple

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.entries import Stage
from learnt.flows.recall.ask import Hit
from learnt.formats.answers import filled
from learnt.formats.injection import day


class EntryAnswer(NamedTuple):
    """An entry as it was found. A solution's text is its problem and its approach.

    A candidate has no confidence. `score` and `relevance` (0 to 1) say how well it fits what was
    asked; None where nothing was.
    """

    id: EntryId
    stage: Stage
    kind: str
    text: str
    problem: str
    approach: str
    cautions: tuple[str, ...]
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    confidence: float | None
    trust: str
    confirmed: str | None
    everywhere: bool
    cites: tuple[CheckedCitation, ...]
    kept_ms: int
    reused: int
    score: float | None = None
    relevance: float | None = None


def as_entry(hit: Hit) -> EntryAnswer:
    """An entry that was asked for, or listed."""
    note, ranked = hit.note, hit.ranked
    return filled(
        EntryAnswer,
        note,
        text=note.text or f"{note.problem}\n{note.approach}",
        confidence=note.level,
        confirmed=day(note.confirmed_ms) if note.confirmed_ms else None,
        everywhere=not note.here,
        reused=hit.entry.reused,
        score=round(ranked.match.score, 6) if ranked else None,
        relevance=ranked.relevance / 1_000_000 if ranked else None,
    )
