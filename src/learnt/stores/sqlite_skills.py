"""The index of the skills on disk: what is known of each file, and a search by words.

It holds nothing that is not in the files, and may be deleted at any time. A file is read again when
its size or time differs, its words when something is searched for. Processes with other sources
share the index: each sees its own files only. One that is damaged, or of another version, is made
anew; where none can be kept, it is in memory.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from heapq import nlargest
from pathlib import Path
from typing import Any, Final, TypeVar

from learnt.core.skills import relevance
from learnt.core.skills.findings import Finding, Severity
from learnt.core.skills.skills import AsIf, Skill, Source
from learnt.stores import sqlite_postings
from learnt.stores.skill_folders import Place, digest_of, places, skill_of, text_of

VERSION: Final = 2
PATIENCE: Final = 30  # seconds that another process may write
_SCHEMA: Final = f"""
CREATE TABLE skills (
  id INTEGER PRIMARY KEY, file TEXT UNIQUE, size INTEGER, written INTEGER, name TEXT,
  description TEXT, digest TEXT, version TEXT, tags TEXT, roles TEXT, stages TEXT, source TEXT,
  created_at TEXT, findings TEXT
);
{sqlite_postings.SCHEMA}
"""
_COLUMNS: Final = (
    "file, size, written, name, description, digest, version, tags, roles, stages, source, "
    "created_at, findings"
)
_Stamp = tuple[int, int]
_Given = TypeVar("_Given")


class SqliteSkills:
    """The skills of source folders. `file`: where the index lies; in memory where it is None."""

    def __init__(self, sources: Sequence[Source], file: Path | None = None) -> None:
        self._sources, self._file = sources, file
        self._known: dict[str, tuple[_Stamp, Skill]] = {}
        self._numbers: tuple[object, Mapping[int, str], int] = (None, {}, 0)
        self._looks = 0  # that changed what is known
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Give the file back."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _on(self, work: "Callable[[sqlite3.Connection], _Given]") -> _Given:
        """What is read from the index: opened again, made anew, or in memory if need be."""
        for mend in (self._again, self._anew, self._in_memory):
            try:
                return work(self._opened())
            except (sqlite3.DatabaseError, OSError) as error:
                self.close()
                self._known = {}  # the next index may lack what this one had
                mend(error)
        return work(self._opened())

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _opened(self._file)
        return self._connection

    def _again(self, _: Exception) -> None:
        """Another process may have put a sound one in its place."""

    def _anew(self, error: Exception) -> None:
        # One that another process writes to is sound.
        if self._file is not None and getattr(error, "sqlite_errorname", "") != "SQLITE_BUSY":
            for path in (f"{self._file}-journal", self._file):
                with suppress(OSError):
                    Path(path).unlink()

    def _in_memory(self, _: Exception) -> None:
        self._file = None

    def skills(self) -> list[Skill]:
        """All skills by file."""
        self._on(self._look)
        return [self._known[file][1] for file in sorted(self._known)]

    def _look(self, connection: sqlite3.Connection) -> None:
        """Read what was written since, and forget what is gone."""
        here = {place.file: place for place in places(self._sources)}
        gone = [file for file in self._known if file not in here]
        if not self._known:
            # What others' sources have stays while it is there.
            every = connection.execute("SELECT file FROM skills")
            gone = [file for (file,) in every if file not in here and not Path(file).is_file()]
            self._take(here, connection.execute(f"SELECT {_COLUMNS} FROM skills"))
        changed = [place for place in here.values() if not self._is_known(place)]
        skills = [
            (place, skill_of(place, text))
            for place in changed
            if (text := text_of(place.file)) is not None
        ]
        if not changed and not gone:
            return
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back
            for place, skill in skills:
                _put(connection, place, skill)
            for file in gone:
                connection.execute(
                    "INSERT OR IGNORE INTO stale SELECT id FROM skills WHERE file = ?", (file,)
                )
                connection.execute("DELETE FROM skills WHERE file = ?", (file,))
        for file in (*gone, *(place.file for place in changed)):
            self._known.pop(file, None)
        self._known.update((place.file, (place.stamp, skill)) for place, skill in skills)
        self._looks += 1

    def _is_known(self, place: Place) -> bool:
        known = self._known.get(place.file)
        return known is not None and known[0] == place.stamp

    def _take(self, here: Mapping[str, Place], rows: "Iterable[tuple[Any, ...]]") -> None:
        for row in rows:
            file, size, written, name, description, digest, version, *lists = row
            place = here.get(file)
            if place is not None and place.stamp == (size, written):
                tags, roles, stages, source, created_at, findings = lists
                skill = Skill(
                    name, description, file, digest, place.layer, version, _texts(tags),
                    _texts(roles), _texts(stages), source, created_at, _findings(findings),
                )  # fmt: skip
                self._known[place.file] = (place.stamp, skill)
        self._looks += 1

    def ranked(
        self,
        query: str,
        limit: int,
        among: Collection[str] | None = None,
        also: AsIf | None = None,
    ) -> list[tuple[str, float]]:
        """The files of the skills that fit a text best, each with its score, best first.

        `among`: of these files only. `also`: as if that file had a text with these words.
        """
        fitting = self._on(lambda connection: self._ranked(connection, query, limit, among, also))
        return [(file, relevance.score(total)) for total, file in fitting]

    def _ranked(
        self,
        connection: sqlite3.Connection,
        query: str,
        limit: int,
        among: Collection[str] | None,
        also: AsIf | None,
    ) -> list[tuple[int, str]]:
        if not self._known:
            self._look(connection)
        sqlite_postings.update(connection, text_of)
        connection.execute("BEGIN")
        with connection:  # one state of the index for all that is read
            files, count = self._files(connection)
            totals = sqlite_postings.sums(connection, query, count, also.impacts if also else {})
        if also is not None:
            others = {number: file for number, file in files.items() if file != also.file}
            files = {0: also.file, **others}
        if among is not None:
            files = {number: file for number, file in files.items() if file in among}
        if among is not None or also is not None or len(files) < count:
            totals = [total if number in files else 0 for number, total in enumerate(totals)]
        least = max(1, min(nlargest(limit, totals)))  # those that equal it are told apart by file
        best = [number for number, total in enumerate(totals) if total >= least]
        pairs = [(-totals[number], files[number]) for number in best if number in files]
        return [(-total, file) for total, file in sorted(pairs)[:limit]]

    def _files(self, connection: sqlite3.Connection) -> tuple[Mapping[int, str], int]:
        """The files that are known here, by number, and how many the whole index has."""
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        if self._numbers[0] != (version, self._looks):
            rows = connection.execute("SELECT id, file FROM skills").fetchall()
            own = {number: file for number, file in rows if file in self._known}
            self._numbers = ((version, self._looks), own, len(rows))
        return self._numbers[1], self._numbers[2]

    def text(self, file: str) -> str | None:
        """The text of a skill's file; None where it is gone."""
        return text_of(file)

    def folder_digest(self, file: str, instead: str = "") -> str:
        """One SHA-256 for all files of a skill's folder, or of a flat skill's file."""
        return digest_of(file, instead)


def _opened(file: Path | None) -> sqlite3.Connection:
    """The index, with its tables. Raises sqlite3.DatabaseError where it is another's, or none."""
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = sqlite3.connect(
        file or ":memory:", timeout=PATIENCE, isolation_level=None, cached_statements=256
    )
    try:
        connection.execute("PRAGMA synchronous = OFF")  # what a power cut damages is made anew
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


def _put(connection: sqlite3.Connection, place: Place, skill: Skill) -> None:
    findings = [(one.rule, one.message, one.line, one.severity) for one in skill.findings]
    values = (
        skill.file, *place.stamp, skill.name, skill.description, skill.digest, skill.version,
        *map(json.dumps, (skill.tags, skill.roles, skill.stages)), skill.source,
        skill.created_at, json.dumps(findings) if findings else "",
    )  # fmt: skip
    (number,) = connection.execute(
        f"INSERT INTO skills ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (file) "
        f"DO UPDATE SET ({_COLUMNS}) = (excluded.{_COLUMNS.replace(', ', ', excluded.')}) "
        "RETURNING id",
        values,
    ).fetchone()
    connection.execute("INSERT OR IGNORE INTO stale VALUES (?)", (number,))


@lru_cache(maxsize=4_096)
def _texts(stored: str) -> tuple[str, ...]:
    return () if stored == "[]" else tuple(json.loads(stored))


def _findings(stored: str) -> tuple[Finding, ...]:
    rows: Iterable[tuple[str, str, int, str]] = json.loads(stored) if stored else ()
    return tuple(
        Finding(rule=rule, message=message, line=line, severity=Severity(severity))
        for rule, message, line, severity in rows
    )
