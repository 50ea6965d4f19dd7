"""A session starts: the user's rules and a line a note are put before the agent, and recorded."""

import json
from bisect import bisect, bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge
from itertools import accumulate, chain, islice
from types import MappingProxyType
from typing import Any, Final
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from learnt.core.digest.commands import governs
from learnt.core.events import Kind, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.entries import LIVE, Entry, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.payloads.entry_events import Recalled
from learnt.core.recall.eligibility import (
    GROUPED,
    MOST_CHARACTERS,
    MOST_RULES,
    RECENT_MS,
    Listable,
    expected_use,
    faded,
    fill,
    injectable,
    is_rule,
)
from learnt.core.records import Row, member, text_of
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.flows.governance.outdated import left_behind, outdated
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.recall.offering import context_at, draws, session_at
from learnt.flows.recall.search import entry_of, held_back, held_note, note_of
from learnt.flows.sessions.observe import answered_key, arrival_of
from learnt.flows.stored import append, text_or_empty, texts_behind
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.formats.contents import (
    Contents,
    crowded,
    forges,
    render_contents,
    render_rules,
    rule_line,
)
from learnt.formats.injection import Note, line
from learnt.ports import Ledger, Outside, Reader

MANY: Final = 500  # touched subjects: to read all is quicker
_MEMBERS: Final = "stage kind scope actor origin remembered_ms reused masked cites".split()
Holds = Callable[[ProjectId | None], bool]  # whether what is of a project holds at a place
_Mark = tuple[int, EntryId]  # when an entry was kept or used last, and which it is


class Roster:
    """A ledger's live entries in groups that differ only in time, `rules` and `picked` apart."""

    def __init__(self) -> None:
        self._moment = tuple[int, ...]()
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
        for subject in wanted:
            if subject.startswith(Session.prefix):
                self._started |= {s: ms or 0 for s, ms in reader.columns(subject, "started_ms")}
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


_rosters: Final = WeakKeyDictionary[Ledger, Roster]()


def roster_of(outside: Outside, reader: Reader) -> Roster:
    """The roster of a ledger as the reader sees it."""
    roster = _rosters.setdefault(outside.ledger, Roster())
    roster.follow(reader)
    return roster


MOST_MORE_RULES: Final = 60
MOST_PICKED = MOST_OUTDATED = 5
MOST_LOOKED_AT: Final = 300  # notes: each takes a third of a millisecond
MOST_JUDGED, A_STEP = 10_000, 8  # notes: each takes a millisecond
HEADINGS: Final = 120  # bytes of the topics' names
BYTES: Final = 4  # of a token, as `tokens.estimate` counts


def show_contents(
    outside: Outside, observation: Observation, expired: Callable[[], bool]
) -> Answer:
    """The contents for the agent, and a notice of many rules. Breaks off once `expired`."""
    if not outside.contents_tokens:
        return NOTHING
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        checker = Checker(outside, reader, arrival.place)
        roster = roster_of(outside, reader)
        rules, picked = (newest(one, checker.holds_in) for one in (roster.rules, roster.picked))
        notes = roster.count(checker.holds_in)
        behind = [one for one in outdated(outside, reader) if checker.holds_in(one.scope)]
        session, newer = session_at(reader, arrival.subject), left_behind(behind)
        fit = partial(fit_to_show, outside, reader, session, newer=newer)
        most = min(BYTES * outside.contents_tokens, MOST_CHARACTERS)
        whole = [*islice(fit(rules), MOST_RULES + MOST_MORE_RULES)]
        whole.sort(key=lambda r: bool(outside.language.acts_in("\n".join((r.text, *r.entities)))))
        first, more = _of_rules(whole, most)
        doubted = [*islice(fit(picked), MOST_PICKED)]
        summaries = [one.summary for one in behind[:MOST_OUTDATED]]
        empty = Contents(first, more, (), notes, doubted, summaries)
        headings = HEADINGS if notes >= GROUPED else 0
        room = most - len(render_contents(empty, 0).encode()) - headings
        listed, words, complete = fill(
            fit(_likeliest(outside, checker)),
            lambda note, words: len(line(note, words).encode()) + 1,
            room,
        )
        left = 0 if complete else notes - len(listed)
        shown = [("", note) for note in listed]
        if notes >= GROUPED:  # the topics in the order of their first notes
            topics = dict.fromkeys(note.kind for note in listed)
            shown = [(topic, note) for topic in topics for note in listed if note.kind == topic]
        block = render_contents(replace(empty, notes=shown, left=left), words)
    if block:
        cut = [rule.id for rule in more if rule_line(rule)[1]]
        recalled = Recalled(
            mode="start",
            shown=tuple(rule.id for rule in (*first, *more) if rule.id not in cut),
            hinted=(*(note.id for note in listed), *(note.id for note in doubted), *cut),
            tokens=estimate(block),
        )
        with outside.ledger.writing() as writer:
            where = arrival.where(outside, writer)
            append(writer, arrival.subject, observation.actor, recalled, where=where)
    begun = observation.detail.get("source") == "startup"
    return Answer(block, crowded(len(rules)) if begun and block else "")


class OwnNotes(Row):
    """How many rules hold at a place, and the notes that agents are not shown for their text."""

    rules: int
    unseen: tuple[EntryId, ...]


def own_notes(outside: Outside, folder: str) -> OwnNotes:
    """What a person is told of the notes that a folder sees; the likeliest wanted are looked at."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        rules = newest(roster_of(outside, reader).rules, checker.holds_in)
        names = chain(rules, _likeliest(outside, checker))
        entries = (entry_of(reader, name) for name in islice(names, MOST_LOOKED_AT))
        unseen = tuple(
            entry.id
            for entry in entries
            if entry and injectable(entry)
            if held_back(outside, reader, entry) or forges(note_of(reader, entry))
        )
        return OwnNotes(len(rules), unseen)


def judged_ahead(home: Callable[[], Outside]) -> Iterator[None]:
    """Judge the notes that are likeliest wanted, a few a step: a prompt need not wait for it."""
    with home().ledger.reading() as reader:
        likeliest = roster_of(home(), reader).likeliest(lambda _: True, lambda _: False, 0)
        names = [*islice(likeliest, MOST_JUDGED)]
    for at in range(0, len(names), A_STEP):
        yield
        with home().ledger.reading() as reader:
            for entry in filter(None, (entry_of(reader, n) for n in names[at : at + A_STEP])):
                held_back(home(), reader, entry)


def _likeliest(outside: Outside, checker: Checker) -> Iterator[EntryId]:
    """The notes that hold at a place, the likeliest wanted first."""
    now, root, written_ms = outside.clock.now_ms(), checker.root, outside.cited_files.written_ms

    def touched(cites: str) -> bool:
        """Whether a file that an entry cites was written lately; `cites` is its citations' JSON."""
        refs = (ContentRef(text_of(member(cite, "path"))) for cite in json.loads(cites))
        paths = (text_or_empty(checker.reader, ref) for ref in refs if ref)
        written = (written_ms(root or "", path) for path in paths if path)
        return root is not None and any(ms and now - ms < RECENT_MS for ms in written)

    return roster_of(outside, checker.reader).likeliest(checker.holds_in, touched, now)


def _of_rules(rules: Sequence[Note], most: int) -> tuple[Sequence[Note], Sequence[Note]]:
    """The rules that stand whole, in half of the room at most, and those that have a line."""
    whole = [*accumulate(len(rule.text.encode()) for rule in rules[:MOST_RULES])]
    count = bisect(whole, most // 2)
    room = min(most // 2, 3 * most // 4 - max(whole[:count], default=0))
    lines = accumulate(len(rule_line(rule)[0].encode()) for rule in rules[count:])
    return rules[:count], rules[count:][: bisect([*lines], room)]


def fit_to_show(
    outside: Outside,
    reader: Reader,
    session: Session,
    names: Iterable[EntryId],
    newer: Mapping[EntryId, str] = MappingProxyType({}),
) -> Iterator[Note]:
    """The notes that a hook may show and no coin withholds; `newer` has outdated skills by note."""
    for name in names:
        entry = entry_of(reader, name)
        if entry is None or not injectable(entry):
            continue
        note = note_of(reader, entry, outside.clock.now_ms(), outside.kinds)
        if faded(entry, note.level) or held_note(outside, note):
            continue
        ((_, coin),) = draws(outside, reader, session, [entry])
        if coin.arm != "withheld" and not forges(note):
            yield replace(note, skill=newer.get(name, ""))


RULES_AT_ONCE: Final = 5  # before one command


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The rules for a command that this context was not shown. Breaks off once `expired`."""
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        session = context_at(outside, reader, arrival)
        checker = Checker(outside, reader, arrival.place)
        waiting = _waiting(outside, checker, session, command)
        notes = [*islice(fit_to_show(outside, reader, session, waiting), RULES_AT_ONCE)]
    if not notes:
        return ""
    block = render_rules([note.text for note in notes])
    recalled = Recalled(mode="act", shown=tuple(note.id for note in notes), tokens=estimate(block))
    once = answered_key(outside.ledger.key, observation, arrival.session)
    with outside.ledger.writing() as writer:
        where = arrival.where(outside, writer)
        new = append(writer, arrival.subject, observation.actor, recalled, where=where, key=once)
    return block if new else ""


def _waiting(
    outside: Outside, checker: Checker, session: Session, command: str
) -> Iterator[EntryId]:
    """The rules of a place that govern a command and are not in the context, the newest first."""
    reader, acts = checker.reader, outside.language.acts_in
    rules = newest(roster_of(outside, reader).rules, checker.holds_in)
    for entry in filter(None, (entry_of(reader, n) for n in rules if n not in session.rules)):
        text, about = text_or_empty(reader, entry.text), texts_behind(reader, entry.entities)
        if governs(text, acts(text), command) or governs("", acts("\n".join(about)), command):
            yield entry.id
