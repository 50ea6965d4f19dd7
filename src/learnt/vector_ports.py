"""What a search by meaning asks of the outside: an embedder, and a place for its vectors."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from learnt.core.recall.vectors import Vector, VectorPlace


class Embedder(Protocol):
    """Texts to vectors, near one another where the texts mean the same."""

    @property
    def name(self) -> str:
        """What tells its vectors from those of any other model. Raises EmbedderUnusable."""

    @property
    def spread(self) -> float:
        """By how much its cosines of texts that have nothing in common differ, about."""

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text; `question`: the texts ask. Raises EmbedderUnusable."""


class Vectors(Protocol):
    """The vectors of one model, all of one length. Every method raises VectorsUnusable."""

    def held(self) -> frozenset[VectorPlace]:
        """All that have a vector."""

    def known(self, digests: Collection[str]) -> Mapping[str, Vector]:
        """The vectors of texts, by the hashes of those that have one."""

    def put(self, rows: Sequence[tuple[VectorPlace, Vector]]) -> None:
        """Keep vectors of length 1, each in the place of its item's old one."""

    def drop(self, items: Collection[str]) -> None:
        """Erase the vectors of these items."""

    def nearest(
        self, vector: Vector, scopes: Collection[str], limit: int
    ) -> Sequence[tuple[str, float]]:
        """The items of these scopes nearest to a vector of length 1, by their cosines."""

    def cosines(self, vector: Vector, items: Collection[str]) -> Mapping[str, float]:
        """The cosines of those items that have a vector."""

    def clear(self) -> None:
        """Erase all vectors of every model."""


@dataclass(slots=True)
class Dense:
    """The embedder that is on, its vectors by model, and why the last question lacked them."""

    embedder: Embedder
    vectors: Callable[[str], Vectors]
    trouble: str = ""
