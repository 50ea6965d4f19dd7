"""Events as rows, and the views and small indexes that are folded from them."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import groupby
from typing import Any, Final

from learnt.core import views
from learnt.core.events import Actor, Event, Kind, Origin, Stamp, Where, upcast
from learnt.core.identifiers import Subject
from learnt.core.json_values import JsonObject, canonical
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.records import decode
from learnt.errors import LedgerDamaged

COLUMNS: Final = (
    "id, ms, counter, home, wall, subject, kind, version, actor, origin, project, place, "
    "agent, session, subagent, epoch, episode, nkey, payload"
)
SNAPSHOT_EVERY: Final = 64
_WHERE: Final = tuple(part.name for part in fields(Where))  # in the order of the columns
IN_ORDER: Final = "ORDER BY ms, counter, home"


def to_row(event: Event) -> tuple[object, ...]:
    """An event as its columns."""
    return (
        event.id,
        event.stamp.ms,
        event.stamp.counter,
        event.stamp.home,
        event.wall_ms,
        event.subject,
        event.kind,
        event.version,
        event.actor,
        event.origin,
        *(getattr(event.where, name) for name in _WHERE),
        event.natural_key,
        canonical(event.payload),
    )


def from_row(row: tuple[Any, ...]) -> Event:
    """The event that the columns hold, its payload brought to today's version."""
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
        raise LedgerDamaged(
            f"Event {identifier} is no event that Learnt writes ({error}). It was left as it is; "
            "`learnt doctor --set-aside` moves the ledger out of the way."
        ) from error


def state_of(connection: sqlite3.Connection, subject: Subject) -> JsonObject | None:
    """A subject's stored state."""
    row = connection.execute("SELECT state FROM views WHERE subject = ?", (subject,)).fetchone()
    return None if row is None else _object(row[0])


def _object(text: str) -> JsonObject:
    value = json.loads(text)
    assert isinstance(value, dict)
    return value


def fold_in(connection: sqlite3.Connection, event: Event) -> JsonObject | None:
    """Fold a new event into its subject's view; one that lands in the past refolds the subject."""
    row = connection.execute(
        "SELECT ms, counter, home, events, state FROM views WHERE subject = ?", (event.subject,)
    ).fetchone()
    if row is None:
        state, count = views.step(None, event), 1
    elif Stamp(*row[:3]) < event.stamp:
        state, count = views.step(_object(row[4]), event), row[3] + 1
    else:
        return _refold(connection, event)
    _store(connection, event.subject, event.stamp, count, state)
    return state


def _refold(connection: sqlite3.Connection, event: Event) -> JsonObject | None:
    """The subject's view from its last snapshot before the event, all later events folded again."""
    stamp = (event.stamp.ms, event.stamp.counter, event.stamp.home)
    connection.execute(
        "DELETE FROM snapshots WHERE subject = ? AND (ms, counter, home) >= (?, ?, ?)",
        (event.subject, *stamp),
    )
    base = connection.execute(
        "SELECT ms, counter, home, events, state FROM snapshots WHERE subject = ? "
        "ORDER BY ms DESC, counter DESC, home DESC LIMIT 1",
        (event.subject,),
    ).fetchone()
    after = (-1, -1, "") if base is None else base[:3]
    later = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE subject = ? AND (ms, counter, home) > (?, ?, ?) "
        f"{IN_ORDER}",
        (event.subject, *after),
    )
    state, count = (None, 0) if base is None else (_object(base[4]), base[3])
    for row in later.fetchall():
        folded = from_row(row)
        state, count = views.step(state, folded), count + 1
        _store(connection, event.subject, folded.stamp, count, state)
    return state


def _store(
    connection: sqlite3.Connection,
    subject: Subject,
    stamp: Stamp,
    count: int,
    state: JsonObject | None,
) -> None:
    if state is None:
        return
    row = (subject, stamp.ms, stamp.counter, stamp.home, count, canonical(state))
    connection.execute("INSERT OR REPLACE INTO views VALUES (?, ?, ?, ?, ?, ?)", row)
    if count % SNAPSHOT_EVERY == 0:
        connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", row)


def folded_anew(connection: sqlite3.Connection) -> Iterator[tuple[Subject, Stamp, int, str]]:
    """Every view as its events give it from nothing: subject, last stamp, events, state."""
    rows = connection.execute(f"SELECT {COLUMNS} FROM events ORDER BY subject, ms, counter, home")
    for subject, group in groupby(map(from_row, rows), key=lambda event: event.subject):
        state, count, last = None, 0, Stamp(0, 0, "")
        for event in group:
            state, count, last = views.step(state, event), count + 1, event.stamp
        if state is not None:
            yield subject, last, count, canonical(state)


def differing_views(connection: sqlite3.Connection) -> list[str]:
    """The subjects whose stored view is not, byte for byte, what their events give."""
    stored = connection.execute(
        "SELECT subject, ms, counter, home, events, state FROM views ORDER BY subject"
    )
    anew = folded_anew(connection)
    different: list[str] = []
    have, want = next(stored, None), next(anew, None)
    while have is not None or want is not None:
        if want is None or (have is not None and have[0] < want[0]):
            assert have is not None
            different.append(str(have[0]))
            have = next(stored, None)
        elif have is None or want[0] < have[0]:
            different.append(want[0])
            want = next(anew, None)
        else:
            subject, stamp, count, state = want
            if (stamp.ms, stamp.counter, stamp.home, count, state) != tuple(have[1:]):
                different.append(subject)
            have, want = next(stored, None), next(anew, None)
    return different


def entries_anew(connection: sqlite3.Connection) -> Iterator[Entry]:
    """Every entry as its events give it from nothing."""
    for subject, _, _, state in folded_anew(connection):
        if subject.startswith("entry:"):
            yield decode(Entry, _object(state))


def differing_snapshots(connection: sqlite3.Connection) -> list[str]:
    """The snapshots that are not what their subject's events give up to there."""
    kept = connection.execute("SELECT subject, ms, counter, home, events, state FROM snapshots")
    return [
        f"snapshot:{row[0]}" for row in kept.fetchall() if _until(connection, row[:4]) != row[4:]
    ]


def _until(connection: sqlite3.Connection, place: tuple[str, int, int, str]) -> tuple[int, str]:
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE subject = ? AND (ms, counter, home) <= (?, ?, ?) "
        f"{IN_ORDER}",
        place,
    )
    found = [from_row(row) for row in rows.fetchall()]
    return len(found), canonical(views.fold(found))


def differing_aliases(connection: sqlite3.Connection) -> list[str]:
    """Whether projects would be found by other names than their events give."""
    expected = {
        (alias, project.id)
        for subject, _, _, state in folded_anew(connection)
        if subject.startswith("project:")
        for project in [decode(Project, _object(state))]
        for alias in aliases_of(project)
    }
    stored = set(connection.execute("SELECT alias, project FROM aliases"))
    return [] if stored == expected else ["aliases"]


def replace_all(connection: sqlite3.Connection) -> Iterable[tuple[Subject, JsonObject]]:
    """Replace every view by its fold from nothing; each subject and its new state."""
    anew = list(folded_anew(connection))
    connection.execute("DELETE FROM views")
    connection.execute("DELETE FROM snapshots")
    for subject, stamp, count, state in anew:
        row = (subject, stamp.ms, stamp.counter, stamp.home, count, state)
        connection.execute("INSERT INTO views VALUES (?, ?, ?, ?, ?, ?)", row)
        yield subject, _object(state)


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
