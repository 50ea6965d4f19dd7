"""What became of an answer on two notes: `knowledge relate` and the tool `relate`; and batches."""

from typing import NamedTuple

from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.relating import SAID, RelateOutcome
from learnt.flows.knowledge.relating import RelateDone
from learnt.flows.knowledge.tidying import TidyPair
from learnt.formats.injection import one_line


class RelatedNotes(NamedTuple):
    """What an answer on two notes did, and the command that takes it back, if it did anything."""

    outcome: RelateOutcome
    newer: EntryId
    older: EntryId
    said: str
    undo: str


class PairToRelate(NamedTuple):
    """Two notes to be related, by handle and text; `suspected`: same or contradicts, or empty."""

    new: str
    old: str
    new_text: str
    old_text: str
    suspected: str


class PairsToRelate(NamedTuple):
    """The next pairs of notes that nobody has related."""

    pairs: tuple[PairToRelate, ...]


class AnswerTakenBack(NamedTuple):
    """What was taken back, in words."""

    said: str


def related_notes(done: RelateDone) -> RelatedNotes:
    """What an answer did, as an answer."""
    newer, older = handle(done.newer), handle(done.older)
    gone = f"[{handle(done.gone)}]" if done.gone else ""
    said = SAID[done.outcome].format(newer=f"[{newer}]", older=f"[{older}]", gone=gone)
    did = done.outcome is not RelateOutcome.KNOWN
    undo = f"learnt knowledge unrelate {newer} {older}" if did else ""
    return RelatedNotes(done.outcome, done.newer, done.older, said, undo)


def to_relate(pairs: list[TidyPair]) -> PairsToRelate:
    """A batch, as an answer."""
    return PairsToRelate(tuple(map(_pair, pairs)))


def _pair(pair: TidyPair) -> PairToRelate:
    new, old = pair.newer, pair.older
    texts = one_line(new.said), one_line(old.said)
    return PairToRelate(handle(new.id), handle(old.id), *texts, pair.suspected or "")
