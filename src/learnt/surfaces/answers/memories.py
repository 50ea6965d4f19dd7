"""What is remembered, what became of offers, words on an entry, and how two notes stand."""

from collections.abc import Iterable
from typing import Annotated

from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Passage, Reject, Verdict
from learnt.core.knowledge.relating import SAID, RelateOutcome
from learnt.core.records import UNTOLD, Record
from learnt.flows.knowledge import feedback, relating
from learnt.flows.knowledge.capture import OfferOutcome
from learnt.flows.knowledge.relating import RelateEffect
from learnt.flows.knowledge.standing import Fresh, standing_of
from learnt.flows.recall.ask import Advice, Hit, advice
from learnt.formats.answers import filled
from learnt.formats.injection import Rival, day, one_line, outdated
from learnt.ports import Outside


class Gate(Record):
    """What one gate said of an offer: a reason's name, the same in words, and the entry."""

    gate: str
    verdict: str
    reason: str | None
    said: str
    entry: EntryId | None


class Near(Record):
    """A note near to an offer, to be related to it: its handle, and what it says."""

    id: str
    text: str


class Admission(Record):
    """What the gates made of an offer; where it is rejected, which one and why.

    `counted` is False where its witness said it before; `unsure` are notes that it may repeat or
    contradict: `relate` says which; `upward` is the kind of entry that this session's facts call
    for next.
    """

    id: EntryId
    verdict: Verdict
    gate: str | None
    reason: str | None
    stage: Stage
    counted: bool
    gates: tuple[Gate, ...]
    unsure: tuple[Near, ...]
    upward: str | None
    redacted: tuple[str, ...]


def admission(outcome: OfferOutcome) -> Admission:
    """What became of an offer, as an answer."""
    rejected = outcome.decision if isinstance(outcome.decision, Reject) else None
    return filled(
        Admission,
        outcome,
        outcome.ruling,
        id=outcome.entry,
        verdict=outcome.decision.verdict,
        gate=rejected and rejected.gate,
        reason=rejected and rejected.reason,
        gates=tuple(map(_gate, outcome.ruling.passages)),
        unsure=tuple(Near(handle(each.id), one_line(each.text)) for each in outcome.unsure),
        upward=outcome.upward or None,
    )


def _gate(passage: Passage) -> Gate:
    words = REASONS.get(passage.reason, passage.reason)
    if passage.gate == "alignment" and passage.verdict != "pass":
        words = f"it takes the place of what {passage.entry} said: {words}"
    return filled(Gate, passage, reason=passage.reason or None, said=words)


class Recorded(Fresh, kw_only=True):
    """An entry as it is now; `recorded` is False where that was said before: it counts once."""

    recorded: bool


def tell(outside: Outside, name: str, word: feedback.Word) -> Recorded:
    """Record a word on an entry; the entry as it is then. Raises what `feedback.tell` does."""
    entry, recorded = feedback.tell(outside, EntryId(name), word)
    return filled(Recorded, standing_of(outside, entry, word.folder), recorded=recorded)


def argue(outside: Outside, name: str, source: str, session: str, folder: str) -> Recorded:
    """Record what is quoted for a side of a dispute. Raises what `relating.argue` does."""
    entry, recorded = relating.argue(outside, EntryId(name), source, session)
    return filled(Recorded, standing_of(outside, entry, folder), recorded=recorded)


class RelatedNotes(Record):
    """What an answer on two notes did, and the command that takes it back, if it did anything."""

    outcome: RelateOutcome
    newer: EntryId
    older: EntryId
    said: str
    undo: str


class DoneInWords(Record):
    """What was done, or taken back, in words."""

    said: str


def related_notes(done: RelateEffect) -> RelatedNotes:
    """What an answer did, as an answer."""
    newer, older = handle(done.newer), handle(done.older)
    gone = f"[{handle(done.gone)}]" if done.gone else ""
    said = SAID[done.outcome].format(newer=f"[{newer}]", older=f"[{older}]", gone=gone)
    did = done.outcome is not RelateOutcome.KNOWN
    undo = f"learnt knowledge unrelate {newer} {older}" if did else ""
    return RelatedNotes(done.outcome, done.newer, done.older, said, undo)


class EntryAnswer(Record):
    """An entry as it was found, by its handle. A solution's text is its problem and its approach.

    A candidate has no confidence. `kept` says when and by whom. `score` and `relevance` (0 to 1)
    say how well it fits what was asked; None where nothing was. `rivals` are the entries with which
    it may not hold together. `outdated` names a skill that was made of it before it said this.
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
    outdated: str
    kept: str
    kept_ms: Annotated[int, UNTOLD]
    reused: int
    score: Annotated[float | None, UNTOLD] = None
    relevance: float | None = None


class Memories(Record):
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
        outdated=outdated(note),
        kept=f"{day(note.kept_ms)} {note.kept_by}",
        reused=hit.entry.reused,
        score=round(ranked.match.score, 6) if ranked else None,
        # What is near by meaning alone shares no part of the words.
        relevance=ranked.relevance / 1_000_000 if ranked and ranked.match.score else None,
    )
