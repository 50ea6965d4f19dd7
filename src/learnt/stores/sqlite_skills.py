"""The index of the skills on disk: what is known of each file, and a search by words.

A word has one row: for each skill four bytes, the highest its impact, the others its number. FTS5's
bm25 is not used: it looks up each hit's length, too slow for words that many skills have.

It holds nothing that is not in the files, which are read again when size or time differ. Processes
share it, each for its own files. A damaged one is made again; where none can be kept, in memory.
"""

import gc
import json
import os
import sqlite3
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from heapq import nlargest
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from learnt.core.recall import closeness, ranking
from learnt.core.skills import selection
from learnt.core.skills.selection import MOST_TERMS, impacts, repeated, worth
from learnt.core.skills.skills import AsIf, Finding, Severity, Skill, SkillSource
from learnt.core.words import STOP_WORDS
from learnt.stores import skill_folders
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
        query = "SELECT skills FROM postings WHERE term = ?"
        for (skills,) in connection.execute(query, (term,)).fetchall():
            kept = [packed for packed in array("I", skills) if packed & _NUMBER not in numbers]
            connection.execute("DELETE FROM postings WHERE term = ?", (term,))
            if kept:
                connection.execute(_ADD, (term, array("I", kept).tobytes()))
    connection.executemany(_ADD, ((term, added[term].tobytes()) for term in sorted(added)))
    connection.execute("DELETE FROM terms WHERE id NOT IN (SELECT id FROM skills)")
    if rows:
        connection.execute("DELETE FROM stale WHERE id <= ?", (rows[-1][0],))


def sums(connection: sqlite3.Connection, query: str, also: Mapping[str, int]) -> list[int]:
    """By number how well each skill fits; number 0 is a text with `also`, no skill's yet."""
    count, last = connection.execute(
        "SELECT (SELECT count(*) FROM skills), (SELECT ifnull(max(seq), 0) FROM sqlite_sequence)"
    ).fetchone()
    wanted = closeness.weighed(query, lambda text: repeated(text, porter)).whole
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
    wanted = {*repeated(query[: closeness.END], porter)} - _STOP
    rows = connection.execute(
        "SELECT term, length(skills) / 4 FROM postings "
        "WHERE term IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(wanted)),),
    )
    return {term: ranking.weight(having, count) for term, having in rows}


VERSION: Final = 6
PATIENCE: Final = 30  # seconds that another process may write
# A file keeps its number, and no other ever gets it. `more` are a Skill's other fields as JSON.
_SCHEMA: Final = f"""
CREATE TABLE skills (
  id INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT UNIQUE, size INTEGER, written INTEGER,
  name TEXT, description TEXT, digest TEXT, more TEXT
);
{SCHEMA}
"""
_COLUMNS: Final = "file, size, written, name, description, digest, more"
_PUT: Final = f"""
REPLACE INTO skills (id, {_COLUMNS})
VALUES ((SELECT id FROM skills WHERE file = ?1), ?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id
"""
_Given = TypeVar("_Given")


def _stored(file: str) -> str | bytes:
    """A path as SQLite takes it: one that is not UTF-8 as its bytes."""
    raw = os.fsencode(file)
    return file if raw == file.encode("utf-8", "replace") else raw


class SqliteSkills:
    """The skills of source folders. `file`: where the index lies; in memory where it is None."""

    def __init__(self, sources: Sequence[SkillSource], file: Path | None = None) -> None:
        self._sources, self._file = sources, file
        self._known: dict[str, tuple[tuple[int, int], Skill]] = {}  # with its file's stamp
        self._numbers: dict[str, int] = {}  # of the same files
        self._state: int | None = None  # another once another process has written
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Give the file back."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _on(self, work: "Callable[[sqlite3.Connection], _Given]") -> _Given:
        """What is read from the index: opened again, rebuilt, or in memory if need be."""
        for attempt in ("again", "anew", "in memory"):
            try:
                with uncollected():
                    return work(self._opened())
            except (sqlite3.DatabaseError, OSError, ValueError) as error:
                self.close()
                self._state = None  # the next index may lack what this one had
                busy = getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY"  # by others: sound
                if attempt == "in memory":
                    self._file = None
                elif attempt == "anew" and self._file is not None and not busy:
                    for path in (f"{self._file}-journal", self._file):
                        with suppress(OSError):
                            Path(path).unlink()
        return work(self._opened())

    def _opened(self) -> sqlite3.Connection:
        self._connection = self._connection or _opened(self._file)
        return self._connection

    def skills(self) -> list[Skill]:
        self._on(self._look)
        return [self._known[file][1] for file in sorted(self._known)]

    def _look(self, connection: sqlite3.Connection) -> None:
        """Read what was written since, and forget what is gone."""
        here = {place.file: place for place in skill_folders.places(self._sources)}
        (state,) = connection.execute("PRAGMA data_version").fetchone()
        if state == self._state:
            gone = [file for file in self._known if file not in here]
        else:
            gone, self._state = self._take(connection, here), state
        known = {file: stamp for file, (stamp, _) in self._known.items()}
        changed = [place for place in here.values() if known.get(place.file) != place.stamp]
        skills = [
            (place, skill_folders.skill_of(place, text))
            for place in changed
            if (text := skill_folders.text_of(place.file)) is not None
        ]
        for file in (*gone, *(place.file for place in changed)):
            self._known.pop(file, None)
            self._numbers.pop(file, None)
        if not skills and not gone:
            return
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back
            stale = "INSERT OR IGNORE INTO stale"
            lost = [(_stored(file),) for file in gone]
            connection.executemany(f"{stale} SELECT id FROM skills WHERE file = ?", lost)
            connection.executemany("DELETE FROM skills WHERE file = ?", lost)
            for place, skill in skills:
                more = json.dumps(skill[5:12], default=list)
                own = (skill.name, skill.description, skill.digest, more)
                row = connection.execute(_PUT, (_stored(place.file), *place.stamp, *own))
                number = row.fetchone()
                connection.execute(f"{stale} VALUES (?)", number)
                self._known[place.file], (self._numbers[place.file],) = (place.stamp, skill), number

    def _take(
        self, connection: sqlite3.Connection, here: Mapping[str, skill_folders.SkillPlace]
    ) -> list[str]:
        """Know what the index has of the files here; files of others that are gone."""
        self._known, self._numbers, gone = {}, {}, []
        rows = connection.execute(f"SELECT id, {_COLUMNS} FROM skills")
        for number, file, size, written, name, description, digest, more in rows:
            file = file if isinstance(file, str) else os.fsdecode(file)
            place = here.get(file)
            if place is None:
                if not Path(file).is_file():
                    gone.append(file)
            elif place.stamp == (size, written):
                skill = Skill(name, description, place.file, digest, place.layer, *_more(more))
                self._known[place.file], self._numbers[place.file] = (place.stamp, skill), number
        return gone

    def ranked(
        self, query: str, limit: int, among: Collection[str] | None = None, also: AsIf | None = None
    ) -> list[tuple[str, float]]:
        totals = self._on(lambda connection: self._sums(connection, query, also))
        numbers = self._numbers if also is None else {**self._numbers, also.file: 0}
        if among is not None:
            numbers = {file: numbers[file] for file in among if file in numbers}
        fitting = [totals[number] for number in numbers.values()]
        least = max(1, min(nlargest(limit, fitting), default=1))  # equal ones: told apart by file
        both = zip(fitting, numbers, strict=True)
        best = [(total, file) for total, file in both if total >= least]
        best.sort(key=lambda pair: (-pair[0], pair[1]))
        return [(file, selection.score(total)) for total, file in best[:limit]]

    def fits(self, query: str, files: Collection[str]) -> list[float]:
        """How likely each of these skills is what a text wants, 0 to 1, by name and description."""
        told = self._on(lambda connection: telling(connection, query))
        likely = []
        for skill in (self._known[file][1] for file in files):
            headline = f"{skill.name.replace('-', ' ')}\n{skill.description}"
            shared = selection.terms(headline, porter) & told.keys()
            likely.append(selection.fit(told[term] for term in shared))
        return likely

    def _sums(self, connection: sqlite3.Connection, query: str, also: AsIf | None) -> list[int]:
        if self._state is None:
            self._look(connection)
        update(connection, skill_folders.text_of)
        connection.execute("BEGIN")
        with connection:  # one state of the index for all that is read
            return sums(connection, query, also.impacts if also else {})

    text = staticmethod(skill_folders.text_of)
    files = staticmethod(skill_folders.files_of)
    part = staticmethod(skill_folders.part_of)
    folder_digest = staticmethod(skill_folders.digest_of)


def _opened(file: Path | None) -> sqlite3.Connection:
    """The index, with its tables. Raises sqlite3.DatabaseError where it is another's, or none."""
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)
    connection = sqlite3.connect(
        file or ":memory:", timeout=PATIENCE, isolation_level=None, cached_statements=256
    )
    try:
        connection.execute("PRAGMA synchronous = OFF")  # what a power cut damages is rebuilt
        if _version(connection) == 0:
            connection.execute("BEGIN IMMEDIATE")
            with connection:
                if _version(connection) == 0:  # no other process was quicker
                    for statement in _SCHEMA.split(";"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
        if _version(connection) != VERSION:
            raise sqlite3.DatabaseError("an index of another version")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@lru_cache(maxsize=4_096)  # most skills have the same
def _more(stored: str) -> tuple[Any, ...]:
    """The fields of a Skill from its version to its findings."""
    version, tags, roles, stages, source, created_at, findings = json.loads(stored)
    found = tuple(replace(Finding(*row), severity=Severity(row[4])) for row in findings)
    return version, tuple(tags), tuple(roles), tuple(stages), source, created_at, found


@contextmanager
def uncollected() -> Iterator[None]:
    """Without Python's search for cycles: it would go through ten thousand skills many times."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
