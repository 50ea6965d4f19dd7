"""Where entries stand today: confidence and trust of the validated, scores of candidates."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.admission import score
from learnt.core.knowledge.citations import CheckedCitation, trusted
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.knowledge.standing import belief, day
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.flows.knowledge.citing import Checker, checker_at
from learnt.flows.sessions.locate import find, look
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
    with outside.ledger.reading() as reader:
        place = look(outside, folder)
        located = find(reader, place)
        seen = {None, *(located.household if located else ())}
        now = outside.clock.now_ms()
        checker = checker_at(outside, reader, place, located.household if located else ())
        found = [
            _fresh(reader, one, now, checker, outside.kinds) for one in validated(reader, seen)
        ]
    return sorted(found, key=lambda one: (one.confidence or 0.0, one.id))


def validated(reader: Reader, seen: Iterable[ProjectId | None]) -> list[Entry]:
    """The validated entries of these scopes, the oldest first."""
    scopes = set(seen)
    held = all_stored(reader, Entry)
    return [e for e in held if e.stage is Stage.VALIDATED and e.live and e.scope in scopes]


def standing_of(outside: Outside, entry: Entry, folder: str = "") -> Fresh:
    """One entry with its standing today, its citations looked at from a folder."""
    with outside.ledger.reading() as reader:
        place = look(outside, folder) if folder else None
        located = find(reader, place) if place else None
        scopes = located.household if located else ()
        checker = checker_at(outside, reader, place, scopes)
        return _fresh(reader, entry, outside.clock.now_ms(), checker, outside.kinds)


def _fresh(reader: Reader, entry: Entry, now_ms: int, checker: Checker, kinds: Vocabulary) -> Fresh:
    def text(ref: ContentRef | None) -> str:
        return (reader.text(ref) or "") if ref is not None else ""

    proved = entry.stage is Stage.VALIDATED
    solution = f"{text(entry.problem)}\n{text(entry.approach)}"
    confidence, cites = level(entry, now_ms, kinds.policies), checker.check(entry)
    return filled(
        Fresh,
        belief(entry.standing, entry.kind, day(now_ms)) if proved else None,
        entry,
        entry=entry,
        text=solution if entry.text is None else text(entry.text),
        entities=tuple(map(text, entry.entities)),
        confidence=confidence,
        trust=trusted(confidence, cites),
        score=None if proved else score(entry.standing.confirmations, now_ms),
        cites=cites,
    )
