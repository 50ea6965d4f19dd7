"""Where knowledge stands today: each entry, and how far all has come."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated

from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.admission import score
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry, Stage, belief, day
from learnt.core.knowledge.topics import LOOKED_AT, GrowthHistory, Layer
from learnt.core.payloads.entry_events import Gated, Missed, Recalled
from learnt.core.records import APART, UNTOLD, Record, decode
from learnt.core.totals import EntryTotals
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.stored import all_stored
from learnt.formats.answers import filled
from learnt.formats.injection import Rival
from learnt.ports import Outside, Reader

_LOOKED_BACK = 10 * LOOKED_AT  # events of all projects, for those of this one


class Fresh(Record, kw_only=True):
    """An entry with its texts and its standing today; nothing is rounded.

    A candidate has a score, which its witnesses add up to, and no confidence; all others have a
    confidence alone. `cites` are its citations as they were found now, `rivals` what it is in
    dispute with. `file` and `line` are there
    for folder mode, which answers in the same shape.
    """

    entry: Annotated[Entry, APART]
    id: EntryId
    stage: Stage
    kind: str
    text: str
    confidence: float | None
    trust: str
    confirmed: date | None = None
    alpha: Annotated[float | None, UNTOLD] = None
    beta: Annotated[float | None, UNTOLD] = None
    c0: Annotated[float | None, UNTOLD] = None
    shock: Annotated[float | None, UNTOLD] = None
    score: float | None
    entities: tuple[str, ...]
    cites: tuple[CheckedCitation, ...] = ()
    rivals: tuple[Rival, ...] = ()
    file: Annotated[None, UNTOLD] = None
    line: Annotated[None, UNTOLD] = None


def freshness(outside: Outside, folder: str) -> list[Fresh]:
    """The validated entries that a folder's project sees, least trusted first."""
    with checking(outside, folder) as checker:
        entries = validated(checker.reader, {None, *checker.scopes})
        standings = [_fresh(checker, entry, outside.clock.now_ms()) for entry in entries]
    levels = list(Trust)  # which drift and disputes lower
    return sorted(
        standings, key=lambda f: (-levels.index(Trust(f.trust)), f.confidence or 0.0, f.id)
    )


def validated(reader: Reader, scopes: Iterable[ProjectId | None]) -> list[Entry]:
    """The validated entries of these scopes, the oldest first."""
    of = frozenset(scopes)
    entries = all_stored(reader, Entry)
    return [e for e in entries if e.stage is Stage.VALIDATED and e.live and e.scope in of]


def standing_of(outside: Outside, entry: Entry, folder: str = "") -> Fresh:
    """One entry with its standing today, its citations looked at from a folder."""
    with checking(outside, folder or None) as checker:
        return _fresh(checker, entry, outside.clock.now_ms())


def _fresh(checker: Checker, entry: Entry, now_ms: int) -> Fresh:
    note, proved = checker.note(entry), entry.stage is Stage.VALIDATED
    return filled(
        Fresh,
        belief(entry.standing, entry.kind, day(now_ms)) if proved else None,
        note,
        entry=entry,
        text=f"{note.problem}\n{note.approach}" if entry.text is None else note.text,
        confidence=note.level,
        score=None if proved else score(entry.standing.confirmations, now_ms),
    )


def record(
    reader: Reader, checker: Checker, seen: Sequence[EntryTotals], now_ms: int
) -> GrowthHistory:
    """What has happened of late to the live entries that a place sees, as they add up."""

    def newest(kind: Kind) -> Iterable[Event]:
        for event in reader.events(kind=kind, newest=_LOOKED_BACK):
            if event.where.project is None or event.where.project in checker.scopes:
                yield event

    verdicts = [payload_of(Gated, event).verdict for event in newest(Kind.GATED)]
    missed = [e for e in newest(Kind.MISSED) if payload_of(Missed, e).mode == "hook"]
    prompts = [(e.wall_ms, False) for e in missed]
    # At a prompt that was missed something may have been found, which was not given.
    of_missed = {(e.where.session, payload_of(Missed, e).prompt) for e in missed}
    recalls = ((e, payload_of(Recalled, e)) for e in newest(Kind.RECALLED))
    prompts += [
        (e.wall_ms, True)
        for e, recall in recalls
        if recall.mode == "hook" and (e.where.session, recall.prompt) not in of_missed
    ]
    added = [verdict == "merge" for verdict in verdicts if verdict != "reject"]
    structure = [e.last_ms for e in seen if e.topic == Layer.STRUCTURE and e.corrected]
    # A cited table that changed is a change of structure, until what is known was corrected.
    citing = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"table"'))
    if any(_cites_a_changed_table(entry, checker) for entry in citing):
        structure.append(now_ms)
    topics: dict[str, int] = {}
    for alike in seen:
        if alike.topic:
            topics[alike.topic] = min(topics.get(alike.topic, now_ms), alike.first_ms)
    return GrowthHistory(
        validated=sum(alike.entries for alike in seen if alike.stage == Stage.VALIDATED),
        decisions=[verdict or "" for verdict in verdicts[:LOOKED_AT]],
        known=[bore for _, bore in sorted(prompts, reverse=True)[:LOOKED_AT]],
        renewals=added[:LOOKED_AT],
        days_since_structure_changed=_days(structure, now_ms),
        days_since_a_new_topic=_days(topics.values(), now_ms),
    )


def _cites_a_changed_table(entry: Entry, checker: Checker) -> bool:
    if entry.stage is not Stage.VALIDATED or not (entry.live and checker.sees(entry)):
        return False
    tables = replace(entry, cites=tuple(cite for cite in entry.cites if cite.table))
    return any(citation.stale for citation in checker.check(tables))


def _days(moments: Iterable[int], now_ms: int) -> int | None:
    latest = max(moments, default=None)
    return None if latest is None else max(0, (day(now_ms) - day(latest)).days)
