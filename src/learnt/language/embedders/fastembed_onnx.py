"""Models that fastembed runs: of its own list, or of a folder with the files of one."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from learnt.core.recall.vectors import SPREAD, Vector
from learnt.errors import EmbedderUnusable

if TYPE_CHECKING:
    from fastembed import TextEmbedding

FILES: Final = ("model.onnx", "model_optimized.onnx", "onnx/model.onnx")


class FastEmbed:
    """A model of fastembed's, by its name there."""

    def __init__(self, model: "TextEmbedding", name: str) -> None:
        self._model, self.name, self.spread = model, name, SPREAD

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text."""
        given = list(texts)
        vectors: Iterator[Any] = (
            self._model.query_embed(given) if question else self._model.embed(given)
        )
        return [vector.tolist() for vector in vectors]


def load(name: str, folder: Path | None) -> FastEmbed:
    """The embedder. Without a folder fastembed fetches the model when it is used first.

    A folder has the model's file, `tokenizer.json`, `tokenizer_config.json` and `config.json`, as
    they are published; nothing is fetched then.

    Raises EmbedderUnusable, saying what is missing or wrong.
    """
    try:
        from fastembed import TextEmbedding
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
            _add(name, folder, file)
        model = TextEmbedding(name, specific_model_path=str(folder), threads=1)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise EmbedderUnusable(f"fastembed cannot load {name}: {error}") from error
    about = (folder / file).stat()  # another file in its place gives other vectors
    return FastEmbed(model, f"fastembed {name} {about.st_size} {about.st_mtime_ns}")


def _add(name: str, folder: Path, file: str) -> None:
    """Tell fastembed of a model that it does not know."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    TextEmbedding.add_custom_model(
        model=name,
        pooling=PoolingType.CLS if "bge" in name.lower() else PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=name),
        dim=int(config["hidden_size"]),
        model_file=file,
    )
