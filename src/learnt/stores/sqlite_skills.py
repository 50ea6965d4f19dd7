"""The index of the skills on disk: what is known of each file, and a search by words.

It holds nothing that is not in the files, and may be deleted at any time. A file is read again when
its size or time differs. The search is SQLite's FTS5 over name, description and a body's beginning.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from learnt.core.skills.findings import Finding, Severity
from learnt.core.skills.skills import Layer, Skill, Source
from learnt.core.tokens import UNSPACED, words
from learnt.formats import skill_text
from learnt.stores.skill_folders import Place, digest_of, places, skill_of, text_of

VERSION: Final = 1
SEARCHED: Final = 4_000  # characters of a body; what a skill is for stands at its beginning
MOST_TERMS: Final = 40  # of a query
WEIGHTS: Final = "1.0, 1.0, 0.25"  # name, description, body: see docs/figures.md
_RUN: Final = re.compile(f"[{UNSPACED}]+")
_SCHEMA: Final = """
CREATE TABLE skills (
  id INTEGER PRIMARY KEY, file TEXT UNIQUE, layer INTEGER, size INTEGER, written INTEGER,
  name TEXT, description TEXT, digest TEXT, version TEXT, tags TEXT, roles TEXT, stages TEXT,
  source TEXT, created_at TEXT, findings TEXT
);
CREATE VIRTUAL TABLE search USING fts5 (
  name, description, body, tokenize='porter unicode61'
);
"""
_COLUMNS: Final = """
  name, description, file, digest, layer, version, tags, roles, stages, source, created_at, findings
"""


class SqliteSkills:
    """The skills of source folders. `file`: where the index lies; in memory where it is None."""

    def __init__(self, sources: Sequence[Source], file: Path | None = None) -> None:
        self._sources, self._file = sources, file
        self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        """The index; one of another version, or that cannot be read, is made anew."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for attempt in range(2):
            connection = sqlite3.connect(self._file or ":memory:", timeout=5, isolation_level=None)
            try:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                if version == VERSION:
                    return connection
                if version == 0 or self._file is None:
                    connection.executescript(
                        f"BEGIN;{_SCHEMA};PRAGMA user_version={VERSION};COMMIT"
                    )
                    return connection
            except sqlite3.DatabaseError:
                if attempt or self._file is None:
                    raise
            connection.close()
            self._file.unlink(missing_ok=True)
        raise AssertionError  # the second round returns or raises

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    def _refresh(self) -> None:
        """Read what was written since, and forget what is gone."""
        rows = self._connection.execute("SELECT file, layer, size, written, id FROM skills")
        indexed = {file: (layer, (size, written), id_) for file, layer, size, written, id_ in rows}
        changed = []
        for place in places(self._sources):
            row = indexed.pop(place.file, None)
            if row is None or row[:2] != (place.layer, place.stamp):
                changed.append((place, row and row[2]))
        if not changed and not indexed:
            return
        self._connection.execute("BEGIN IMMEDIATE")
        with self._connection:  # commits, or rolls back
            for _, _, gone in indexed.values():
                self._forget(gone)
            for place, old in changed:
                if old is not None:
                    self._forget(old)
                if (text := text_of(place.file)) is not None:
                    self._add(place, text)

    def _forget(self, row: int) -> None:
        self._connection.execute("DELETE FROM skills WHERE id = ?", (row,))
        self._connection.execute("DELETE FROM search WHERE rowid = ?", (row,))

    def _add(self, place: Place, text: str) -> None:
        skill = skill_of(place, text)
        findings = [(one.rule, one.message, one.line, one.severity) for one in skill.findings]
        row = self._connection.execute(
            f"INSERT INTO skills (size, written, {_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *place.stamp, skill.name, skill.description, skill.file, skill.digest,
                int(skill.layer), skill.version, *map(json.dumps, skill[6:9]), skill.source,
                skill.created_at, json.dumps(findings) if findings else "",
            ),
        ).lastrowid  # fmt: skip
        body = skill_text.read(text, skill.name).body[:SEARCHED]
        parts = (skill.name.replace("-", " "), skill.description, body)
        self._connection.execute(
            "INSERT INTO search (rowid, name, description, body) VALUES (?, ?, ?, ?)",
            (row, *map(_spaced, parts)),
        )

    def skills(self) -> list[Skill]:
        """All skills by file."""
        self._refresh()
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM skills ORDER BY file")
        return [
            Skill(
                name, description, file, digest, Layer(layer), version, _texts(tags),
                _texts(roles), _texts(stages), source, created_at, _findings(findings),
            )
            for name, description, file, digest, layer, version, tags, roles, stages, source,
            created_at, findings in rows
        ]  # fmt: skip

    def ranked(self, query: str, limit: int) -> list[tuple[str, float]]:
        """The files of the skills that fit a text best, each with its score, best first."""
        terms = dict.fromkeys(words(query))
        asked = " OR ".join(f'"{term}"' for term in list(terms)[:MOST_TERMS])
        if not asked:
            return []
        rows = self._connection.execute(
            f"SELECT file, -bm25(search, {WEIGHTS}) AS score FROM search JOIN skills ON id = "
            "search.rowid WHERE search MATCH ? ORDER BY score DESC, file LIMIT ?",
            (asked, limit),
        )
        return [(file, score) for file, score in rows]

    def text(self, file: str) -> str | None:
        """The text of a skill's file; None where it is gone."""
        return text_of(file)

    def folder_digest(self, file: str, instead: str = "") -> str:
        """One SHA-256 for all files of a skill's folder, or of a flat skill's file."""
        return digest_of(file, instead)


def _spaced(text: str) -> str:
    """A text whose runs of unspaced scripts stand as pairs, as a query's do."""

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return f" {' '.join(run[at : at + 2] for at in range(len(run) - 1)) or run} "

    return _RUN.sub(pairs, text)


def _texts(stored: str) -> tuple[str, ...]:
    return () if stored == "[]" else tuple(json.loads(stored))


def _findings(stored: str) -> tuple[Finding, ...]:
    rows: Iterable[tuple[str, str, int, str]] = json.loads(stored) if stored else ()
    return tuple(
        Finding(rule=rule, message=message, line=line, severity=Severity(severity))
        for rule, message, line, severity in rows
    )
