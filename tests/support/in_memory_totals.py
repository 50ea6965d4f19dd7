"""What a ledger in memory sums up."""

from collections.abc import Iterable, Sequence

from learnt.core.events import Actor, Event, Sight, sight_of
from learnt.core.identifiers import ContentRef, EventId
from learnt.core.knowledge.entries import Entry
from learnt.core.records import shared, strings, text_of
from learnt.core.totals import EntryTotals, Happening, PeopleTotals


def people(events: Iterable[Event]) -> list[PeopleTotals]:
    """Those by humans, together of which the same was seen."""
    sorts: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        if event.actor is Actor.HUMAN:
            sight = sight_of(event) or Sight()
            sorts.setdefault((sight.by, sight.odd), []).append(event)
    return [
        PeopleTotals(*sort, len(seen), seen[-1].id, seen[-1].stamp.ms)
        for sort, seen in sorted(sorts.items())
    ]


def totals(entries: Iterable[Entry]) -> list[EntryTotals]:
    """What those that are alike add up to."""
    alike: dict[object, list[Entry]] = {}
    for entry in entries:
        respects = (entry.stage, entry.scope, entry.topic, entry.live, entry.corrected > 0)
        alike.setdefault(respects, []).append(entry)
    return [_totals(entries) for entries in alike.values()]


def _totals(entries: Sequence[Entry]) -> EntryTotals:
    moments = [entry.remembered_ms for entry in entries]
    return EntryTotals(
        **shared(entries[0], "stage scope topic live"),
        corrected=entries[0].corrected > 0,
        entries=len(entries),
        reused=sum(entry.reused for entry in entries),
        masked=sum(entry.masked for entry in entries),
        first_ms=min(moments),
        last_ms=max(moments),
    )


def happening(event: Event) -> Happening:
    """An event in short."""
    prompt = text_of(event.payload.get("prompt"))
    return Happening(
        subject=event.subject,
        session=event.where.session or "",
        project=event.where.project,
        wall_ms=event.wall_ms,
        recall=EventId(text_of(event.payload.get("recall"))),
        prompt=ContentRef(prompt) if prompt else None,
        mode=text_of(event.payload.get("mode")),
        moment=text_of(event.payload.get("moment")),
        shown=len(strings(event.payload.get("shown"))),
        hinted=len(strings(event.payload.get("hinted"))),
    )
