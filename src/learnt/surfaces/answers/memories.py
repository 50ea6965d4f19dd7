"""What is remembered: the answer of `recall` and `knowledge query`, and of the tool `recall`."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.entries import Stage
from learnt.core.records import UNTOLD
from learnt.flows.recall.ask import Advice, Hit, advice
from learnt.formats.answers import filled
from learnt.formats.injection import Rival, day


class EntryAnswer(NamedTuple):
    """An entry as it was found, by its handle. A solution's text is its problem and its approach.

    A candidate has no confidence. `kept` says when and by whom. `score` and `relevance` (0 to 1)
    say how well it fits what was asked; None where nothing was. `rivals` are the entries with which
    it may not hold together.
    """

    handle: str
    id: Annotated[EntryId, UNTOLD]
    stage: Stage
    kind: str
    text: str
    problem: Annotated[str, UNTOLD]
    approach: Annotated[str, UNTOLD]
    cautions: tuple[str, ...]
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    confidence: float | None
    trust: str
    confirmed: str | None
    everywhere: bool
    cites: tuple[CheckedCitation, ...]
    rivals: tuple[Rival, ...]
    kept: str
    kept_ms: Annotated[int, UNTOLD]
    reused: int
    score: Annotated[float | None, UNTOLD] = None
    relevance: float | None = None


class Memories(NamedTuple):
    """What is remembered: the best that was found, and what to do with it, or the newest.

    `advice` is None where nothing was asked; `said` is the same in words.
    """

    advice: Advice | None
    said: str
    entries: tuple[EntryAnswer, ...]


_SAID: dict[Advice, str] = {
    "answer": "What is trusted here may be answered from; name its id.",
    "check": "Check the lines marked VERIFY before you rely on them.",
    "investigate": "Nothing here is to be relied on: investigate, then capture what holds.",
}


_NOTHING = "Nothing is known of it: investigate, then capture what holds."
_NOT_SURE = "None of these surely answers it: see whether one bears on it, else investigate."


def found(hits: Iterable[Hit]) -> Memories:
    """What was found of a question."""
    hits = tuple(hits)
    advised = advice(hits)
    said = _SAID[advised]
    if advised == "investigate" and any(hit.note.level is not None for hit in hits):
        said = _NOT_SURE
    elif not hits:
        said = _NOTHING
    return Memories(advised, said, tuple(map(_entry, hits)))


def listed(hits: Iterable[Hit]) -> Memories:
    """What is there, where nothing was asked."""
    return Memories(None, "", tuple(map(_entry, hits)))


def _entry(hit: Hit) -> EntryAnswer:
    note, ranked = hit.note, hit.ranked
    return filled(
        EntryAnswer,
        note,
        handle=handle(note.id),
        text=note.text or f"{note.problem}\n{note.approach}",
        confidence=note.level,
        confirmed=day(note.confirmed_ms) if note.confirmed_ms else None,
        everywhere=not note.here,
        kept=f"{day(note.kept_ms)} {note.kept_by}",
        reused=hit.entry.reused,
        score=round(ranked.match.score, 6) if ranked else None,
        # What is near by meaning alone shares no part of the words.
        relevance=ranked.relevance / 1_000_000 if ranked and ranked.match.score else None,
    )
