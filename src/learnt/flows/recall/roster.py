"""What a session's start and a command go by of a ledger's entries: a hook waits for both.

To read ten thousand takes a tenth of a second. So what was read is kept, and only what an event
touched since is read once more.
"""

from bisect import bisect, bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from heapq import merge
from itertools import chain
from typing import Any, Final
from weakref import ref

from msgspec.structs import replace

from learnt.core.events import Kind, Origin
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.entries import LIVE, Entry, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.recall.contents import Listable, expected_use, is_rule
from learnt.core.sessions.sessions import Session
from learnt.ports import Ledger, Outside, Reader

MANY: Final = 500  # touched subjects: to read all is quicker
_MEMBERS: Final = "stage kind scope actor origin remembered_ms reused masked cites".split()
Holds = Callable[[ProjectId | None], bool]  # whether what is of a project holds at a place
_Mark = tuple[int, EntryId]  # when an entry was kept or used last, and which it is


class Roster:
    """A ledger's live entries in groups that differ only in time, `rules` and `picked` apart."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self._moment = ref(ledger), tuple[int, ...]()
        self.rules: dict[EntryId, ProjectId | None] = {}
        self.picked: dict[EntryId, ProjectId | None] = {}
        self._groups: dict[tuple[ProjectId | None, str, Listable], list[_Mark]] = {}
        self._marks: dict[EntryId, tuple[list[_Mark], _Mark]] = {}
        self._started: dict[str, int] = {}
        self._used: dict[str, int] = {}

    def follow(self, reader: Reader) -> None:
        """Read what was touched since the last look."""
        moment, wanted = reader.moment(), [Entry.prefix, Session.prefix]
        if self._moment and len(touched := reader.touched(self._moment, frozenset(Kind))) < MANY:
            wanted = [*touched]
        last = max(self._used.values(), default=0)
        uses = [*reader.events(kind=Kind.REUSED, newest=MANY, since_ms=last)]
        self._used |= {event.subject: event.wall_ms for event in reversed(uses)}
        read = (reader.columns(w, *_MEMBERS) for w in wanted if w.startswith(Entry.prefix))
        rows = [*chain.from_iterable(read)]
        for each in wanted:
            if each.startswith(Session.prefix):
                self._started |= {s: ms or 0 for s, ms in reader.columns(each, "started_ms")}
        for row in rows:
            self._add(*row)
        self._moment = moment

    def _add(self, subject: str, stage: str, kind: str, *more: Any) -> None:
        scope, actor, origin, kept, reused, masked, cites = more
        name = EntryId(subject.removeprefix(Entry.prefix))
        self.rules.pop(name, None)
        self.picked.pop(name, None)
        if name in self._marks:
            marks, mark = self._marks.pop(name)
            del marks[bisect_left(marks, mark)]
        if stage not in LIVE or masked:
            return
        if is_rule(kind, stage, actor, origin):
            self.rules[name] = scope
        elif kind != RULE:
            alike = scope, cites or "", Listable(actor or "", stage, reused=reused or 0)
            marks = self._groups.setdefault(alike, [])
            mark = max(kept or 0, self._used.get(subject, 0)), name
            insort(marks, mark)
            self._marks[name] = marks, mark
        elif stage == Stage.VALIDATED and origin == Origin.USER:
            self.picked[name] = scope

    def count(self, holds: Holds) -> int:
        """How many entries that are no rules hold at a place."""
        return sum(len(marks) for (scope, *_), marks in self._groups.items() if holds(scope))

    def likeliest(
        self, holds: Holds, touched: Callable[[str], bool], now_ms: int
    ) -> Iterator[EntryId]:
        """Those entries, the likeliest first: of each group the newest, the rest on demand."""
        started = sorted(self._started.values())

        def uses(alike: Listable, marks: list[_Mark]) -> Iterator[tuple[float, _Mark]]:
            for mark in reversed(marks):
                since = len(started) - bisect(started, mark[0])
                yield expected_use(replace(alike, last_ms=mark[0], sessions=since), now_ms), mark

        groups = (
            uses(replace(alike, touched=bool(cites) and touched(cites)), marks)
            for (scope, cites, alike), marks in self._groups.items()
            if marks and holds(scope)
        )
        return (name for _, (_, name) in merge(*groups, reverse=True))


def newest(rules: Mapping[EntryId, ProjectId | None], holds: Holds) -> list[EntryId]:
    """Those of some rules that hold at a place, the newest first."""
    return sorted((name for name, scope in rules.items() if holds(scope)), reverse=True)


_roster: Roster | None = None


def roster_of(outside: Outside, reader: Reader) -> Roster:
    """The roster of a ledger as the reader sees it."""
    global _roster  # the last one that was asked for
    if _roster is None or _roster.ledger() is not outside.ledger:
        _roster = Roster(outside.ledger)
    _roster.follow(reader)
    return _roster
