"""What a week brought: what was recalled, what was used, what was learnt."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import EntryFeedback
from learnt.core.totals import Happening
from learnt.flows.knowledge import chronicle
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import text_or_empty
from learnt.ports import Outside, Reader

WEEK_MS: Final = 7 * 86_400_000


class UsedMost(NamedTuple):
    """An entry that was put before agents, and in how many sessions."""

    entry: EntryId
    text: str
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """What seven days brought, in all projects.

    `known` prompts were about something that is remembered, `missed` about nothing. `words` counts
    what was said of entries, `decided` the gates' verdicts and the changes of stage.
    """

    since_ms: int
    until_ms: int
    known: int
    missed: int
    notes: int
    hints: int
    read: int
    used: tuple[UsedMost, ...]
    words: Mapping[str, int]
    decided: Mapping[str, int]


def week(outside: Outside, most: int = 3) -> Week:
    """The last seven days."""
    now = outside.clock.now_ms()
    span = range(now - WEEK_MS, now + 1)
    decided = chronicle.log(outside, span).counts

    def within(reader: Reader, kind: Kind) -> Iterator[Happening]:
        return (each for each in reader.happenings(kind) if each.wall_ms in span)

    with outside.ledger.reading() as reader:
        recalls = list(within(reader, Kind.RECALLED))
        told = (e for e in reader.events(kind=Kind.FEEDBACK) if e.wall_ms in span)
        of_entries = (e for e in told if e.subject.startswith(Entry.prefix))
        words = Counter(payload_of(EntryFeedback, event).result or "" for event in of_entries)
        used = Counter(each.subject for each in within(reader, Kind.REUSED)).most_common(most)
        names = [(EntryId(s.removeprefix(Entry.prefix)), count) for s, count in used]
        entries = [(entry, n) for name, n in names if (entry := entry_of(reader, name))]
        return Week(
            since_ms=span.start,
            until_ms=now,
            known=sum(each.mode == "hook" for each in recalls),
            missed=sum(each.mode == "hook" for each in within(reader, Kind.MISSED)),
            notes=sum(each.shown for each in recalls if each.mode != "explicit"),
            hints=sum(each.hinted for each in recalls),
            read=sum(each.mode == "read" for each in recalls),
            used=tuple(UsedMost(e.id, text_or_empty(reader, e.about), n) for e, n in entries),
            words={str(result): count for result, count in words.items()},
            decided=decided,
        )
