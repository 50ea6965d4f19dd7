"""What the ledger says of how far its knowledge has come."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.maturity import LOOKED_AT, Record
from learnt.core.knowledge.placement import Layer
from learnt.core.knowledge.standing import day
from learnt.core.payloads.entry_events import Gated
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.knowledge.checking import Checker
from learnt.ports import Reader

_LOOKED_BACK = 10 * LOOKED_AT  # events of all projects, for those of this one


def record(reader: Reader, checker: Checker, seen: Sequence[Entry], now_ms: int) -> Record:
    """What has happened of late to the entries that a place sees.

    A cited table that is no longer what it was is a change of structure, of today until what is
    known of it was put right.
    """

    def newest(kind: Kind) -> Iterable[Event]:
        for event in reader.events(kind=kind, newest=_LOOKED_BACK):
            if event.where.project is None or event.where.project in checker.scopes:
                yield event

    verdicts = [payload_of(Gated, event).verdict for event in newest(Kind.GATED)]
    recalls = ((e.wall_ms, payload_of(Recalled, e)) for e in newest(Kind.RECALLED))
    prompts = [(ms, True) for ms, recall in recalls if recall.mode == "hook"]
    prompts += [(e.wall_ms, False) for e in newest(Kind.MISSED)]
    added = [verdict == "merge" for verdict in verdicts if verdict != "reject"]
    structure = [e.remembered_ms for e in seen if e.topic == Layer.STRUCTURE and e.corrected]
    if any(_cites_a_changed_table(entry, checker) for entry in seen):
        structure.append(now_ms)
    topics: dict[str, int] = {}
    for entry in seen:
        if entry.topic:
            topics[entry.topic] = min(topics.get(entry.topic, now_ms), entry.remembered_ms)
    return Record(
        validated=sum(entry.stage is Stage.VALIDATED for entry in seen),
        decisions=[verdict or "" for verdict in verdicts[:LOOKED_AT]],
        known=[bore for _, bore in sorted(prompts, reverse=True)[:LOOKED_AT]],
        renewals=added[:LOOKED_AT],
        days_since_structure_changed=_days(structure, now_ms),
        days_since_a_new_topic=_days(topics.values(), now_ms),
    )


def _cites_a_changed_table(entry: Entry, checker: Checker) -> bool:
    if entry.stage is not Stage.VALIDATED or not any(cite.table for cite in entry.cites):
        return False
    tables = replace(entry, cites=tuple(cite for cite in entry.cites if cite.table))
    return any(citation.stale for citation in checker.check(tables))


def _days(moments: Iterable[int], now_ms: int) -> int | None:
    latest = max(moments, default=None)
    return None if latest is None else max(0, (day(now_ms) - day(latest)).days)
