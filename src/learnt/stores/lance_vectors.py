"""Vectors in LanceDB, a table a stage, for those who want that store; needs the extra `lancedb`."""

import hashlib
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from learnt.core.recall.vectors import Vector, VectorPlace
from learnt.errors import VectorsUnusable

_FIELDS: Final = list(VectorPlace.__struct_fields__)
_ALL: Final = 10_000_000
_OPTIMISED: Final = 64  # additions after which a table's files are joined


def _listed(values: Iterable[str]) -> str:
    quoted = ("'" + value.replace("'", "''") + "'" for value in values)
    return f"({', '.join(quoted) or 'NULL'})"


class LanceVectors:
    """The vectors of one model below a folder. Raises VectorsUnusable where LanceDB is missing."""

    def __init__(self, folder: Path, model: str) -> None:
        try:
            import lancedb
        except ImportError as error:
            raise VectorsUnusable(
                f"[search] vectors needs {error.name}: install Learnt with the extra `lancedb`."
            ) from error
        self._lancedb: Any = lancedb
        name = hashlib.sha256(model.encode()).hexdigest()[:16]
        self._folder, self._place = folder, folder / f"{name}.lance"

    def _guarded(self, work: Callable[[Any], Any]) -> Any:
        try:
            if not self._place.exists():
                self._place.mkdir(mode=0o700, parents=True)
            return work(self._lancedb.connect(str(self._place)))
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise VectorsUnusable(
                f"{self._place} cannot be read or written: {error}. Search goes by words alone. "
                "`learnt rebuild --vectors` makes it again."
            ) from error

    @staticmethod
    def _tables(base: Any) -> list[Any]:
        return [base.open_table(name) for name in base.list_tables().tables]

    def _rows(self, base: Any, columns: list[str], where: str = "") -> list[dict[str, Any]]:
        found = []
        for table in self._tables(base):
            query = table.search().select(columns).limit(_ALL)
            found += (query.where(where) if where else query).to_list()
        return found

    def held(self) -> frozenset[VectorPlace]:
        rows = self._guarded(lambda base: self._rows(base, _FIELDS))
        return frozenset(VectorPlace(**row) for row in rows)

    def known(self, digests: Collection[str]) -> Mapping[str, Vector]:
        where = f"digest IN {_listed(digests)}"
        rows = self._guarded(lambda base: self._rows(base, ["digest", "vector"], where))
        return {row["digest"]: row["vector"] for row in rows}

    def put(self, rows: Sequence[tuple[VectorPlace, Vector]]) -> None:
        def work(base: Any) -> None:
            held = {t.schema.field("vector").type.list_size for t in self._tables(base)}
            if len(sizes := held | {len(vector) for _, vector in rows}) > 1:
                raise ValueError(f"vectors of {sorted(sizes)} dimensions")
            self._drop(base, [placed.item for placed, _ in rows])
            names = base.list_tables().tables
            for stage in dict.fromkeys(placed.stage for placed, _ in rows):
                data = [
                    {**asdict(placed), "vector": list(map(float, vector))}
                    for placed, vector in rows
                    if placed.stage == stage
                ]
                if stage in names:
                    table = base.open_table(stage)
                    table.add(data)
                    if table.version % _OPTIMISED == 0:  # each addition is a file of its own
                        table.optimize()
                else:
                    base.create_table(stage, data)

        self._guarded(work)

    def drop(self, items: Collection[str]) -> None:
        self._guarded(lambda base: self._drop(base, items))

    def _drop(self, base: Any, items: Collection[str]) -> None:
        for table in self._tables(base) if items else ():
            table.delete(f"item IN {_listed(items)}")

    def _near(self, base: Any, vector: Vector, where: str, limit: int) -> list[tuple[str, float]]:
        found: list[tuple[str, float]] = []
        for table in self._tables(base):
            query = table.search(list(map(float, vector))).distance_type("cosine")
            rows = (
                query
                .where(where, prefilter=True)
                .select(["item", "_distance"])
                .limit(limit)
                .to_list()
            )
            found += ((row["item"], 1 - row["_distance"]) for row in rows)
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def nearest(
        self, vector: Vector, scopes: Collection[str], limit: int
    ) -> list[tuple[str, float]]:
        where = f"scope IN {_listed(scopes)}"
        found: list[tuple[str, float]] = self._guarded(
            lambda base: self._near(base, vector, where, limit)
        )
        return found

    def cosines(self, vector: Vector, items: Collection[str]) -> Mapping[str, float]:
        where = f"item IN {_listed(items)}"
        most = max(1, len(items))
        return dict(self._guarded(lambda base: self._near(base, vector, where, most)))

    def clear(self) -> None:
        try:
            with suppress(FileNotFoundError):
                shutil.rmtree(self._folder)
        except OSError as error:
            raise VectorsUnusable(f"{self._folder} cannot be emptied: {error}") from error
