"""Vectors in a file of SQLite, one a model: scanned whole, or where they are very many by signs.

A sign a dimension tells which are near enough to be compared exactly. The file is opened for each
call: whoever removed it erased what is in it.
"""

import hashlib
import json
import shutil
import sqlite3
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import starmap
from pathlib import Path
from typing import Any, Final

from learnt.core.recall.vectors import Vector, VectorPlace
from learnt.errors import VectorsUnusable

EXACT: Final = 100_000  # vectors of the scopes that are all compared
RESCORED: Final = 4_000  # of more, those that are compared exactly
_TAKEN: Final = 8_192  # rows in memory at a time
# A page holds ten vectors, so that little of the file is empty; it is read without being copied.
_SETTINGS: Final = ("page_size = 16384", "secure_delete = ON", "mmap_size = 1000000000")
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors (
  id INTEGER PRIMARY KEY, item TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
  scope TEXT NOT NULL, stage TEXT NOT NULL, vector BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS vectors_by_digest ON vectors (digest);
CREATE TABLE IF NOT EXISTS signs (
  scope TEXT NOT NULL, id INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (scope, id)
) WITHOUT ROWID;
"""


_AMONG: Final = "IN (SELECT value FROM json_each(?))"


class SqliteVectors:
    """The vectors of one model below a folder."""

    def __init__(self, folder: Path, model: str, exact: int = EXACT) -> None:
        name = hashlib.sha256(model.encode()).hexdigest()[:16]
        self._folder, self._file, self._exact = folder, folder / f"{name}.db", exact

    @contextmanager
    def _open(self, *, make: bool = False) -> Iterator[sqlite3.Connection]:
        try:
            if make:
                self._folder.mkdir(mode=0o700, exist_ok=True)
            elif not self._file.exists():
                with closing(sqlite3.connect(":memory:")) as nothing:
                    nothing.executescript(_SCHEMA)
                    yield nothing
                return
            with closing(sqlite3.connect(self._file, timeout=30)) as connection:
                for setting in _SETTINGS:
                    connection.execute(f"PRAGMA {setting}")
                connection.executescript(_SCHEMA)
                with connection:
                    yield connection
        except ImportError as error:
            raise VectorsUnusable(
                f"Vectors need {error.name}: install Learnt with the extra `dense`, "
                "or `models` for a server. Search goes by words alone."
            ) from error
        except (sqlite3.Error, OSError, ValueError) as error:
            raise VectorsUnusable(
                f"{self._file} cannot be read or written: {error}. Search goes by words alone. "
                "`learnt rebuild --vectors` makes it again."
            ) from error

    def held(self) -> frozenset[VectorPlace]:
        with self._open() as file:
            rows = file.execute("SELECT item, digest, scope, stage FROM vectors")
            return frozenset(starmap(VectorPlace, rows))

    def known(self, digests: Collection[str]) -> Mapping[str, Vector]:
        with self._open() as file:
            query = f"SELECT digest, vector FROM vectors WHERE digest {_AMONG}"
            rows = file.execute(query, (json.dumps([*digests]),))
            return {digest: array("f", raw) for digest, raw in rows}

    def put(self, rows: Sequence[tuple[VectorPlace, Vector]]) -> None:
        with self._open(make=True) as file:
            import numpy as np

            size = file.execute("SELECT length(vector) / 4 FROM vectors LIMIT 1").fetchone()
            _drop(file, [placed.item for placed, _ in rows])
            for placed, vector in rows:
                if size and len(vector) != size[0]:
                    raise VectorsUnusable(
                        f"The embedder gives {len(vector)} dimensions now, and gave {size[0]}. "
                        "`learnt rebuild --vectors` makes the vectors again."
                    )
                size, numbers = (len(vector),), np.asarray(vector, "<f4")
                row = file.execute(
                    "INSERT INTO vectors (item, digest, scope, stage, vector)"
                    " VALUES (?, ?, ?, ?, ?) RETURNING id",
                    (*placed, numbers.tobytes()),
                ).fetchone()
                bits = np.packbits(numbers > 0).tobytes()
                file.execute("INSERT INTO signs VALUES (?, ?, ?)", (placed.scope, *row, bits))

    def drop(self, items: Collection[str]) -> None:
        with self._open() as file:
            _drop(file, items)

    def nearest(
        self, vector: Vector, scopes: Collection[str], limit: int
    ) -> list[tuple[str, float]]:
        of_scopes, where = (json.dumps([*scopes]),), f"WHERE scope {_AMONG}"
        with self._open() as file:
            counted = file.execute(f"SELECT count(*) FROM signs {where}", of_scopes).fetchone()
            if counted[0] <= self._exact:
                near = file.execute(f"SELECT id, vector FROM vectors {where}", of_scopes)
            else:
                bits = file.execute(f"SELECT id, bits FROM signs {where}", of_scopes)
                some = [number for number, _ in _best(bits, vector, RESCORED, signs=True)]
                near = file.execute(
                    f"SELECT id, vector FROM vectors WHERE id {_AMONG}", (json.dumps(some),)
                )
            name = "SELECT item FROM vectors WHERE id = ?"
            return [
                (file.execute(name, (number,)).fetchone()[0], cosine)
                for number, cosine in _best(near, vector, limit)
            ]

    def cosines(self, vector: Vector, items: Collection[str]) -> Mapping[str, float]:
        with self._open() as file:
            query = f"SELECT item, vector FROM vectors WHERE item {_AMONG}"
            rows = file.execute(query, (json.dumps([*items]),))
            return dict(_best(rows, vector, len(items)))

    def clear(self) -> None:
        try:
            for path in self._folder.glob("*.db*"):
                path.unlink(missing_ok=True)
            for path in self._folder.glob("*.lance"):
                shutil.rmtree(path)
        except OSError as error:
            raise VectorsUnusable(f"{self._folder} cannot be emptied: {error}") from error


def _drop(file: sqlite3.Connection, items: Collection[str]) -> None:
    for item in items:
        row = file.execute(
            "DELETE FROM vectors WHERE item = ? RETURNING scope, id", (item,)
        ).fetchone()
        if row:
            file.execute("DELETE FROM signs WHERE scope = ? AND id = ?", row)


def _best(
    rows: sqlite3.Cursor, vector: Vector, limit: int, *, signs: bool = False
) -> list[tuple[Any, float]]:
    """The rows nearest to a vector, by cosine or by how many signs they share."""
    import numpy as np

    asked = np.asarray(vector, "<f4")
    bits = np.packbits(asked > 0)
    keys: list[Any] = []
    scores = [np.zeros(0, "<f4")]
    while taken := rows.fetchmany(_TAKEN):
        keys += (key for key, _ in taken)
        raw = b"".join(held for _, held in taken)
        if signs:
            differ = np.frombuffer(raw, np.uint8).reshape(len(taken), -1) ^ bits
            scores.append(-np.bitwise_count(differ).sum(axis=1, dtype="<f4"))
        else:
            scores.append(np.frombuffer(raw, "<f4").reshape(len(taken), -1) @ asked)
    every = np.concatenate(scores)
    order = np.argsort(-every, kind="stable")[:limit]
    return [(keys[at], float(every[at])) for at in order.tolist()]
