"""Lexical search in SQLite: FTS5 finds candidates by their rarest terms, BM25 orders the best.

Each term is indexed behind its scope's mark, so that a query touches only what its project sees,
and a term's rarity is its rarity there. FTS5's own ranking would read every match whole: it is
asked for rows only, and the few that share most are scored here.
"""

import heapq
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.ranking import Match, Matches, bm25, idf, occurrences, rarest

EVERYWHERE: Final = "e"
POSTINGS: Final = 300  # looked at for one query, whatever the ledger's size
MOST_KNOWN: Final = 30_000  # term counts remembered, some three megabytes
SCORED: Final = 12  # of the entries found, those that share most
# Two rows of `terms` that no term can name: all documents, and all terms of all documents.
_DOCUMENTS, _LENGTH = "\x00documents", "\x00length"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An entry as the search holds it."""

    entry: EntryId
    scope: str
    fingerprint: str
    subject: str
    body: str

    @property
    def marked(self) -> list[str]:
        """All its terms in order, each behind the scope's mark."""
        return [self.scope + term for term in (*self.subject.split(), *self.body.split())]


def mark(scope: ProjectId | None) -> str:
    """What stands before each term of a scope: one letter, or a project's eleven characters.

    >>> mark(None), mark(ProjectId("p-0123456789"))
    ('e', 'p0123456789')
    """
    return EVERYWHERE if scope is None else scope.replace("-", "")


def searchable(entry: Entry) -> bool:
    """Whether an entry belongs into the search: alive, and with a text."""
    return entry.live


def index(connection: sqlite3.Connection, document: Document | None, entry: EntryId) -> None:
    """Bring the search up to date for one entry; a document of None takes it out."""
    old = _stored(connection, entry)
    if old is not None and document == old[1]:
        return
    if old is not None:
        row, known = old
        connection.execute(
            "INSERT INTO search (search, rowid, marked) VALUES ('delete', ?, ?)",
            (row, " ".join(known.marked)),
        )
        connection.execute("DELETE FROM documents WHERE id = ?", (row,))
        _count(connection, known, -1)
    if document is not None:
        added = connection.execute(
            "INSERT INTO documents (entry, scope, fingerprint, subject, body) "
            "VALUES (?, ?, ?, ?, ?)",
            (entry, document.scope, document.fingerprint, document.subject, document.body),
        ).lastrowid
        connection.execute(
            "INSERT INTO search (rowid, marked) VALUES (?, ?)", (added, " ".join(document.marked))
        )
        _count(connection, document, 1)


def _stored(connection: sqlite3.Connection, entry: EntryId) -> tuple[int, Document] | None:
    row = connection.execute(
        "SELECT id, scope, fingerprint, subject, body FROM documents WHERE entry = ?", (entry,)
    ).fetchone()
    if row is None:
        return None
    return row[0], Document(
        entry=entry, scope=row[1], fingerprint=row[2], subject=row[3], body=row[4]
    )


def _counted(document: Document) -> dict[str, int]:
    """What a document adds to the counts: its distinct terms, itself (the mark alone), its size."""
    marked = document.marked
    ones = dict.fromkeys((document.scope, *marked), 1)
    return {**ones, _DOCUMENTS: 1, _LENGTH: len(marked)}


def _count(connection: sqlite3.Connection, document: Document, sign: int) -> None:
    connection.executemany(
        "INSERT INTO terms VALUES (?, ?) ON CONFLICT (term) DO UPDATE "
        "SET documents = documents + excluded.documents",
        [(term, sign * count) for term, count in _counted(document).items()],
    )
    if sign < 0:
        gone = ",".join("?" * len(names := list(_counted(document))))
        connection.execute(f"DELETE FROM terms WHERE term IN ({gone}) AND documents <= 0", names)


def clear(connection: sqlite3.Connection) -> None:
    """Empty the search."""
    connection.execute("DELETE FROM documents")
    connection.execute("DELETE FROM terms")
    connection.execute("INSERT INTO search (search) VALUES ('delete-all')")


def rewrite(connection: sqlite3.Connection) -> None:
    """Build the index anew from the documents: what was taken out leaves no trace in it."""
    connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
    for row, scope, subject, body in connection.execute(
        "SELECT id, scope, subject, body FROM documents ORDER BY id"
    ).fetchall():
        marked = " ".join(scope + term for term in (*subject.split(), *body.split()))
        connection.execute("INSERT INTO search (rowid, marked) VALUES (?, ?)", (row, marked))


def merge(connection: sqlite3.Connection, pages: int, *, begin: bool) -> bool:
    """Join some of the index's segments; whether there is more to join.

    A term is looked for in every segment: a joined index answers several times as fast. `begin`
    makes all segments one level, so that they are joined whatever their size (SQLite's FTS5, 6.8).
    """
    before = connection.total_changes
    connection.execute(
        "INSERT INTO search (search, rank) VALUES ('merge', ?)", (-pages if begin else pages,)
    )
    return connection.total_changes - before >= 2  # as FTS5 documents it


def _marks(scopes: Sequence[ProjectId]) -> list[str]:
    return [mark(scope) for scope in (None, *scopes)]


class TermCounts:
    """In how many documents each marked term stands, remembered while nobody writes to the index.

    Prompts and entries share most of their words with those before: most counts are known.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}
        self._version = -1

    def begin(self) -> None:
        """A new look: what another program wrote since the last one is no longer believed."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version or len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._version = version

    def forget(self) -> None:
        """The index is being written to through this connection."""
        self._known.clear()

    def of(self, keys: Sequence[str]) -> Mapping[str, int]:
        """The counts of these terms, among others."""
        known = self._known
        missing = [key for key in keys if key not in known]
        if missing:
            marks = ",".join("?" * len(missing))
            found = self._connection.execute(
                f"SELECT term, documents FROM terms WHERE term IN ({marks})", missing
            )
            known.update(dict.fromkeys(missing, 0))
            known.update(found.fetchall())
        return known


def _over(marks: Sequence[str], known: Mapping[str, int], terms: Iterable[str]) -> dict[str, int]:
    return {term: sum([known[scope + term] for scope in marks]) for term in terms}


def frequencies(
    counts: TermCounts, terms: Sequence[str], scopes: Sequence[ProjectId]
) -> dict[str, int]:
    """In how many of the entries that these projects see each term stands."""
    marks = _marks(scopes)
    return _over(marks, counts.of([scope + term for term in terms for scope in marks]), terms)


def match(
    connection: sqlite3.Connection,
    term_counts: TermCounts,
    terms: Sequence[str],
    scopes: Sequence[ProjectId],
    limit: int,
    postings: int = POSTINGS,
) -> Matches:
    """The best entries of these projects and of everywhere that hold any of the terms, by BM25.

    Candidates come by the rarest terms, up to so many postings; all terms count in their scores.
    """
    marks = _marks(scopes)
    keys = [scope + term for term in ("", *terms) for scope in marks]  # a mark alone counts its all
    counts = term_counts.of([*keys, _DOCUMENTS, _LENGTH])
    known = _over(marks, counts, terms)
    seen = sum(counts[scope] for scope in marks)
    average = max(1.0, counts[_LENGTH] / max(1, counts[_DOCUMENTS]))
    weights = {term: idf(count, seen) for term, count in known.items() if count}
    shared: dict[int, float] = {}
    for term in rarest(known, postings):
        either = " OR ".join([f'"{scope}{term}"' for scope in marks])
        worth = weights[term]
        holding = connection.execute("SELECT rowid FROM search WHERE search MATCH ?", (either,))
        for (row,) in holding.fetchall():
            shared[row] = shared.get(row, 0.0) + worth
    likeliest = heapq.nlargest(max(SCORED, limit), shared, key=shared.__getitem__)
    best = _scored(connection, likeliest, weights, average)[:limit]
    return Matches(best=best, frequencies=known, entries=seen)


def _scored(
    connection: sqlite3.Connection,
    rows: Sequence[int],
    weights: Mapping[str, float],
    average: float,
) -> list[Match]:
    """The rows' documents by BM25, best first."""
    marks = ",".join("?" * len(rows))
    found = connection.execute(
        f"SELECT entry, subject, body FROM documents WHERE id IN ({marks})", rows
    )
    matches = []
    for entry, subject, body in found.fetchall():
        about, rest = subject.split(), body.split()
        counts = occurrences(weights, about, rest)
        matches.append(
            Match(
                entry=EntryId(entry),
                score=bm25(weights, counts, len(about) + len(rest), average),
                subject_terms=frozenset(about),
                shared=frozenset(counts),
            )
        )
    return sorted(matches, key=lambda one: (-one.score, one.entry))


def differing(connection: sqlite3.Connection, expected: Mapping[EntryId, Document]) -> list[str]:
    """What the search holds otherwise than the entries say, counts and index included."""
    rows = connection.execute("SELECT entry, scope, fingerprint, subject, body FROM documents")
    stored = {
        EntryId(row[0]): Document(
            entry=EntryId(row[0]), scope=row[1], fingerprint=row[2], subject=row[3], body=row[4]
        )
        for row in rows
    }
    entries = stored.keys() | expected.keys()
    different = sorted(f"search:{e}" for e in entries if stored.get(e) != expected.get(e))
    counts: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for document in expected.values():
        counts.update(_counted(document))
        held.update(set(document.marked))
    if counts != dict(connection.execute("SELECT term, documents FROM terms").fetchall()):
        different.append("terms")
    if held != dict(connection.execute("SELECT term, doc FROM vocabulary").fetchall()):
        different.append("index")
    return different
