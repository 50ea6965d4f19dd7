"""Which skills have a word, and what it counts for each: the search of the skills' index.

A word has one row: for each skill four bytes, of which the highest is its impact and the others its
number. FTS5 is not used: its bm25 looks up each hit's length, which for words that many skills have
is too slow.
"""

import json
import sqlite3
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final

from learnt.core.recall import queries, ranking
from learnt.core.skills.relevance import MOST_TERMS, impacts, repeated, worth
from learnt.core.words import STOP_WORDS
from learnt.stores.stemming import porter

SCHEMA: Final = """
CREATE TABLE stale (id INTEGER PRIMARY KEY);
CREATE TABLE terms (id INTEGER PRIMARY KEY, terms TEXT);
CREATE TABLE postings (term TEXT PRIMARY KEY, skills BLOB) WITHOUT ROWID;
"""
# Without the cast, SQLite before 3.41 makes a text of what is joined.
_ADD: Final = """
INSERT INTO postings VALUES (?, ?)
ON CONFLICT DO UPDATE SET skills = CAST(skills || excluded.skills AS BLOB)
"""
_STOP: Final = frozenset(map(porter, STOP_WORDS))
TOGETHER: Final = 10_000  # skills in one transaction: another process waits for no more
FEW: Final = 1_000  # skills that may have a word whatever the share
COMMON: Final = 2  # a word that more than half of the skills have only counts alone
_NUMBER: Final = (1 << 24) - 1
_HIGHEST: Final = 3 if sys.byteorder == "little" else 0  # of four bytes


def update(connection: sqlite3.Connection, text_of: Callable[[str], str | None]) -> None:
    """Read the skills whose numbers are stale; words of those that are gone are taken out."""
    while connection.execute("SELECT EXISTS (SELECT 1 FROM stale)").fetchone()[0]:
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back
            _update_some(connection, text_of)


def _update_some(connection: sqlite3.Connection, text_of: Callable[[str], str | None]) -> None:
    rows = connection.execute(
        "SELECT stale.id, file, name, description, terms FROM stale LEFT JOIN skills USING (id) "
        "LEFT JOIN terms USING (id) ORDER BY stale.id LIMIT ?",
        (TOGETHER,),
    ).fetchall()
    removed: defaultdict[str, set[int]] = defaultdict(set)
    # One number for both parts: a million pairs of objects would not fit into memory.
    added: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
    for number, file, name, description, before in rows:
        for term in (before or "").split():
            removed[term].add(number)
        text = None if file is None else text_of(file)
        shares = {} if text is None else impacts(name, description, text, porter)
        for term, impact in shares.items():
            added[term].append(impact << 24 | number)
        connection.execute("REPLACE INTO terms VALUES (?, ?)", (number, " ".join(shares)))
    for term, numbers in removed.items():
        _take_out(connection, term, numbers)
    connection.executemany(_ADD, ((term, added[term].tobytes()) for term in sorted(added)))
    connection.execute("DELETE FROM terms WHERE id NOT IN (SELECT id FROM skills)")
    if rows:
        connection.execute("DELETE FROM stale WHERE id <= ?", (rows[-1][0],))


def _take_out(connection: sqlite3.Connection, term: str, removed: set[int]) -> None:
    query = "SELECT skills FROM postings WHERE term = ?"
    for (skills,) in connection.execute(query, (term,)).fetchall():
        kept = [packed for packed in array("I", skills) if packed & _NUMBER not in removed]
        connection.execute("DELETE FROM postings WHERE term = ?", (term,))
        if kept:
            connection.execute(_ADD, (term, array("I", kept).tobytes()))


def sums(connection: sqlite3.Connection, query: str, also: Mapping[str, int]) -> list[int]:
    """By number, how well each skill fits; 0 where no word is shared.

    Number 0 is a text that is no skill's yet: `also` has what its words count.
    """
    count, last = connection.execute(
        "SELECT (SELECT count(*) FROM skills), (SELECT ifnull(max(seq), 0) FROM sqlite_sequence)"
    ).fetchone()
    wanted = queries.weighed(query, lambda text: repeated(text, porter)).whole
    asked = json.dumps(sorted(wanted))
    for most in (max(FEW, count // COMMON), count):  # common words where there are no others
        rows = connection.execute(
            "SELECT term, skills FROM postings WHERE term IN (SELECT value FROM json_each(?)) "
            "AND length(skills) <= 4 * ? ORDER BY length(skills), term LIMIT ?",
            (asked, most, MOST_TERMS),
        ).fetchall()
        if rows:
            break
    total = [0] * (last + 1)
    for term, skills in rows:
        shares, numbers = skills[_HIGHEST::4], bytearray(skills)
        numbers[_HIGHEST::4] = bytes(len(shares))
        times = worth(len(shares), count, wanted[term], stop_word=term in _STOP)
        total[0] += also.get(term, 0) * times
        for number, impact in zip(array("I", numbers), shares):  # noqa: B905  # quicker
            total[number] += impact * times
    if own := wanted.keys() & also.keys():
        known = connection.execute(
            "SELECT term FROM postings WHERE term IN (SELECT value FROM json_each(?))", (asked,)
        )
        for term in own - {term for (term,) in known}:
            total[0] += also[term] * worth(1, count, wanted[term], stop_word=term in _STOP)
    return total


def telling(connection: sqlite3.Connection, query: str) -> dict[str, float]:
    """What each word of a query tells that is no stop word and that some skill has."""
    (count,) = connection.execute("SELECT count(*) FROM skills").fetchone()
    wanted = {*repeated(query[: queries.END], porter)} - _STOP
    rows = connection.execute(
        "SELECT term, length(skills) / 4 FROM postings "
        "WHERE term IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(wanted)),),
    )
    return {term: ranking.weight(having, count) for term, having in rows}
