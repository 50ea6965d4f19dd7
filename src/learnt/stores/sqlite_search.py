"""Lexical search in SQLite: FTS5 over stems, and a table of how many entries hold each term."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.recall.ranking import Match, rarest

EVERYWHERE: Final = "everywhere"
# FTS5's bm25 has k1 = 1.2; a weight w on a column acts as k1 / w, and 0.9 finds more.
_WEIGHTS: Final = "0.0, 1.33, 1.0"
POSTINGS: Final = 3_000  # entries looked at for one query, whatever the ledger's size


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An entry as the search holds it."""

    entry: EntryId
    scope: str
    fingerprint: str
    subject: str
    body: str

    @property
    def terms(self) -> frozenset[str]:
        """The distinct terms of it."""
        return frozenset(self.subject.split()) | frozenset(self.body.split())


def scope_term(scope: ProjectId | None) -> str:
    """The one term that stands for a scope.

    >>> scope_term(None), scope_term(ProjectId("p-0123456789"))
    ('everywhere', 'p0123456789')
    """
    return EVERYWHERE if scope is None else scope.replace("-", "")


def searchable(entry: Entry) -> bool:
    """Whether an entry belongs into the search: alive, and with a text."""
    return entry.stage in {Stage.CANDIDATE, Stage.VALIDATED} and entry.problem is not None


def index(connection: sqlite3.Connection, document: Document | None, entry: EntryId) -> None:
    """Bring the search up to date for one entry; a document of None takes it out."""
    old = _stored(connection, entry)
    if old is not None and document == old[1]:
        return
    if old is not None:
        row, known = old
        connection.execute(
            "INSERT INTO search (search, rowid, scope, subject, body) "
            "VALUES ('delete', ?, ?, ?, ?)",
            (row, known.scope, known.subject, known.body),
        )
        connection.execute("DELETE FROM documents WHERE id = ?", (row,))
        _count(connection, known.terms, -1)
    if document is not None:
        added = connection.execute(
            "INSERT INTO documents (entry, scope, fingerprint, subject, body) "
            "VALUES (?, ?, ?, ?, ?)",
            (entry, document.scope, document.fingerprint, document.subject, document.body),
        ).lastrowid
        connection.execute(
            "INSERT INTO search (rowid, scope, subject, body) VALUES (?, ?, ?, ?)",
            (added, document.scope, document.subject, document.body),
        )
        _count(connection, document.terms, 1)


def _stored(connection: sqlite3.Connection, entry: EntryId) -> tuple[int, Document] | None:
    row = connection.execute(
        "SELECT id, scope, fingerprint, subject, body FROM documents WHERE entry = ?", (entry,)
    ).fetchone()
    if row is None:
        return None
    return row[0], Document(
        entry=entry, scope=row[1], fingerprint=row[2], subject=row[3], body=row[4]
    )


def _count(connection: sqlite3.Connection, terms: Iterable[str], change: int) -> None:
    # The empty term counts the documents themselves.
    connection.executemany(
        "INSERT INTO terms VALUES (?, ?) ON CONFLICT (term) DO UPDATE "
        "SET documents = documents + excluded.documents",
        [(term, change) for term in ("", *terms)],
    )
    if change < 0:
        connection.execute("DELETE FROM terms WHERE documents <= 0")


def clear(connection: sqlite3.Connection) -> None:
    """Empty the search."""
    connection.execute("DELETE FROM documents")
    connection.execute("DELETE FROM terms")
    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")


def total(connection: sqlite3.Connection) -> int:
    """How many entries the search holds."""
    return frequencies(connection, [""])[""]


def frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[str, int]:
    """In how many entries each term stands."""
    marks = ",".join("?" * len(terms))
    found = connection.execute(
        f"SELECT term, documents FROM terms WHERE term IN ({marks})", list(terms)
    )
    return dict.fromkeys(terms, 0) | dict(found.fetchall())


def match(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    scopes: Sequence[ProjectId],
    limit: int,
    postings: int = POSTINGS,
) -> list[Match]:
    """The best entries of these scopes and of everywhere that hold any of the terms, by bm25.

    Only the rarest terms are searched by, up to so many postings; all of them are then compared.
    """
    sought = rarest(frequencies(connection, terms), postings)
    if not sought:
        return []
    everywhere = " OR ".join(f'"{scope_term(s)}"' for s in (None, *scopes))
    query = f"scope : ({everywhere}) AND {{subject body}} : ({_any_of(sought)})"
    rows = connection.execute(
        "SELECT d.entry, f.score, d.subject, d.body FROM "
        f"(SELECT rowid AS id, rank AS score FROM search WHERE search MATCH ? "
        f"AND rank MATCH 'bm25({_WEIGHTS})' ORDER BY rank LIMIT ?) AS f "
        "JOIN documents AS d ON d.id = f.id ORDER BY f.score, d.entry",
        (query, limit),
    )
    asked = frozenset(terms)
    return [
        Match(
            entry=EntryId(entry),
            score=-score,
            subject_terms=frozenset(subject.split()),
            shared=asked & (frozenset(subject.split()) | frozenset(body.split())),
        )
        for entry, score, subject, body in rows
    ]


def _any_of(terms: Iterable[str]) -> str:
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


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
    scopes: Counter[str] = Counter()
    for document in expected.values():
        counts.update(("", *document.terms))
        scopes[document.scope] += 1
    if counts != dict(connection.execute("SELECT term, documents FROM terms").fetchall()):
        different.append("terms")
    held = connection.execute("SELECT term, doc FROM vocabulary").fetchall()
    if {term: n for term, n in (counts + scopes).items() if term} != dict(held):
        different.append("index")
    return different
