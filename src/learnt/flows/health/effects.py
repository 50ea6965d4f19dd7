"""What showing an entry changes: the sessions that a coin decided on, and how they came out."""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.health.bets import masked
from learnt.core.health.effects import Effect, Tally, Unit, effect, hurts
from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.recall_events import EntryDecided
from learnt.core.payloads.session_events import SessionLinked
from learnt.core.records import decode
from learnt.core.sessions.sessions import lineage
from learnt.errors import NotFound, Refused
from learnt.flows.health.report import closed_episodes
from learnt.flows.knowledge.feedback import live
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import append, legible
from learnt.ports import Outside, Reader

UNIT_MS = 48 * 3_600_000  # then it is fixed what a unit came to: an episode may last a day


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """An entry's units, by its text as it is; `open` are those that last still."""

    entry: Entry
    about: str
    tally: Tally
    open: int

    @property
    def effect(self) -> Effect:
        """What is known of its effect."""
        return effect(self.tally)


def measured(outside: Outside, named: str = "") -> list[Measured]:
    """The live entries that have units, most units first, or the one that is named.

    Raises NotFound where there is no such entry.
    """
    with outside.ledger.reading() as reader:
        every = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"units":'))
        entries = [live(reader, EntryId(named))] if named else [one for one in every if one.live]
        record = _Record(reader) if any(entry.units for entry in entries) else None
        found = [_measured(reader, entry, record, outside.clock.now_ms()) for entry in entries]
    return sorted(found, key=lambda one: (-one.entry.units, one.entry.id))


def _measured(reader: Reader, entry: Entry, record: "_Record | None", now_ms: int) -> Measured:
    about = legible(reader, entry.about)
    if record is None:
        return Measured(entry=entry, about=about, tally={}, open=0)
    units: dict[str, tuple[Event, EntryDecided]] = {}
    for event in reader.events(subject=entry_subject(entry.id), kind=Kind.DECIDED):
        draw = payload_of(EntryDecided, event)
        if draw.action == "drawn" and draw.version == entry.version:
            # A fork drew for itself where nobody knew yet what it goes on from.
            units.setdefault(record.begin_of(event.where.session or ""), (event, draw))
    first_ms = min((event.wall_ms for event, _ in units.values()), default=0)
    over = {name: unit for name, unit in units.items() if unit[0].wall_ms + UNIT_MS <= now_ms}
    tally = Counter(
        Unit(
            shown=draw.arm == "shown",
            propensity=draw.propensity / MILLION,
            success=record.success(name, event.wall_ms),
            baseline=record.baseline(event.where.project, first_ms),
        )
        for name, (event, draw) in over.items()
    )
    return Measured(entry=entry, about=about, tally=tally, open=len(units) - len(over))


class _Record:
    """How all episodes came out, by the session that each goes back to, and by project."""

    def __init__(self, reader: Reader) -> None:
        links = reader.events(kind=Kind.SESSION_LINKED)
        self._other = {e.where.session: payload_of(SessionLinked, e).other for e in links}
        own = [episode for episode in closed_episodes(reader) if not episode.imported]
        own.sort(key=attrgetter("wall_ms"))
        self._sessions: defaultdict[str, list[Episode]] = defaultdict(list)
        projects: defaultdict[ProjectId | None, list[Episode]] = defaultdict(list)
        for episode in own:
            self._sessions[self.begin_of(episode.session)].append(episode)
            projects[episode.project].append(episode)
        self._projects = {
            name: ([e.wall_ms for e in closed], list(accumulate(map(_untroubled, closed))))
            for name, closed in projects.items()
        }

    def begin_of(self, session: str) -> str:
        """The session that a session goes back to."""
        return lineage(session, lambda name: self._other.get(name, ""))[-1]

    def success(self, session: str, since_ms: int) -> float | None:
        """The part of a unit's episodes without trouble, of those in which anything was seen."""
        until_ms = since_ms + UNIT_MS
        episodes = [e for e in self._sessions[session] if since_ms < e.wall_ms <= until_ms]
        seen = [e for e in episodes if e.outcome.graded or not _untroubled(e)]
        return sum(map(_untroubled, seen)) / len(seen) if seen else None

    def baseline(self, project: ProjectId | None, before_ms: int) -> float:
        """The part of a project's episodes without trouble, before a moment; even at first."""
        times, untroubled = self._projects.get(project, ([], []))
        count = bisect_left(times, before_ms)
        return ((untroubled[count - 1] if count else 0) + 1) / (count + 2)


def _untroubled(episode: Episode) -> bool:
    return episode.outcome.trouble is Trouble.NONE


def mask(outside: Outside) -> list[EntryId]:
    """Mask the entries that hurt, a tenth of them wrongly at most; those that were not before."""
    every = measured(outside)
    evidence = {one.entry.id: hurts(one.tally) for one in every}
    found = {name: evidence[name] for name in masked(evidence)}
    hurting = [one.entry for one in every if one.entry.id in found]
    return [entry.id for entry in hurting if _mask(outside, entry, found[entry.id])]


def _mask(outside: Outside, seen: Entry, evidence: float) -> bool:
    thousandths = round(1_000 * min(evidence, 1e9))
    payload = EntryDecided(action="masked", version=seen.version, evidence=thousandths)
    with outside.ledger.writing() as writer:
        now = entry_of(writer, seen.id)
        if now is None or not now.live or now.masked or now.version != seen.version:
            return False
        append(writer, entry_subject(seen.id), Actor.LEARNT, payload)
        return True


def unmask(outside: Outside, named: str, actor: Actor) -> None:
    """A person wants a masked entry shown again. Raises Refused or NotFound."""
    if actor is not Actor.HUMAN:
        raise Refused(
            f"Only a person at a terminal brings {named} back: `learnt health effect {named} "
            "--unmask`. Nothing was changed."
        )
    with outside.ledger.writing() as writer:
        entry = live(writer, EntryId(named))
        if not entry.masked:
            raise NotFound(f"{named} is not masked. Nothing was changed.")
        payload = EntryDecided(action="unmasked", version=entry.version)
        append(writer, entry_subject(entry.id), actor, payload)
