"""Which skills have a word, and what it counts for each: the search of the skills' index.

A word has one row: the skills' numbers, four bytes each, and as many impacts of one byte. FTS5 is
not used: its bm25 looks up each hit's length, which for words that many skills have is too slow.
"""

import json
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final

from learnt.core.skills.relevance import MOST_TERMS, impacts, terms, worth
from learnt.core.words import STOP_WORDS
from learnt.stores.stemming import porter

SCHEMA: Final = """
CREATE TABLE stale (id INTEGER PRIMARY KEY);
CREATE TABLE terms (id INTEGER PRIMARY KEY, terms TEXT);
CREATE TABLE postings (term TEXT PRIMARY KEY, ids BLOB, impacts BLOB);
"""
_STOP: Final = frozenset(map(porter, STOP_WORDS))
TOGETHER: Final = 5_000  # skills in one transaction: another process waits no longer than for these
FEW: Final = 1_000  # skills that may have a word whatever the share
COMMON: Final = 3  # a word that more than a third of the skills have only counts alone


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
            added[term].append(number << 8 | impact)
        if file is None:
            connection.execute("DELETE FROM terms WHERE id = ?", (number,))
        else:
            connection.execute("REPLACE INTO terms VALUES (?, ?)", (number, " ".join(shares)))
    for term in sorted(removed.keys() | added.keys()):
        _rewrite(connection, term, removed.get(term, set()), added.get(term, array("I")))
    if rows:
        connection.execute("DELETE FROM stale WHERE id <= ?", (rows[-1][0],))


def _rewrite(
    connection: sqlite3.Connection, term: str, removed: set[int], added: "array[int]"
) -> None:
    asked = connection.execute("SELECT ids, impacts FROM postings WHERE term = ?", (term,))
    ids, shares = asked.fetchone() or (b"", b"")
    if removed:
        pairs = zip(_numbers(ids), shares, strict=True)
        kept = [(number, impact) for number, impact in pairs if number not in removed]
        ids = array("I", [number for number, _ in kept]).tobytes()
        shares = bytes([impact for _, impact in kept])
    ids += array("I", [packed >> 8 for packed in added]).tobytes()
    shares += bytes(packed & 255 for packed in added)
    if shares:
        connection.execute("REPLACE INTO postings VALUES (?, ?, ?)", (term, ids, shares))
    else:
        connection.execute("DELETE FROM postings WHERE term = ?", (term,))


def _numbers(ids: bytes) -> "array[int]":
    numbers = array("I")
    numbers.frombytes(ids)
    return numbers


def sums(
    connection: sqlite3.Connection, query: str, count: int, also: Mapping[str, int]
) -> list[int]:
    """By number, how well each of `count` skills fits; 0 where no word is shared.

    Number 0 is a text that is no skill's yet: `also` has what its words count.
    """
    (last,) = connection.execute("SELECT ifnull(max(id), 0) FROM terms").fetchone()
    wanted = terms(query, porter)
    asked = json.dumps(sorted(wanted))
    for most in (max(FEW, count // COMMON), count):  # common words where there are no others
        rows = connection.execute(
            "SELECT term, ids, impacts FROM postings WHERE term IN (SELECT value FROM "
            "json_each(?)) AND length(impacts) <= ? ORDER BY length(impacts), term LIMIT ?",
            (asked, most, MOST_TERMS),
        ).fetchall()
        if rows:
            break
    total = [0] * (last + 1)
    for term, ids, shares in rows:
        times = worth(len(shares), count, stop_word=term in _STOP)
        total[0] += also.get(term, 0) * times
        for number, impact in zip(_numbers(ids), shares):  # noqa: B905  # quicker
            total[number] += impact * times
    if own := wanted & also.keys():
        known = connection.execute(
            "SELECT term FROM postings WHERE term IN (SELECT value FROM json_each(?))", (asked,)
        )
        for term in own - {term for (term,) in known}:
            total[0] += also[term] * worth(1, count, stop_word=term in _STOP)
    return total
