"""What a ledger's entries are to a session's start and to a command: a hook waits for both.

To read every entry takes a tenth of a second where they are ten thousand. So what was read is kept,
and only those that an event touched since are read once more.
"""

from bisect import bisect, bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from heapq import merge
from typing import Any, Final
from weakref import ref

from learnt.core.events import Kind, Origin
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.entries import LIVE, Entry, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.recall.contents import Listable, expected_use, is_rule
from learnt.core.sessions.sessions import Session
from learnt.ports import Ledger, Outside, Reader

MANY: Final = 500  # touched subjects: to read all is quicker
_MEMBERS: Final = (
    "stage", "kind", "scope", "actor", "origin", "remembered_ms", "reused", "masked", "cites",
)  # fmt: skip
# Whose they are, what they cite, and all else that the order goes by but when they were kept.
_Alike = tuple[ProjectId | None, str | None, Listable]
Holds = Callable[[ProjectId | None], bool]  # whether what is of a project holds at a place
_Mark = tuple[int, EntryId]  # when an entry was kept, and which it is


class Roster:
    """A ledger's live entries, those together that differ only in when they were kept.

    `rules` are by their ids of which project they are, `picked` those that an agent picked.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ref(ledger)
        self.rules: dict[EntryId, ProjectId | None] = {}
        self.picked: dict[EntryId, ProjectId | None] = {}
        self._moment: tuple[int, ...] = ()
        self._groups: dict[_Alike, list[_Mark]] = {}
        self._marks: dict[EntryId, tuple[list[_Mark], _Mark]] = {}
        self._started: dict[str, int] = {}

    def follow(self, reader: Reader) -> bool:
        """Read what was touched since the last look; False where that is too much."""
        moment = reader.moment()
        touched = reader.touched(self._moment, frozenset(Kind)) if self._moment else ()
        if len(touched) > MANY:
            return False
        wanted = [*touched] if self._moment else [Entry.prefix, Session.prefix]
        rows = [
            row
            for each in wanted
            if each.startswith(Entry.prefix)
            for row in reader.columns(each, *_MEMBERS)
        ]
        for each in wanted:
            if each.startswith(Session.prefix):
                self._started |= {s: ms or 0 for s, ms in reader.columns(each, "started_ms")}
        for row in rows:
            self._put(*row)
        self._moment = moment
        return True

    def _put(self, subject: str, stage: str, kind: str, *more: Any) -> None:
        scope, actor, origin, kept, reused, masked, cites = more
        name = EntryId(subject.removeprefix(Entry.prefix))
        self.rules.pop(name, None)
        self.picked.pop(name, None)
        if name in self._marks:
            marks, mark = self._marks.pop(name)
            del marks[bisect_left(marks, mark)]
        if stage not in LIVE or masked:
            return
        if kind == RULE:
            if is_rule(kind, stage, actor, origin):
                self.rules[name] = scope
            elif stage == Stage.VALIDATED and origin == Origin.USER:
                self.picked[name] = scope
            return
        alike = scope, cites, Listable("", actor or "", stage, reused=reused or 0)
        marks, mark = self._groups.setdefault(alike, []), (kept or 0, name)
        insort(marks, mark)
        self._marks[name] = marks, mark

    def count(self, holds: Holds) -> int:
        """How many notes hold at a place, which is no rule among them."""
        return sum(len(marks) for (scope, *_), marks in self._groups.items() if holds(scope))

    def likeliest(
        self, holds: Holds, touched: Callable[[str], bool], now_ms: int
    ) -> Iterator[EntryId]:
        """The notes that hold at a place, the likeliest wanted first; `touched` is asked of cites.

        Of those alike the newest is the likeliest: only the first of each group are looked at.
        """
        started = sorted(self._started.values())

        def uses(alike: Listable, marks: list[_Mark]) -> Iterator[tuple[float, _Mark]]:
            for mark in reversed(marks):
                since = len(started) - bisect(started, mark[0])
                row = alike._replace(kept_ms=mark[0], sessions=since)
                yield expected_use(row, now_ms), mark

        groups = (
            uses(alike._replace(touched=bool(cites) and touched(cites or "")), marks)
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
    roster = _roster
    if roster is None or roster.ledger() is not outside.ledger or not roster.follow(reader):
        roster = Roster(outside.ledger)
        roster.follow(reader)
    _roster = roster
    return roster
