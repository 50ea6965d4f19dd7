"""Where entries stand today: confidence and trust of the validated, scores of candidates."""

from collections.abc import Iterable
from dataclasses import dataclass

from learnt.core.identifiers import ContentRef, ProjectId
from learnt.core.knowledge.admission import score
from learnt.core.knowledge.citations import Told, trusted
from learnt.core.knowledge.confidence import Belief
from learnt.core.knowledge.entries import Entry, Stage, from_state, level
from learnt.core.knowledge.standing import belief, day
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.flows.knowledge.citing import Checker, checker_at
from learnt.flows.sessions.locate import find, look
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """An entry with its texts and its standing today.

    `level` and `belief` are None for a candidate, `score` (what its witnesses add up to) for
    all others; `cites` are its citations as they were found now.
    """

    entry: Entry
    text: str
    entities: tuple[str, ...]
    level: float | None
    belief: Belief | None
    score: float | None
    cites: tuple[Told, ...] = ()

    @property
    def trust(self) -> str:
        """How far it can be trusted, in a word."""
        return trusted(self.level, self.cites)


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
    return sorted(found, key=lambda one: (one.level or 0.0, one.entry.id))


def validated(reader: Reader, seen: Iterable[ProjectId | None]) -> list[Entry]:
    """The validated entries of these scopes, the oldest first."""
    scopes = set(seen)
    held = (from_state(view.state) for view in reader.views("entry:"))
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
    return Fresh(
        entry=entry,
        text=solution if entry.text is None else text(entry.text),
        entities=tuple(map(text, entry.entities)),
        level=level(entry, now_ms, kinds.policies),
        belief=belief(entry.standing, entry.kind, day(now_ms)) if proved else None,
        score=None if proved else score(entry.standing.confirmations, now_ms),
        cites=checker.check(entry),
    )
