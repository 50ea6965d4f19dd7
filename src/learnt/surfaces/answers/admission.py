"""What became of an offer: the answer of `remember`, `knowledge capture` and the tool `propose`."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Decision, Merge, Passage, Reject
from learnt.flows.knowledge.offers import OfferOutcome
from learnt.formats.answers import filled
from learnt.formats.injection import one_line

Verdict = Literal["admit", "merge", "correct", "reject"]
_VERDICTS: Final[Mapping[type[Decision], Verdict]] = {
    Admit: "admit", Merge: "merge", Correct: "correct", Reject: "reject"
}  # fmt: skip


def verdict_of(decision: Decision) -> Verdict:
    """What the gates decided, in the word that every answer has for it."""
    return _VERDICTS[type(decision)]


class Gate(NamedTuple):
    """What one gate said of an offer: a reason's name, the same in words, and of which entry."""

    gate: str
    verdict: str
    reason: str | None
    said: str
    entry: EntryId | None


class Near(NamedTuple):
    """A note near to an offer, to be related to it: its handle, and what it says."""

    id: str
    text: str


class Admission(NamedTuple):
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
        verdict=verdict_of(outcome.decision),
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
