"""The ledger in one SQLite file: events, contents and all that is derived, one transaction."""

import errno
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import Final

from learnt.core.events import Event, Kind, NewEvent, Stamp, next_stamp, stamped
from learnt.core.identifiers import (
    ContentRef,
    NaturalKey,
    Subject,
    content_ref,
    event_id,
    hashed_name,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.records import JsonObject, Unreadable, canonical, decode, encode, holds
from learnt.core.sessions.observations import NO_RESPONSE, Observation, Response
from learnt.errors import HomeUnusable, LedgerBusy, LedgerDamaged
from learnt.stores import sqlite_search, sqlite_views
from learnt.stores.processes import Witness
from learnt.stores.sqlite_reader import KeptResponse, SqliteReader, Surroundings
from learnt.stores.sqlite_schema import FILE_NAME, check_version, connect, trouble


def reserve(path: Path, size: int) -> None:
    """Have so many bytes given to a file of that name, and remove it. Raises OSError."""
    with suppress(FileNotFoundError):
        path.unlink()
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, size)
            return
        free = os.fstatvfs(descriptor)
        if free.f_bavail * free.f_frsize < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)
        path.unlink()


SPARE: Final = 256 * 1024  # bytes that a purge writes besides
SLICE: Final = 200  # pages of the search index joined in one transaction

# Of the others none touches what is indexed about a subject; a reuse must not cost a re-index.
_MOVES_AN_INDEX: Final = frozenset({
    Kind.GATED, Kind.REMEMBERED, Kind.STAGED, Kind.PURGED, Kind.PROJECT_SEEN, Kind.PROJECT_LINKED,
})  # fmt: skip

# The inbox has a time to live, and is no part of a rebuild.
_INBOX_COLUMNS: Final = attrgetter("id", "ms", "event", "session", "episode")
_INBOX_PARTS: Final = tuple(p for p in Observation.__struct_fields__ if p != "marked")
_OF_EPISODES: Final = frozenset({Kind.EPISODE_CLOSED, Kind.FEEDBACK})


class _Writer(SqliteReader):
    """One write transaction: nobody else moves the last stamp while it lasts."""

    witness: Witness
    _last: Stamp | None = None
    indexed = False  # whether the search was written to

    def append(self, draft: NewEvent) -> Event | None:
        if draft.natural_key is not None and self.keyed(draft.natural_key) is not None:
            return None
        around = self._around
        wall = around.clock.now_ms()
        identifier = event_id(wall, around.random.bytes(10))
        stamp = next_stamp(self._last_stamp(), wall, self._home())
        event = stamped(draft, identifier, stamp, wall, self.witness.of(draft, self))
        self.merge(event)
        return event

    def merge(self, event: Event) -> bool:
        marks = ",".join("?" * 19)
        done = self._connection.execute(
            f"INSERT OR IGNORE INTO events ({sqlite_views.COLUMNS}) VALUES ({marks})",
            sqlite_views.to_row(event),
        )
        if done.rowcount == 0:
            return False
        last = self._last_stamp()
        if last is None or last < event.stamp:
            self.set("stamp", f"{event.stamp.ms} {event.stamp.counter} {event.stamp.home}")
            self._last = event.stamp
        state = sqlite_views.fold_in(self._connection, event)
        if state is not None and event.subject.startswith(Entry.prefix):
            sqlite_views.keep_entries(self._connection, [decode(Entry, state)])
        if event.kind in _OF_EPISODES:
            sqlite_views.derive(self._connection, event)
        # What an entry cites moves with a word on it.
        if state is not None and (event.kind in _MOVES_AN_INDEX or event.payload.get("cites")):
            self.derive(event.subject, state)
        return True

    def derive(self, subject: Subject, state: JsonObject) -> None:
        """Bring what is indexed about a subject up to its state."""
        if subject.startswith("entry:"):
            entry = decode(Entry, state)
            self._counts.forget()
            self.indexed = True
            sqlite_search.index(self._connection, self.document(entry), entry.id)
            sqlite_views.keep_marks(self._connection, entry, self.text)
        elif subject.startswith("project:"):
            sqlite_views.index_project(self._connection, decode(Project, state))

    def keep(self, kind: str, text: str) -> ContentRef:
        text = text.encode("utf-8", "replace").decode()  # a folder's name may be any bytes
        ref = content_ref(self._around.key, kind, text)
        self._connection.execute(
            "INSERT OR IGNORE INTO contents VALUES (?, ?, ?)", (ref, kind, text)
        )
        return ref

    def erase(self, refs: Sequence[ContentRef]) -> int:
        return sum(
            self._connection.execute("DELETE FROM contents WHERE ref = ?", (ref,)).rowcount
            for ref in refs
        )

    def forget_sessions(self, names: Collection[str]) -> None:
        hashed = {name: hashed_name(self._around.key, name) for name in names}
        for event in sqlite_views.without_sessions(self._connection, hashed):
            if event.subject.startswith(Entry.prefix):
                state = sqlite_views.state_of(self._connection, event.subject)
                sqlite_views.keep_entries(self._connection, [decode(Entry, state)] if state else [])
            if event.kind in _OF_EPISODES:
                sqlite_views.derive(self._connection, event)

    def observe(
        self, observation: Observation, key: NaturalKey, response: Response = NO_RESPONSE
    ) -> bool:
        body = {name: getattr(observation, name) for name in _INBOX_PARTS}
        written = canonical({**body, **encode(KeptResponse(response))})
        order = "INSERT OR IGNORE INTO inbox (nkey, body, id, ms, event, session, episode)"
        row = (key, written, *_INBOX_COLUMNS(observation))
        return self._connection.execute(f"{order} VALUES (?, ?, ?, ?, ?, ?, ?)", row).rowcount == 1

    def close_episode(self, session: str, episode: str) -> None:
        self._connection.execute(
            "UPDATE inbox SET closed = 1 WHERE session = ? AND episode = ? AND closed = 0",
            (session, episode),
        )

    def forget_observations(self, before_ms: int) -> int:
        return self._connection.execute("DELETE FROM inbox WHERE ms < ?", (before_ms,)).rowcount

    def erase_observations(self, *, session: str | None = None, text: str | None = None) -> int:
        execute = self._connection.execute
        if session is not None:
            return execute("DELETE FROM inbox WHERE session = ?", (session,)).rowcount
        rows = execute("SELECT seq, body FROM inbox").fetchall()
        gone = [(seq,) for seq, body in rows if text is None or holds(body, text)]
        self._connection.executemany("DELETE FROM inbox WHERE seq = ?", gone)
        return len(gone)

    def _last_stamp(self) -> Stamp | None:
        if self._last is None and (text := self.get("stamp")) is not None:
            ms, counter, home = text.split(" ")
            self._last = Stamp(int(ms), int(counter), home)
        return self._last

    def _home(self) -> str:
        home = self.get("home")
        if home is None:
            home = self._around.random.bytes(8).hex()
            self.set("home", home)
        return home

    def get(self, name: str) -> str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


class SqliteLedger:
    """A home's ledger, for one thread at a time; unless `durable`, writes must be settled.

    Without a home it is one in memory.
    """

    def __init__(
        self,
        home: Path | None,
        around: Surroundings,
        *,
        patience_ms: int = 10_000,
        durable: bool = True,
    ) -> None:
        self._path, self._around = (home or Path()) / FILE_NAME, around
        self._connection = connect(home, patience_ms)
        self._usual = "FULL" if durable else "NORMAL"
        self._connection.execute(f"PRAGMA synchronous = {self._usual}")
        self._counts = sqlite_search.TermCounts(self._connection)
        self._witness = Witness(around.own_sight)
        self._steady = False  # within `one_snapshot`
        self.told = self._witness.told

    @property
    def key(self) -> bytes:
        return self._around.key

    @contextmanager
    def one_snapshot(self) -> Iterator[None]:
        self._steady = True
        try:
            yield
        finally:
            self._steady = False
            self.refresh()

    def refresh(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[SqliteReader]:
        with self._transaction("BEGIN"):
            self._counts.begin()
            yield SqliteReader(self._connection, self._around, self._counts)

    @contextmanager
    def writing(self) -> Iterator[_Writer]:
        with self._transaction("BEGIN IMMEDIATE"):
            # What this transaction writes may yet be taken back: nothing of it is remembered.
            counts = sqlite_search.TermCounts(self._connection)
            writer = _Writer(self._connection, self._around, counts)
            writer.witness = self._witness
            try:
                yield writer
            finally:
                if writer.indexed:
                    self._counts.forget()

    @contextmanager
    def durably_writing(self) -> Iterator[_Writer]:
        self.refresh()
        self._connection.execute("PRAGMA synchronous = FULL")
        try:
            with self.writing() as writer:
                yield writer
        finally:
            self._connection.execute(f"PRAGMA synchronous = {self._usual}")

    def settle(self) -> None:
        # The journal is one file: what is synchronised of it takes in all that stands before, once
        # there is something to synchronise.
        with self.durably_writing() as writer:
            writer.set("settled", writer.get("stamp") or "")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        stays = self._steady and begin == "BEGIN"
        ended = False
        try:
            if not stays:
                self.refresh()
            if not self._connection.in_transaction:
                self._connection.execute(begin)
            try:
                check_version(self._connection)
                yield
                if not stays:
                    self._connection.execute("COMMIT")
                ended = True
            finally:
                # After an error no lock and no snapshot is left.
                if not (stays and ended) and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise trouble(error, self._path) from error
        except Unreadable as error:  # of a view or an event that was read meanwhile
            raise LedgerDamaged(
                f"{self._path} holds what can't be read: {error}. It was left as it is. `learnt "
                "rebuild` makes every view again from the events; where an event itself is damaged "
                "`learnt doctor --set-aside` moves the ledger out of the way."
            ) from error

    def verify(self) -> Sequence[str]:
        with self.reading() as reader:
            # What the search should hold is asked of the events: a stored view may be nonsense.
            fresh = list(sqlite_views.refolded(self._connection))
            entries = [*sqlite_views.of_kind(Entry, Entry.prefix, fresh)]
            expected = map(reader.document, entries)
            return [
                *sqlite_views.differing(self._connection, fresh),
                *sqlite_search.differing(self._connection, filter(None, expected)),
                *reader.differing_rows(entries, reader.text),
            ]

    def rebuild(self) -> None:
        with self.writing() as writer:
            self._counts.forget()
            sqlite_search.clear(self._connection)
            self._connection.execute("DELETE FROM aliases")
            self._connection.execute("DELETE FROM entries")
            self._connection.execute("DELETE FROM marks")
            fresh = sqlite_views.replace_all(self._connection)
            for view in fresh:
                writer.derive(view.subject, view.value)
            entries = sqlite_views.of_kind(Entry, Entry.prefix, fresh)
            sqlite_views.keep_entries(self._connection, entries)
            sqlite_views.derive_all(self._connection)

    def tidy(self) -> None:
        try:
            self._connection.execute("PRAGMA optimize")
            begin = more = True
            while more:
                # Slice by slice, so that no hook waits for the whole.
                with self.writing():
                    more = sqlite_search.merge(self._connection, SLICE, begin=begin)
                begin = False
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.Error as error:
            raise trouble(error, self._path) from error

    def make_room_to_scrub(self) -> None:
        # The journal takes in what is erased, the index and then the whole file again.
        parts = (self._path, self._path.with_name(f"{FILE_NAME}-wal"))
        held = sum(part.stat().st_size for part in parts if part.exists())
        try:
            reserve(self._path.with_name(f".{FILE_NAME}.room"), 2 * held + SPARE)
        except OSError as error:
            raise HomeUnusable(
                f"{self._path}: there is no room to erase anything for good ({error.strerror}); "
                f"{(2 * held + SPARE) >> 10:,} KB must be free. Nothing was changed."
            ) from error

    def scrub(self) -> None:
        try:
            with self.writing():
                sqlite_search.rewrite(self._connection)
            # What it copies meanwhile is no file in a folder for everybody.
            self._connection.execute("PRAGMA temp_store = MEMORY")
            self._connection.execute("VACUUM")
            emptied = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise trouble(error, self._path) from error
        if emptied[0]:
            raise LedgerBusy(
                f"The texts are erased, but another program reads {self._path} just now, and its "
                "journal may still hold them. Call the same purge again once that is over."
            )

    def check(self) -> str:
        """SQLite's own word on the file: `ok`, or what is wrong."""
        with closing(self._connection.execute("PRAGMA quick_check(1)")) as rows:
            return str(rows.fetchone()[0])

    @contextmanager
    def within(self, expired: Callable[[], bool]) -> Iterator[None]:
        self._connection.set_progress_handler(expired, 2_000)
        try:
            yield
        finally:
            self._connection.set_progress_handler(None, 0)

    def close(self) -> None:
        self._connection.close()
