"""Lexical search in SQLite: FTS5 finds candidates by their rarest terms, BM25 orders the best.

Each term is indexed behind its scope's mark, so that a query touches only what its project sees,
and a term's rarity is its rarity there. FTS5's own ranking would read every match whole: it is
asked for rows only, and the few that share most are scored here.
"""

import heapq
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, starmap
from typing import Final

from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.closeness import APPROACH, SUBJECT, WeighedQuery, closeness, measure
from learnt.core.recall.ranking import Match, Matches, bm25, idf, occurrences, rarest
from learnt.core.records import Row
from learnt.core.tokens import terms as terms_of
from learnt.ports import Stemmer

EVERYWHERE: Final = "e"
POSTINGS: Final = 300  # looked at for one query, whatever the ledger's size
MOST_COUNTS: Final = 30_000  # term counts remembered, some three megabytes
SCORED: Final = 12  # of the entries found, those that share most
ASKED: Final = 1_000  # terms of a question at most
CLOSE: Final = 50  # of the entries found for a question, those that are measured
_COLUMNS: Final = "entry, scope, fingerprint, subject, body"
# Two rows of `terms` that no term can name: all documents, and all terms of all documents.
_DOCUMENTS, _LENGTH = "\x00documents", "\x00length"


class Document(Row):
    """An entry as the search holds it: a row of `documents`, without its number."""

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


def document(
    entry: Entry, text: Callable[[ContentRef], str | None], stem: Stemmer
) -> Document | None:
    """An entry as the search is to hold it, by the texts of its references; None if it is not."""
    if not entry.live:
        return None

    def stems(*refs: ContentRef | None) -> str:
        texts = (text(ref) or "" for ref in refs if ref is not None)
        return " ".join(term for words in texts for term in terms_of(words, stem))

    subject = stems(entry.about, *entry.tags, *entry.entities)
    body = stems(entry.approach, *entry.cautions)
    return Document(entry.id, mark(entry.scope), entry.fingerprint, subject, body)


def index(connection: sqlite3.Connection, document: Document | None, entry: EntryId) -> None:
    """Bring the search up to date for one entry; a document of None takes it out."""
    row = connection.execute(
        f"SELECT id, {_COLUMNS} FROM documents WHERE entry = ?", (entry,)
    ).fetchone()
    old = None if row is None else Document(*row[1:])
    if old == document:
        return
    if old is not None:
        connection.execute(
            "INSERT INTO search (search, rowid, marked) VALUES ('delete', ?, ?)",
            (row[0], " ".join(old.marked)),
        )
        connection.execute("DELETE FROM documents WHERE id = ?", row[:1])
        _count(connection, old, -1)
    if document is not None:
        added = connection.execute(
            f"INSERT INTO documents ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)", document
        ).lastrowid
        connection.execute(
            "INSERT INTO search (rowid, marked) VALUES (?, ?)", (added, " ".join(document.marked))
        )
        _count(connection, document, 1)


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
    """Build the index again from the documents: what was taken out leaves no trace in it."""
    connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
    rows = connection.execute(f"SELECT id, {_COLUMNS} FROM documents ORDER BY id").fetchall()
    connection.executemany(
        "INSERT INTO search (rowid, marked) VALUES (?, ?)",
        ((number, " ".join(Document(*row).marked)) for number, *row in rows),
    )


def merge(connection: sqlite3.Connection, pages: int, *, begin: bool) -> bool:
    """Join some of the index's segments, each of which a search asks; whether more are left.

    `begin` makes all of one level, so that size does not matter (SQLite's FTS5, 6.8).
    """
    before = connection.total_changes
    connection.execute(
        "INSERT INTO search (search, rank) VALUES ('merge', ?)", (-pages if begin else pages,)
    )
    return connection.total_changes - before >= 2  # as FTS5 documents it


def _marks(scopes: Sequence[ProjectId]) -> list[str]:
    return [mark(scope) for scope in (None, *scopes)]


class TermCounts:
    """In how many documents terms stand, remembered while nobody writes to the index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._counts: dict[str, int] = {}
        self._version = -1

    def begin(self) -> None:
        """A new look: what another program wrote since the last one is no longer believed."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version or len(self._counts) > MOST_COUNTS:
            self._counts.clear()
        self._version = version

    def forget(self) -> None:
        """The index is being written to through this connection."""
        self._counts.clear()

    def of(self, keys: Sequence[str]) -> Mapping[str, int]:
        counts = self._counts
        missing = [key for key in keys if key not in counts]
        if missing:
            marks = ",".join("?" * len(missing))
            rows = self._connection.execute(
                f"SELECT term, documents FROM terms WHERE term IN ({marks})", missing
            )
            counts.update(dict.fromkeys(missing, 0))
            counts.update(rows.fetchall())
        return counts


def _over(marks: Sequence[str], counts: Mapping[str, int], terms: Iterable[str]) -> dict[str, int]:
    return {term: sum([counts[scope + term] for scope in marks]) for term in terms}


def match(
    connection: sqlite3.Connection,
    term_counts: TermCounts,
    terms: Sequence[str],
    scopes: Sequence[ProjectId],
    limit: int,
    postings: int = POSTINGS,
) -> Matches:
    """The best entries by BM25 of these projects and everywhere, found by their rarest terms."""
    marks = _marks(scopes)
    keys = [scope + term for term in ("", *terms) for scope in marks]  # a mark alone counts its all
    counts = term_counts.of([*keys, _DOCUMENTS, _LENGTH])
    totals = _over(marks, counts, terms)
    seen = sum(counts[scope] for scope in marks)
    average = max(1.0, counts[_LENGTH] / max(1, counts[_DOCUMENTS]))
    weights = {term: idf(count, seen) for term, count in totals.items() if count}
    found = _likeliest(connection, totals, weights, marks, (postings, max(SCORED, limit)))
    best = scored(found, weights, average)[:limit]
    return Matches(best=best, frequencies=totals, entries=seen)


def _likeliest(
    connection: sqlite3.Connection,
    totals: Mapping[str, int],
    weights: Mapping[str, float],
    marks: Sequence[str],
    most: tuple[int, int],
) -> Iterator[Document]:
    """The documents that share most by weight; `most` postings are looked at, and are given."""
    shared: dict[int, float] = {}
    for term in rarest(totals, most[0]):
        either = " OR ".join([f'"{scope}{term}"' for scope in marks])
        worth = weights[term]
        holding = connection.execute("SELECT rowid FROM search WHERE search MATCH ?", (either,))
        for (row,) in holding.fetchall():
            shared[row] = shared.get(row, 0.0) + worth
    likeliest = heapq.nlargest(most[1], shared, key=shared.__getitem__)
    marked = ",".join("?" * len(likeliest))
    rows = connection.execute(f"SELECT {_COLUMNS} FROM documents WHERE id IN ({marked})", likeliest)
    return starmap(Document, rows.fetchall())


def close(
    documents: Iterable[Document], asked: WeighedQuery, totals: Mapping[str, int], seen: int
) -> list[Match]:
    """Documents by how close they are to what is asked, best first."""
    rarities = {term: idf(count, seen) for term, count in totals.items() if count}
    closeness_of = measure(asked, rarities)
    matches = []
    for document in documents:
        subject, body = document.subject.split(), document.body.split()
        about, done = Counter(subject), Counter(body)
        shares = {
            term: closeness((
                (SUBJECT, about[term], len(subject)),
                (APPROACH, done[term], len(body)),
            ))
            for term in rarities.keys() & {*about, *done}
        }
        matches.append(
            Match(
                entry=document.entry,
                score=closeness_of(shares),
                subject=frozenset(shares.keys() & about.keys()),
                body=frozenset(shares.keys() & done.keys()),
            )
        )
    return sorted(matches, key=lambda match: (-match.score, match.entry))


def scored(
    documents: Iterable[Document], weights: Mapping[str, float], average: float
) -> list[Match]:
    """Documents by BM25, best first; `average` is their length in terms."""
    matches = []
    for document in documents:
        subject, body = document.subject.split(), document.body.split()
        counts = occurrences(weights, subject, body)
        score = bm25(weights, counts, len(subject) + len(body), average)
        about, rest = (frozenset(filter(counts.__contains__, part)) for part in (subject, body))
        matches.append(Match(entry=document.entry, score=score, subject=about, body=rest))
    return sorted(matches, key=lambda match: (-match.score, match.entry))


def differing(connection: sqlite3.Connection, expected: Iterable[Document]) -> list[str]:
    """What the search holds otherwise than the entries say, counts and index included."""
    documents = set(expected)
    stored = starmap(Document, connection.execute(f"SELECT {_COLUMNS} FROM documents"))
    different = sorted({f"search:{document.entry}" for document in documents ^ set(stored)})
    counts: Counter[str] = Counter()
    vocabulary: Counter[str] = Counter()
    for document in documents:
        counts.update(_counted(document))
        vocabulary.update(set(document.marked))
    if counts != dict(connection.execute("SELECT term, documents FROM terms").fetchall()):
        different.append("terms")
    if vocabulary != dict(connection.execute("SELECT term, doc FROM vocabulary").fetchall()):
        different.append("index")
    return different


class SearchReader:
    """The part of a reader that searches."""

    _connection: sqlite3.Connection
    _counts: TermCounts

    def frequencies(self, terms: Sequence[str], scopes: Sequence[ProjectId]) -> dict[str, int]:
        marks = _marks(scopes)
        return _over(
            marks, self._counts.of([scope + term for term in terms for scope in marks]), terms
        )

    def match(self, terms: Sequence[str], scopes: Sequence[ProjectId], limit: int) -> Matches:
        return match(self._connection, self._counts, terms, scopes, limit)

    def closest(self, asked: WeighedQuery, scopes: Sequence[ProjectId], limit: int) -> Matches:
        marks = _marks(scopes)
        terms = list(islice(asked.whole, ASKED))
        counts = self._counts.of([scope + term for term in ("", *terms) for scope in marks])
        totals = _over(marks, counts, terms)
        seen = sum(counts[scope] for scope in marks)
        weights = {
            term: asked.whole[term] * idf(count, seen) for term, count in totals.items() if count
        }
        found = _likeliest(self._connection, totals, weights, marks, (POSTINGS, max(CLOSE, limit)))
        return Matches(
            best=close(found, asked, totals, seen)[:limit], frequencies=totals, entries=seen
        )
