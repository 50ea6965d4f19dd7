"""Where entries stand today: confidence and trust of the validated, scores of candidates."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.admission import score
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.standing import belief, day
from learnt.flows.knowledge.checking import Checker
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored
from learnt.formats.answers import APART, filled
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """An entry with its texts and its standing today; nothing is rounded.

    A candidate has a score, which its witnesses add up to, and no confidence; all others have a
    confidence alone. `cites` are its citations as they were found now. `file` and `line` are there
    for folder mode, which answers in the same shape.
    """

    entry: Entry = field(metadata=APART)
    id: EntryId
    stage: Stage
    kind: str
    text: str
    confidence: float | None
    trust: str
    confirmed: date | None = None
    alpha: float | None = None
    beta: float | None = None
    c0: float | None = None
    shock: float | None = None
    score: float | None
    entities: tuple[str, ...]
    cites: tuple[CheckedCitation, ...] = ()
    file: None = None
    line: None = None


def freshness(outside: Outside, folder: str) -> list[Fresh]:
    """The validated entries that a folder's project sees, least trusted first."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        entries = validated(reader, {None, *checker.scopes})
        standings = [_fresh(checker, entry, outside.clock.now_ms()) for entry in entries]
    return sorted(standings, key=lambda fresh: (fresh.confidence or 0.0, fresh.id))


def validated(reader: Reader, scopes: Iterable[ProjectId | None]) -> list[Entry]:
    """The validated entries of these scopes, the oldest first."""
    of = frozenset(scopes)
    entries = all_stored(reader, Entry)
    return [e for e in entries if e.stage is Stage.VALIDATED and e.live and e.scope in of]


def standing_of(outside: Outside, entry: Entry, folder: str = "") -> Fresh:
    """One entry with its standing today, its citations looked at from a folder."""
    place = look(outside, folder) if folder else None
    with outside.ledger.reading() as reader:
        return _fresh(Checker(outside, reader, place), entry, outside.clock.now_ms())


def _fresh(checker: Checker, entry: Entry, now_ms: int) -> Fresh:
    note, proved = checker.note(entry), entry.stage is Stage.VALIDATED
    return filled(
        Fresh,
        belief(entry.standing, entry.kind, day(now_ms)) if proved else None,
        entry,
        entry=entry,
        text=f"{note.problem}\n{note.approach}" if entry.text is None else note.text,
        entities=note.entities,
        confidence=note.level,
        trust=note.trust,
        score=None if proved else score(entry.standing.confirmations, now_ms),
        cites=note.cites,
    )
