"""Looking into the ledger's SQLite file, inside a transaction."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import starmap
from typing import Any, Final

from learnt.core.events import Event, Kind, Sight
from learnt.core.identifiers import ContentRef, EntryId, EventId, NaturalKey, ProjectId, Subject
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.records import JsonObject, Record, canonical, decode, holds
from learnt.core.safety import Clean, owned
from learnt.core.sessions.observations import NO_RESPONSE, Observed, Response, from_json
from learnt.core.totals import Happening, PeopleTotals, SessionTotals
from learnt.ports import Clock, Random, Stemmer, ViewOf
from learnt.stores import sqlite_search
from learnt.stores.sqlite_views import IN_ORDER, RowsReader, select, state_of, text_of

# A member that a state lacks has its default.
_SESSION_TOTALS: Final = """
SELECT count(*),
  (SELECT count(DISTINCT session) FROM events
    WHERE kind = 'session_started' AND payload ->> '$.attended'),
  ifnull(sum(state ->> '$.episodes'), 0), ifnull(sum(state ->> '$.recalls'), 0),
  ifnull(sum(state ->> '$.misses'), 0), ifnull(sum(state ->> '$.undelivered'), 0)
FROM views WHERE subject >= 'session:' AND subject < 'session;'
"""

# Of the latest of each sort the id: SQLite gives the row of the maximum.
_PEOPLE: Final = """
SELECT ifnull(payload ->> '$.seen.by', '') AS by, ifnull(payload ->> '$.seen.odd', '') AS odd,
  count(*), id, max(ms)
FROM events WHERE actor = 'human' GROUP BY by, odd ORDER BY by, odd
"""


class Surroundings(Record):
    """What a ledger needs of the outside."""

    key: bytes
    clock: Clock
    random: Random
    stem: Stemmer
    own_sight: Callable[[], Sight] = Sight  # what this process sees of who called it


class KeptResponse(Record):
    """What is kept in the inbox beside an observation."""

    response: Response = NO_RESPONSE


class SqliteReader(RowsReader, sqlite_search.SearchReader):
    """A consistent look, inside a transaction of its connection."""

    def __init__(
        self, connection: sqlite3.Connection, around: Surroundings, counts: sqlite_search.TermCounts
    ) -> None:
        self._connection, self._around, self._counts = connection, around, counts

    def moment(self) -> tuple[int, ...]:
        last = self._connection.execute("SELECT max(seq) FROM events").fetchone()
        # This counts what other connections committed, and the changes what this one wrote.
        others = self._connection.execute("PRAGMA data_version").fetchone()
        return int(last[0] or 0), int(others[0]), self._connection.total_changes

    def touched(self, since: tuple[int, ...], kinds: Collection[Kind]) -> frozenset[Subject]:
        marks = ",".join("?" * len(kinds))
        rows = self._connection.execute(
            f"SELECT subject FROM events WHERE seq > ? AND +kind IN ({marks})",
            (since[0], *sorted(kinds)),
        )
        return frozenset(Subject(subject) for (subject,) in rows)

    def view(self, subject: Subject) -> JsonObject | None:
        return state_of(self._connection, subject)

    def views(self, prefix: str, holding: str = "") -> Iterator[ViewOf]:
        rows = self._connection.execute(
            "SELECT subject FROM views WHERE subject >= ? AND subject < ? AND instr(state, ?) "
            "ORDER BY subject",
            (prefix, prefix + "\U0010ffff", holding),
        )
        for (subject,) in rows.fetchall():
            state = self.view(Subject(subject))
            if state is not None:
                yield ViewOf(subject=Subject(subject), state=state)

    def columns(self, prefix: str, *members: str) -> Iterator[tuple[Any, ...]]:
        read = "".join(", state ->> ?" for _ in members)
        return self._connection.execute(
            f"SELECT subject{read} FROM views WHERE subject >= ? AND subject < ? ORDER BY subject",
            (*(f"$.{member}" for member in members), prefix, prefix + "\U0010ffff"),
        )

    def session_totals(self) -> SessionTotals:
        return SessionTotals(*self._connection.execute(_SESSION_TOTALS).fetchone())

    def people(self) -> Sequence[PeopleTotals]:
        return list(starmap(PeopleTotals, self._connection.execute(_PEOPLE)))

    def events(
        self,
        *,
        subject: Subject | None = None,
        kind: Kind | None = None,
        session: str | None = None,
        newest: int | None = None,
        before_ms: int | None = None,
        since_ms: int | None = None,
    ) -> Iterator[Event]:
        wanted = {"subject": subject, "kind": kind, "session": session}
        given = {name: value for name, value in wanted.items() if value is not None}
        # A subject or a session has few events, a kind may have very many: theirs is the index.
        few = len(given) > 1
        terms = [f"{'+' * (few and name == 'kind')}{name} = ?" for name in given]
        terms += ["ms < ?"] * (before_ms is not None) + ["ms >= ?"] * (since_ms is not None)
        order = IN_ORDER
        if newest is not None:
            order = "ORDER BY ms DESC, counter DESC, home DESC LIMIT ?"
        numbers = [number for number in (before_ms, since_ms, newest) if number is not None]
        where = " AND ".join(terms) or "true"
        return select(self._connection, f"WHERE {where} {order}", [*given.values(), *numbers])

    def event(self, event: EventId) -> Event | None:
        return next(select(self._connection, "WHERE id = ?", (event,)), None)

    def event_ids(self, beginning: str, most: int) -> Sequence[EventId]:
        rows = self._connection.execute(
            "SELECT id FROM events WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
            (beginning, beginning + "\U0010ffff", most),
        )
        return [EventId(name) for (name,) in rows]

    def keyed(self, key: NaturalKey) -> Event | None:
        return next(select(self._connection, "WHERE nkey = ?", (key,)), None)

    def text(self, ref: ContentRef) -> Clean | None:
        text = text_of(self._connection, ref)
        return None if text is None else owned(text)

    def happenings(self, kind: Kind, since_ms: int = 0) -> Iterator[Happening]:
        rows = self._connection.execute(
            "SELECT subject, ifnull(session, ''), project, wall, "
            "ifnull(payload ->> '$.recall', ''), payload ->> '$.prompt', "
            "ifnull(payload ->> '$.mode', ''), ifnull(payload ->> '$.moment', ''), "
            "ifnull(json_array_length(payload, '$.shown'), 0), "
            "ifnull(json_array_length(payload, '$.hinted'), 0) "
            f"FROM events WHERE kind = ? AND ms >= ? {IN_ORDER}",
            (kind, since_ms),
        )
        return starmap(Happening, rows)

    def count(self, kind: Kind) -> int:
        row = self._connection.execute("SELECT count(*) FROM events WHERE kind = ?", (kind,))
        return int(row.fetchone()[0])

    def projects_knowing(self, aliases: Sequence[str]) -> Sequence[Project]:
        marks = ",".join("?" * len(aliases))
        rows = self._connection.execute(
            f"SELECT DISTINCT project FROM aliases WHERE alias IN ({marks}) ORDER BY project",
            list(aliases),
        )
        states = [self.view(Subject(f"project:{project}")) for (project,) in rows.fetchall()]
        return [decode(Project, state) for state in states if state is not None]

    def same_projects(self) -> Sequence[Project]:
        return self.projects_knowing(["same"])

    def same_entry(self, fingerprint: str, scope: ProjectId | None) -> EntryId | None:
        row = self._connection.execute(
            "SELECT min(entry) FROM documents WHERE fingerprint = ? AND scope IN (?, ?)",
            (fingerprint, sqlite_search.EVERYWHERE, sqlite_search.mark(scope)),
        ).fetchone()
        return None if row[0] is None else EntryId(row[0])

    def observed(
        self, session: str, *, episode: str | None = None, open_only: bool = False, naming: str = ""
    ) -> Sequence[Observed]:
        only = " AND closed = 0" * open_only + " AND episode = ?" * (episode is not None)
        only += " AND instr(body, ?)" * bool(naming)
        # As it stands in the body, whose text is JSON.
        named = [canonical(naming)[1:-1]] if naming else []
        rows = self._connection.execute(
            f"SELECT id, body, closed FROM inbox WHERE session = ?{only} ORDER BY seq",
            [session, *([] if episode is None else [episode]), *named],
        )
        read = ((name, json.loads(body), bool(closed)) for name, body, closed in rows)
        return [
            Observed(
                observation=observation, closed=closed, response=decode(KeptResponse, body).response
            )
            for name, body, closed in read
            if (observation := from_json(body, name)) is not None
        ]

    def activity(self, session: str, events: Collection[str]) -> int:
        marks = ",".join("?" * len(events))
        row = self._connection.execute(
            f"SELECT max(seq) FROM inbox WHERE session = ? AND event IN ({marks})",
            (session, *sorted(events)),
        ).fetchone()
        return int(row[0] or 0)

    def sessions_observed(self) -> Sequence[str]:
        rows = self._connection.execute("SELECT DISTINCT session FROM inbox ORDER BY session")
        return [str(name) for (name,) in rows]

    def contents_with(self, text: str) -> Sequence[ContentRef]:
        rows = self._connection.execute("SELECT ref, text FROM contents ORDER BY ref")
        return [ContentRef(ref) for ref, content in rows if holds(content, text)]

    def events_citing(self, ref: ContentRef, kind: Kind | None = None) -> Iterator[Event]:
        of = " AND kind = ?" if kind else ""
        citing = f"WHERE (instr(payload, ?) OR place = ?){of} {IN_ORDER}"
        return select(self._connection, citing, [ref, ref, *filter(None, [kind])])

    def document(self, entry: Entry) -> sqlite_search.Document | None:
        """An entry as the search is to hold it, or None if it is not."""
        return sqlite_search.document(entry, self.text, self._around.stem)
