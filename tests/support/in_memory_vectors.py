"""A scripted embedder, and vectors in memory: shipped fakes under the real contracts."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from learnt.core.recall.vectors import Vector, VectorPlace
from learnt.errors import VectorsUnusable


class ScriptedEmbedder:
    """Gives each text the vector that a script has for it; a text's own letters otherwise.

    An error in the script is raised. `asked` are the texts that it was given.
    """

    def __init__(
        self, script: Mapping[str, Vector | BaseException] | None = None, name: str = "scripted"
    ) -> None:
        self._script, self.name, self.spread = dict(script or {}), name, 1.0
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        self.asked += texts
        given = [self._script.get(text, _letters(text)) for text in texts]
        for each in given:
            if isinstance(each, BaseException):
                raise each
        return [each for each in given if not isinstance(each, BaseException)]


def _letters(text: str) -> list[float]:
    counts = [0.1] * 16
    for letter in text:
        counts[ord(letter) % 16] += 1
    return counts


class InMemoryVectors:
    """Vectors in a dictionary; `broken` says why nothing can be read."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[VectorPlace, list[float]]] = {}
        self.broken = ""

    def _held(self) -> dict[str, tuple[VectorPlace, list[float]]]:
        if self.broken:
            raise VectorsUnusable(self.broken)
        return self._rows

    def held(self) -> frozenset[VectorPlace]:
        return frozenset(placed for placed, _ in self._held().values())

    def known(self, digests: Collection[str]) -> Mapping[str, Vector]:
        return {p.digest: vector for p, vector in self._held().values() if p.digest in digests}

    def put(self, rows: Sequence[tuple[VectorPlace, Vector]]) -> None:
        sizes = {len(v) for _, v in (*self._held().values(), *rows)}
        if len(sizes) > 1:
            raise VectorsUnusable(f"vectors of {sorted(sizes)} dimensions")
        self._rows |= {placed.item: (placed, list(vector)) for placed, vector in rows}

    def drop(self, items: Collection[str]) -> None:
        for item in items:
            self._held().pop(item, None)

    def nearest(
        self, vector: Vector, scopes: Collection[str], limit: int
    ) -> list[tuple[str, float]]:
        fitting = (item for item, (placed, _) in self._held().items() if placed.scope in scopes)
        near = self._cosines(vector, fitting)
        return sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def cosines(self, vector: Vector, items: Collection[str]) -> Mapping[str, float]:
        return self._cosines(vector, (item for item in items if item in self._held()))

    def _cosines(self, vector: Vector, items: Iterable[str]) -> dict[str, float]:
        held = self._held()
        try:
            return {item: _product(vector, held[item][1]) for item in items}
        except ValueError as error:
            raise VectorsUnusable(str(error)) from error

    def clear(self) -> None:
        self._rows, self.broken = {}, ""


def _product(one: Vector, other: Vector) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))
