"""Events as rows, and the views and small indexes that are folded from them."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, Final, TypeVar

from learnt.core import views
from learnt.core.events import Actor, Event, Kind, Origin, Stamp, Where, upcast
from learnt.core.identifiers import ContentRef, Subject
from learnt.core.projects import Project
from learnt.core.records import JsonObject, Row, canonical, decode
from learnt.core.sessions.sessions import payload_without, subject_without
from learnt.errors import LedgerDamaged

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
