"""Looking through all that is known, by what it is and how far it can be trusted.

Nothing is recorded. Entries are told apart in short, by columns of their views: there may be very
many; those that are shown are read whole.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import starmap
from typing import Final
from weakref import ReferenceType, ref

from learnt.core.events import Actor, Kind, Origin
from learnt.core.identifiers import EntryId, ProjectId, Subject, entry_subject
from learnt.core.knowledge.citations import trusted
from learnt.core.knowledge.confidence import confidence
from learnt.core.knowledge.entries import PICKED, THOUSAND, Entry, Stage, Standing, belief, day
from learnt.core.knowledge.kinds import Policy, policy
from learnt.core.records import Record, Row
from learnt.flows.knowledge.checking import checking
from learnt.flows.recall.ask import Hit, nearest
from learnt.flows.recall.meaning import meant_question
from learnt.flows.recall.search import entry_of
from learnt.ports import Ledger, Outside, Reader

MOST_FOUND: Final = 200  # entries nearest to what was asked, which are filtered then


class _Row(Row):
    """The columns of an entry's view that are read; None stands for the default."""

    subject: Subject
    stage: str
    kind: str
    topic: str | None
    scope: ProjectId | None
    text: str | None
    problem: str | None
    origin: str
    actor: str
    doubt: str | None
    disputes: str | None
    confirmed_ms: int | None
    c0: int | None
    alpha: int | None
    beta: int | None
    shocks: str | None


_MEMBERS: Final = (
    *_Row.__struct_fields__[1:11],
    *(f"standing.{name}" for name in _Row.__struct_fields__[11:]),
)


# The events after which an entry is another.
_CHANGES: Final = frozenset({
    Kind.GATED, Kind.REMEMBERED, Kind.FEEDBACK, Kind.STAGED, Kind.PURGED,
})  # fmt: skip


class Filters(Record):
    """What is looked for; an empty field does not matter. `everywhere`: in all projects."""

    words: str = ""
    kind: str = ""
    trust: str = ""
    stage: str = ""
    topic: str = ""
    disputed: bool = False
    everywhere: bool = False

    def fits(self, head: "Head") -> bool:
        """Whether an entry is what is looked for, whatever its words.

        >>> plain = Head(EntryId("e-1"), "validated", "schema", "", None, "TRUST", False)
        >>> Filters(kind="schema").fits(plain), Filters(disputed=True).fits(plain)
        (True, False)
        """
        names = ("kind", "trust", "stage", "topic")
        named = (getattr(self, name) in {"", getattr(head, name)} for name in names)
        return all(named) and (head.disputed or not self.disputed)


class Head(Record):
    """A live entry in short. `trust` does not know yet what became of what it cites."""

    id: EntryId
    stage: str
    kind: str
    topic: str
    scope: ProjectId | None
    trust: str
    disputed: bool


class Known(Record):
    """The entries that fit, nearest or newest first; `counts` and `all` are of those that live."""

    heads: tuple[Head, ...]
    counts: Mapping[str, Mapping[str, int]]
    all: int


def known(outside: Outside, folder: str, asked: Filters) -> Known:
    """What a folder's project knows, or all projects, of what is asked for."""
    words = asked.words.strip()
    meant = meant_question(outside, words) if words else None
    with checking(outside, folder) as checker:
        reader = checker.reader
        scopes = checker.scopes
        if asked.everywhere:
            scopes = tuple(
                ProjectId(row[0].partition(":")[2]) for row in reader.columns("project:")
            )
        seen = {None, *scopes}
        heads = {head.id: head for head in _all_heads(outside, reader) if head.scope in seen}
        order = sorted(heads, reverse=True)  # ids begin with the time they were made at
        if words:
            found = nearest(outside, reader, words, meant, scopes, MOST_FOUND)
            order = [ranked.entry.id for ranked in found if ranked.entry.id in heads]
    return Known(
        heads=tuple(heads[name] for name in order if asked.fits(heads[name])),
        counts={
            name: Counter(filter(None, (getattr(head, name) for head in heads.values())))
            for name in ("kind", "trust", "stage", "topic")
        }
        | {"disputed": {"yes": sum(head.disputed for head in heads.values())}},
        all=len(heads),
    )


class _Held(Record):
    """All heads of a ledger, as they were on a day at a moment."""

    ledger: ReferenceType[Ledger]
    day: date
    moment: tuple[int, ...]
    heads: tuple[Head, ...]


_held: _Held | None = None


def _all_heads(outside: Outside, reader: Reader) -> tuple[Head, ...]:
    """All heads: read again only where an entry changed, since there may be very many."""
    global _held  # the last ones that somebody looked at
    held, today = _held, day(outside.clock.now_ms())
    same = held and held.ledger() is outside.ledger and held.day == today
    if held and same and not reader.touched(held.moment, _CHANGES):
        heads = held.heads
    else:
        heads = tuple(_heads(outside, reader))
    _held = _Held(ref(outside.ledger), today, reader.moment(), heads)
    return heads


def _heads(outside: Outside, reader: Reader) -> Iterator[Head]:
    alive = {Stage.CANDIDATE, Stage.VALIDATED}
    rows = starmap(_Row, reader.columns(Entry.prefix, *_MEMBERS))
    live = {r.subject: r for r in rows if r.stage in alive and (r.text or r.problem)}
    today, rates = day(outside.clock.now_ms()), outside.kinds.policies

    def disputed(row: _Row) -> bool:
        for name in json.loads(row.disputes or "[]"):
            other = live.get(entry_subject(name))
            said = other and (other.stage == Stage.VALIDATED or other.origin == Origin.USER)
            if other and said and _name(row) in (other.disputes or ""):
                return True
        return False

    for row in live.values():
        level, doubted = None, bool(row.disputes) and disputed(row)
        if row.stage == Stage.VALIDATED:
            level = _level(policy(row.kind, rates), today, *row[-5:])
        marked = row.stage == Stage.CANDIDATE and row.actor == Actor.HUMAN
        trust = trusted(level, (), doubted=doubted or row.doubt == PICKED, marked=marked)
        yield Head(_name(row), row.stage, row.kind, row.topic or "", row.scope, trust, doubted)


def _name(row: _Row) -> EntryId:
    return EntryId(row.subject.removeprefix(Entry.prefix))


@lru_cache(maxsize=1 << 15)  # most entries stand as they did when they were looked at before
def _level(
    rate: Policy,
    today: date,
    confirmed_ms: int | None,
    c0: int | None,
    alpha: int | None,
    beta: int | None,
    shocks: str | None,
) -> float:
    standing = Standing(
        confirmed_ms=confirmed_ms or 0,
        c0=THOUSAND if c0 is None else c0,
        alpha=alpha or 0,
        beta=beta or 0,
        shocks=tuple((at, weight) for at, weight in json.loads(shocks or "[]")),
    )
    return confidence(belief(standing, "", today), today, kinds={"": rate})


def shown(outside: Outside, folder: str, names: Iterable[EntryId]) -> list[Hit]:
    """These entries whole, what they cite looked at from a folder."""
    with checking(outside, folder) as checker:
        entries = filter(None, (entry_of(checker.reader, name) for name in names))
        return [Hit(note=checker.note(entry), entry=entry) for entry in entries]
