"""What showing an entry changes: the sessions that a coin decided on, and how they came out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.health.effects import Effect, Tally, Unit, effect, effect_of_uses, hurts, masked
from learnt.core.health.effects import units as units_of
from learnt.core.health.executions import Episode, episode_of
from learnt.core.health.outcomes import MILLION, TaskKind, Trouble, stored
from learnt.core.identifiers import EntryId, ProjectId, entry_subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import EntryDecided
from learnt.core.payloads.session_events import SessionLinked
from learnt.core.records import Record, decode
from learnt.core.sessions.sessions import lineage
from learnt.core.skills.history import SkillHistory
from learnt.errors import NotFound, Refused
from learnt.flows.health.report import episodes_of
from learnt.flows.health.trial import OpenTrial, every_trial, look
from learnt.flows.knowledge.feedback import live
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import append, legible
from learnt.ports import Outside, Reader

UNIT_MS = 48 * 3_600_000  # then it is fixed what a unit came to: an episode may last a day
LOOKED_AT = 500  # episodes before an item's first unit, for what is to be expected


class MeasuredEntry(Record):
    """An entry's units by kind of task, by its text as it is; `open` are those that last still."""

    entry: Entry
    about: str
    kinds: Mapping[TaskKind, Tally]
    open: int

    @property
    def tally(self) -> Tally:
        """All its units."""
        return added(self.kinds.values())

    @property
    def effect(self) -> Effect:
        """What is known of its effect."""
        return effect(self.tally)


def added(tallies: Iterable[Tally]) -> Tally:
    """The units of several together."""
    return sum(map(Counter, tallies), Counter())


def by_task(every: Sequence[MeasuredEntry]) -> dict[TaskKind, Effect]:
    """The effect of showing any of some entries, by kind of task."""
    tallies = {kind: added(one.kinds.get(kind, {}) for one in every) for kind in TaskKind}
    return {kind: effect(tally) for kind, tally in tallies.items() if tally}


def measured(outside: Outside, named: str = "") -> list[MeasuredEntry]:
    """The live entries with units, most first, or the one named. Raises NotFound."""
    with outside.ledger.reading() as reader:
        every = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"units":'))
        entries = [live(reader, EntryId(named))] if named else [one for one in every if one.live]
        record = _Record(reader) if any(entry.units for entry in entries) else None
        found = [_measured(reader, entry, record, outside.clock.now_ms()) for entry in entries]
    return sorted(found, key=lambda one: (-one.entry.units, one.entry.id))


def most_measured(outside: Outside, start: int, most: int) -> tuple[list[MeasuredEntry], int]:
    """The `most` entries from place `start` on, most units first; and how many have units."""
    with outside.ledger.reading() as reader:
        rows = reader.columns(Entry.prefix, "units", "stage")
        alive = {Stage.CANDIDATE, Stage.VALIDATED}
        counted = [(-n, name) for name, n, stage in rows if n and stage in alive]
        part = [name for _, name in sorted(counted)[start : start + most]]
        ids = (EntryId(name.removeprefix(Entry.prefix)) for name in part)
        entries = list(filter(None, (entry_of(reader, name) for name in ids)))
        record = _Record(reader) if entries else None
        now = outside.clock.now_ms()
        return [_measured(reader, each, record, now) for each in entries], len(counted)


def _measured(reader: Reader, entry: Entry, record: "_Record | None", now_ms: int) -> MeasuredEntry:
    about = legible(reader, entry.about)
    if record is None:
        return MeasuredEntry(entry=entry, about=about, kinds={}, open=0)
    units: dict[str, tuple[Event, EntryDecided]] = {}
    for event in reader.events(subject=entry_subject(entry.id), kind=Kind.DECIDED):
        draw = payload_of(EntryDecided, event)
        if draw.action == "drawn" and draw.version == entry.version:
            # A fork drew for itself where nobody knew yet what it goes on from.
            units.setdefault(record.begin_of(event.where.session or ""), (event, draw))
    first_ms = min((event.stamp.ms for event, _ in units.values()), default=0)
    over = {name: unit for name, unit in units.items() if unit[0].wall_ms + UNIT_MS <= now_ms}
    kinds: defaultdict[TaskKind, Counter[Unit]] = defaultdict(Counter)
    for name, (event, draw) in over.items():
        lived = record.episodes(name, event.wall_ms)
        unit = Unit(
            shown=draw.arm == "shown",
            propensity=draw.propensity / MILLION,
            success=_success(lived),
            baseline=record.baseline(event.where.project, first_ms),
        )
        kinds[_task(lived)][unit] += 1
    return MeasuredEntry(entry=entry, about=about, kinds=kinds, open=len(units) - len(over))


class _Record:
    """How episodes came out, by project and by the session that each goes back to."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        links = reader.events(kind=Kind.SESSION_LINKED)
        self._other = {e.where.session or "": payload_of(SessionLinked, e).other for e in links}
        self._later: defaultdict[str, set[str]] = defaultdict(set)
        for name in self._other:
            self._later[self.begin_of(name)].add(name)
        self._read: dict[str, list[Episode]] = {}
        self._before: dict[int, list[Episode]] = {}

    def begin_of(self, session: str) -> str:
        """The session that a session goes back to."""
        return lineage(session, lambda name: self._other.get(name, ""))[-1]

    def episodes(self, root: str, since_ms: int) -> list[Episode]:
        """Those of a unit: of the session and of those that go back to it, for so long."""
        if root not in self._read:
            names = {root, *self._later[root]}
            self._read[root] = [each for name in names for each in episodes_of(self._reader, name)]
        until_ms = since_ms + UNIT_MS
        return [each for each in self._read[root] if since_ms < each.wall_ms <= until_ms]

    def baseline(self, project: ProjectId | None, before_ms: int) -> float:
        """The part of a project's episodes without trouble, before a moment; even at first."""
        if before_ms not in self._before:
            kind = Kind.EPISODE_CLOSED
            found = self._reader.events(kind=kind, newest=LOOKED_AT, before_ms=before_ms)
            self._before[before_ms] = [one for one in map(episode_of, found) if not one.imported]
        own = [_untroubled(one) for one in self._before[before_ms] if one.project == project]
        return (sum(own) + 1) / (len(own) + 2)


def _success(lived: Sequence[Episode]) -> float | None:
    """The part of a unit's episodes without trouble, of those in which anything was seen."""
    seen = [each for each in lived if each.outcome.graded or not _untroubled(each)]
    return sum(map(_untroubled, seen)) / len(seen) if seen else None


def _task(lived: Sequence[Episode]) -> TaskKind:
    """What most of a unit's episodes were, of those that tell."""
    told = Counter(kind for each in lived if (kind := stored(each.task)) is not TaskKind.OTHER)
    return told.most_common(1)[0][0] if told else TaskKind.OTHER


def _untroubled(episode: Episode) -> bool:
    return episode.outcome.trouble is Trouble.NONE


class MeasuredSkill(Record):
    """What the latest text in a trial adds to a skill's success, by the uses that the coin drew.

    `verdict` is the trial's, empty while it goes on; `uncounted` uses have an unknown text.
    """

    skill: str
    version: str
    verdict: str
    uncounted: int
    effect: Effect


def measured_skills(outside: Outside) -> list[MeasuredSkill]:
    """The skills that had a trial, most uses first: each by its latest."""
    with outside.ledger.reading() as reader:
        latest = {trial.subject: trial for trial in every_trial(reader)}
        found = [_of_trial(reader, trial) for trial in latest.values()]
    return sorted(found, key=lambda one: (-one.effect.units, one.skill))


def _of_trial(reader: Reader, trial: OpenTrial) -> MeasuredSkill:
    _, seen, said = look(reader, trial)
    uses, own = [unit for unit, _ in units_of(seen.uses, trial.success)], trial.evaluation
    return MeasuredSkill(
        skill=legible(reader, trial.history.name),
        version=next((v.number for v in trial.history.versions if v.digest == own.digest), ""),
        verdict=own.verdict or "",
        uncounted=sum(seen.uncounted.values()),
        effect=replace(
            effect_of_uses(uses),
            ruling=said.ruling,
            helps=said.better,
            hurts=said.worse,
            graded_less=said.graded_less,
            more=said.more,
        ),
    )


class Unmeasured(Record):
    """What has no measured effect, and why.

    `share` is the part of notes that the coin may withhold: 0 where effects are off. Of validated
    notes `warning` are never withheld since they warn, and of `waiting` no session met the coin
    yet. `untried` are skills that no trial has compared with an earlier text.
    """

    share: float
    warning: int
    waiting: int
    untried: int


def unmeasured(outside: Outside) -> Unmeasured:
    """What has no units, by why that is so."""
    with outside.ledger.reading() as reader:
        rows = reader.columns(Entry.prefix, "stage", "units", "cautions")
        notes = Counter(
            bool(cautions) for _, stage, n, cautions in rows if stage == Stage.VALIDATED and not n
        )
        skills = [decode(SkillHistory, view.state) for view in reader.views(SkillHistory.prefix)]
    accepted = [one for one in skills if any("-" in version.cause for version in one.versions)]
    tried = [one for one in accepted if any(e.method == "trial" for e in one.evaluations)]
    untried = len(accepted) - len(tried)
    return Unmeasured(outside.share, notes[True], notes[False], untried)


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
        how = f"`learnt health effect {named} --unmask`. Nothing was changed."
        raise Refused(f"Only a person at a terminal brings {named} back: {how}")
    with outside.ledger.writing() as writer:
        entry = live(writer, EntryId(named))
        if not entry.masked:
            raise NotFound(f"{named} is not masked. Nothing was changed.")
        payload = EntryDecided(action="unmasked", version=entry.version)
        append(writer, entry_subject(entry.id), actor, payload)
