"""Events as rows, the views that are folded from them, and what is kept as rows beside these."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from learnt.core import views
from learnt.core.events import Actor, Event, Kind, Origin, Stamp, Where, payload_of, upcast
from learnt.core.health.executions import OTHERS, Use, UseTotals, uses
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.identifiers import ContentRef, EntryId, ProjectId, Subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.session_events import EpisodeFeedback
from learnt.core.projects import Project
from learnt.core.records import JsonObject, Row, Unreadable, canonical, decode
from learnt.core.sessions.sessions import payload_without, subject_without
from learnt.core.totals import EntryTotals
from learnt.errors import LedgerDamaged
from learnt.stores.sqlite_search import mark as of_scope

T = TypeVar("T")
COLUMNS: Final = (
    "id, ms, counter, home, wall, subject, kind, version, actor, origin, project, place, "
    "agent, session, subagent, epoch, episode, nkey, payload"
)
SNAPSHOT_EVERY: Final = 64
_STAMP: Final = attrgetter("ms", "counter", "home")
_WHERE: Final = Where.__struct_fields__  # in the order of the columns
_ATTRIBUTES: Final = attrgetter(
    "id", "stamp.ms", "stamp.counter", "stamp.home", "wall_ms", "subject", "kind", "version",
    "actor", "origin", *(f"where.{name}" for name in _WHERE), "natural_key",
)  # fmt: skip
IN_ORDER: Final = "ORDER BY ms, counter, home"


class View(Row):
    """A view as its row: the stamp of its last event, how many they are, the state as JSON."""

    subject: Subject
    ms: int
    counter: int
    home: str
    events: int
    state: str

    @property
    def value(self) -> JsonObject:
        return _object(self.state)


def to_row(event: Event) -> tuple[object, ...]:
    """An event as its columns."""
    return (*_ATTRIBUTES(event), canonical(event.payload))


def from_row(row: tuple[Any, ...]) -> Event:
    """The event of these columns, its payload brought to today. Raises LedgerDamaged."""
    identifier, ms, counter, home, wall, subject, kind, version, actor, origin = row[:10]
    *where, natural_key, payload = row[10:]
    try:
        return Event(
            id=identifier,
            stamp=Stamp(ms, counter, home),
            wall_ms=wall,
            subject=subject,
            kind=Kind(kind),
            version=version,
            actor=Actor(actor),
            origin=None if origin is None else Origin(origin),
            where=Where(**dict(zip(_WHERE, where, strict=True))),
            natural_key=natural_key,
            payload=upcast(Kind(kind), version, json.loads(payload)),
        )
    except ValueError as error:
        raise _damaged(identifier, error) from error


def _damaged(identifier: str, error: ValueError) -> LedgerDamaged:
    return LedgerDamaged(
        f"Event {identifier} is no event that Learnt writes ({error}). It was left as it is; "
        "`learnt doctor --set-aside` moves the ledger out of the way."
    )


def select(
    connection: sqlite3.Connection, conditions: str, parameters: Sequence[object] = ()
) -> Iterator[Event]:
    """The events that the end of a query picks."""
    return map(
        from_row, connection.execute(f"SELECT {COLUMNS} FROM events {conditions}", parameters)
    )


def state_of(connection: sqlite3.Connection, subject: Subject) -> JsonObject | None:
    """A subject's stored state."""
    row = connection.execute("SELECT state FROM views WHERE subject = ?", (subject,)).fetchone()
    return None if row is None else _object(row[0])


def text_of(connection: sqlite3.Connection, ref: ContentRef) -> str | None:
    """The text behind a reference, or None once it was erased."""
    row = connection.execute("SELECT text FROM contents WHERE ref = ?", (ref,)).fetchone()
    return None if row is None else row[0]


def _object(text: str) -> JsonObject:
    value = json.loads(text)
    assert isinstance(value, dict)
    return value


def fold_in(connection: sqlite3.Connection, event: Event) -> JsonObject | None:
    """Fold a new event into its subject's view; one that lands in the past refolds the subject."""
    subject, stamp = event.subject, _STAMP(event.stamp)
    base = connection.execute("SELECT * FROM views WHERE subject = ?", (subject,)).fetchone()
    events = [event]
    if base is not None and base[1:4] >= stamp:
        connection.execute(
            "DELETE FROM snapshots WHERE subject = ? AND (ms, counter, home) >= (?, ?, ?)",
            (subject, *stamp),
        )
        base = connection.execute(
            "SELECT * FROM snapshots WHERE subject = ? "
            "ORDER BY ms DESC, counter DESC, home DESC LIMIT 1",
            (subject,),
        ).fetchone()
        after = (-1, -1, "") if base is None else base[1:4]
        later = f"WHERE subject = ? AND (ms, counter, home) > (?, ?, ?) {IN_ORDER}"
        events = list(select(connection, later, (subject, *after)))
    state, count = (None, 0) if base is None else (_object(base[5]), base[4])
    for later_event in events:
        state, count = views.step(state, later_event), count + 1
        if state is None:
            continue
        row = View(subject, *_STAMP(later_event.stamp), count, canonical(state))
        connection.execute("INSERT OR REPLACE INTO views VALUES (?, ?, ?, ?, ?, ?)", row)
        if count % SNAPSHOT_EVERY == 0:
            connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", row)
    return state


def without_sessions(connection: sqlite3.Connection, hashed: Mapping[str, str]) -> list[Event]:
    """All events of subjects that lose a session's name, folded again. Raises LedgerDamaged."""
    changed, touched = [], dict[str, None]()
    rows = connection.execute("SELECT seq, id, subject, session, payload FROM events")
    for seq, identifier, subject, session, payload in rows:
        new = subject_without(subject, hashed)
        try:
            kept = canonical(payload_without(json.loads(payload), hashed))
        except ValueError as error:
            raise _damaged(identifier, error) from error
        row = (new, hashed.get(session, session), kept)
        if row != (subject, session, payload):
            changed.append((*row, seq))
            touched |= dict.fromkeys((subject, new))
    connection.executemany(
        "UPDATE events SET subject = ?, session = ?, payload = ? WHERE seq = ?", changed
    )
    events = list[Event]()
    for subject in map(Subject, touched):
        for table in ("views", "snapshots"):
            connection.execute(f"DELETE FROM {table} WHERE subject = ?", (subject,))
        connection.execute("DELETE FROM executions WHERE session = ?", (subject,))
        events += (own := list(select(connection, f"WHERE subject = ? {IN_ORDER}", (subject,))))
        for event in own:
            fold_in(connection, event)
    return events


def refolded(connection: sqlite3.Connection) -> Iterator[View]:
    """Every view as its events give it from nothing."""
    events = select(connection, "ORDER BY subject, ms, counter, home")
    for subject, group in groupby(events, key=lambda event: event.subject):
        state, count, last = None, 0, Stamp(0, 0, "")
        for event in group:
            state, count, last = views.step(state, event), count + 1, event.stamp
        if state is not None:
            yield View(subject, *_STAMP(last), count, canonical(state))


def differing(connection: sqlite3.Connection, new: Collection[View]) -> list[str]:
    """What is stored otherwise than the events give it: views, snapshots, projects' aliases."""
    stored = starmap(View, connection.execute("SELECT * FROM views"))
    aliases = {(alias, p.id) for p in of_kind(Project, "project:", new) for alias in aliases_of(p)}
    same = aliases == set(connection.execute("SELECT alias, project FROM aliases"))
    return [
        *sorted({view.subject for view in set(stored) ^ set(new)}),
        *(
            f"snapshot:{kept[0]}"
            for kept in connection.execute("SELECT * FROM snapshots").fetchall()
            if _until(connection, kept[:4]) != kept[4:]
        ),
        *([] if same else ["aliases"]),
    ]


def _until(connection: sqlite3.Connection, moment: tuple[str, int, int, str]) -> tuple[int, str]:
    """How many events a subject had until a moment, and its state then."""
    until = f"WHERE subject = ? AND (ms, counter, home) <= (?, ?, ?) {IN_ORDER}"
    events = list(select(connection, until, moment))
    return len(events), canonical(views.fold(events))


def of_kind(record: type[T], prefix: str, new: Iterable[View]) -> Iterator[T]:
    """The records of those views whose subject begins so."""
    return (decode(record, view.value) for view in new if view.subject.startswith(prefix))


def replace_all(connection: sqlite3.Connection) -> Sequence[View]:
    """Replace every view by its fold from nothing, and give them."""
    new = list(refolded(connection))
    connection.execute("DELETE FROM views")
    connection.execute("DELETE FROM snapshots")
    connection.executemany("INSERT INTO views VALUES (?, ?, ?, ?, ?, ?)", new)
    return new


def aliases_of(project: Project) -> set[str]:
    """The keys under which a project is found: its paths and stores, and a mark if it is a copy."""
    marks = {"same"} if project.same_as else set()
    return {*project.paths, *project.stores, *marks}


def index_project(connection: sqlite3.Connection, project: Project) -> None:
    """Bring the aliases of a project up to date."""
    connection.execute("DELETE FROM aliases WHERE project = ?", (project.id,))
    connection.executemany(
        "INSERT INTO aliases VALUES (?, ?)",
        [(alias, project.id) for alias in sorted(aliases_of(project))],
    )


_ENTRY_COLUMNS: Final = attrgetter(
    "id", "stage", "scope", "topic", "live", "corrected", "reused", "remembered_ms", "masked"
)


def keep_entries(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Bring the rows of entries up to date."""
    connection.executemany(
        "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        map(_ENTRY_COLUMNS, entries),
    )


_USE_COLUMNS: Final = ", ".join(Use.__struct_fields__)
# As the index over them says it, so that SQLite sees that it fits.
_OF_EPISODES: Final = "kind IN ('episode_closed', 'feedback')"


def derive(connection: sqlite3.Connection, event: Event) -> None:
    """Bring the executions of the episode that an event is about up to what its events say."""
    if not event.subject.startswith("session:"):
        return  # a word on an entry is feedback as well
    name = event.where.episode
    about, names = "episode = ?", [name]
    if not (event.where.session and name):
        # Without a name the episode is its closing event.
        name = event.id
        if event.kind is Kind.FEEDBACK:
            name = payload_of(EpisodeFeedback, event).episode
        about, names = "episode IS NULL AND (id = ? OR payload ->> '$.episode' = ?)", [name, name]
    found = select(
        connection,
        f"WHERE subject = ? AND {about} AND {_OF_EPISODES} {IN_ORDER}",
        (event.subject, *names),
    )
    connection.execute(
        "DELETE FROM executions WHERE session = ? AND episode = ?", (event.subject, name)
    )
    _insert(connection, uses(found))


def _insert(connection: sqlite3.Connection, rows: list[Use]) -> None:
    marks = ",".join("?" * len(Use.__struct_fields__))
    connection.executemany(f"INSERT INTO executions ({_USE_COLUMNS}) VALUES ({marks})", rows)


def derive_all(connection: sqlite3.Connection) -> None:
    """Replace the table by what all events say."""
    connection.execute("DELETE FROM executions")
    _insert(connection, _anew(connection))


def _anew(connection: sqlite3.Connection) -> list[Use]:
    of_sessions = f"WHERE {_OF_EPISODES} AND subject >= 'session:' AND subject < 'session;'"
    return uses(select(connection, f"{of_sessions} {IN_ORDER}"))


_TROUBLES: Final = {str(trouble): trouble for trouble in Trouble}
_CAUSES: Final = {str(cause): cause for cause in Cause}


NEWEST: Final = 64  # of the entries with a mark, so many are looked at
Text = Callable[[ContentRef], str | None]


class Marked(Row):
    """A row: an entry has a mark, and holds in a scope."""

    mark: str
    scope: str
    entry: EntryId


def marks_of(entry: Entry, text: Text) -> set[Marked]:
    """The rows of an entry: what a solution's problem and signs name, and what a fact is about."""
    if not entry.live:
        return set()
    from learnt.core.recall.marks import of_name, of_signs  # a prompt needs none of it

    signs = entry.signs or filter(None, (entry.problem,))
    cited = (ref for cite in entry.cites for ref in cite.refs)
    names = filter(None, map(text, (*entry.entities, *cited)))
    marks = of_signs(text(ref) or "" for ref in signs) | set(map(of_name, names))
    return {Marked(mark, of_scope(entry.scope), entry.id) for mark in marks}


def keep_marks(connection: sqlite3.Connection, entry: Entry, text: Text) -> None:
    """Bring the rows of an entry up to date."""
    connection.execute("DELETE FROM marks WHERE entry = ?", (entry.id,))
    connection.executemany("INSERT INTO marks VALUES (?, ?, ?)", sorted(marks_of(entry, text)))


class RowsReader:
    """The part of a reader that looks into these rows."""

    _connection: sqlite3.Connection

    def entry_totals(self) -> Sequence[EntryTotals]:
        counted = "(SELECT count(*) FROM entries)"
        stored = "SELECT count(*) FROM views WHERE subject >= 'entry:' AND subject < 'entry;'"
        if self._connection.execute(f"SELECT {counted} != ({stored})").fetchone()[0]:
            raise Unreadable("a stored entry that is not counted")
        rows = self._connection.execute(
            "SELECT stage, scope, topic, live, corrected > 0, count(*), sum(reused), "
            "min(remembered_ms), max(remembered_ms), sum(masked) FROM entries "
            "GROUP BY 1, 2, 3, 4, 5"
        )
        alike = starmap(EntryTotals, rows)
        return [replace(of, live=bool(of.live), corrected=bool(of.corrected)) for of in alike]

    def uses(self, skill: ContentRef | None = None, newest: int | None = None) -> Iterator[Use]:
        if skill is None:
            names = self._connection.execute("SELECT DISTINCT skill FROM executions ORDER BY skill")
            for (name,) in names.fetchall():
                yield from self.uses(name, newest)
            return
        rows = self._connection.execute(
            f"SELECT {_USE_COLUMNS} FROM executions WHERE skill = ? "
            "ORDER BY wall_ms DESC, event DESC LIMIT ?",
            (skill, -1 if newest is None else newest),
        )
        for *names, launched, trouble, cause, grade, took, tokens, imported in reversed(
            rows.fetchall()
        ):
            ended = _TROUBLES[trouble], _CAUSES[cause], grade, took, tokens, bool(imported)
            yield Use(*(*names, bool(launched), *ended))

    def use_totals(self) -> list[UseTotals]:
        marks = ", ".join("?" * len(OTHERS))
        rows = self._connection.execute(
            "SELECT skill, count(*), count(own), ifnull(sum(own), 0), sum(imported), "
            "sum(trouble != ?), sum(cause = ?), sum(cause = ?) FROM ("
            f"SELECT *, CASE WHEN cause NOT IN ({marks}) THEN grade END AS own "
            "FROM executions) GROUP BY skill ORDER BY skill",
            (str(Trouble.NONE), *sorted(OTHERS), *sorted(OTHERS)),
        )
        return list(starmap(UseTotals, rows))

    def marked(
        self, marks: Collection[str], scopes: Sequence[ProjectId]
    ) -> dict[str, list[EntryId]]:
        here = [of_scope(scope) for scope in (None, *scopes)]
        query = (
            f"SELECT entry FROM marks WHERE mark = ? AND scope IN ({','.join('?' * len(here))}) "
            f"ORDER BY entry DESC LIMIT {NEWEST}"
        )
        rows = {mark: self._connection.execute(query, (mark, *here)).fetchall() for mark in marks}
        return {
            mark: [EntryId(entry) for (entry,) in found] for mark, found in rows.items() if found
        }

    def differing_rows(self, entries: Sequence[Entry], text: Text) -> list[str]:
        """The entries and executions whose rows are not as the events say."""
        held = set(self._connection.execute("SELECT * FROM entries"))
        found = {f"counted:{row[0]}" for row in held ^ set(map(_ENTRY_COLUMNS, entries))}
        expected = {row for entry in entries for row in marks_of(entry, text)}
        rows = self._connection.execute("SELECT mark, scope, entry FROM marks")
        found |= {f"marks:{row.entry}" for row in set(starmap(Marked, rows)) ^ expected}
        same = Counter(_anew(self._connection)) == Counter(self.uses())
        return [*sorted(found), *([] if same else ["executions"])]
