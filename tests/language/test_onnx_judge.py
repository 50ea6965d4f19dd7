"""The comparison's optional judge: an inference model that the user names."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from learnt.bootstrap import opened
from learnt.core.knowledge.relations import Relation
from learnt.errors import JudgeUnusable, UsageError
from learnt.language.onnx_judge import load
from learnt.settings import Settings
from learnt.settings import load as settings_of
from learnt.surfaces.probes import probes

ORDER = ("contradiction", "entailment", "neutral")
# Each word of a pair adds to the model's three outputs.
WORDS = {"[UNK]": (0, 0, 0), "alike": (0, 9, 0), "against": (9, 0, 0), "other": (0, 0, 9)}


def model_in(
    folder: Path,
    *,
    outputs: int = 3,
    labels: Mapping[str, str] | None = None,
    name: str = "input_ids",
) -> Path:
    """A model that adds up the words of both statements, with what lies beside it."""
    table = np.zeros((len(WORDS), outputs), dtype=np.float32)
    for at, row in enumerate(WORDS.values()):
        table[at, :] = np.resize(row, outputs)
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", name], ["rows"]),
            helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
        ],
        "sums",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, outputs])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    named = {str(at): label.upper() for at, label in enumerate(ORDER)} if labels is None else labels
    (folder / "config.json").write_text(json.dumps({"id2label": named}), "utf-8")
    return folder / "model.onnx"


@pytest.mark.parametrize(
    ("word", "relation"),
    [
        ("alike", Relation.DUPLICATE),
        ("against", Relation.CONTRADICTION),
        ("other", Relation.DISTINCT),
        ("unknown", None),
    ],
)
def test_what_the_model_infers_both_ways_is_the_relation(
    tmp_path: Path, word: str, relation: Relation | None
) -> None:
    """Entailed either way is a duplicate; a model that is not sure says nothing."""
    assert load(model_in(tmp_path)).relation("the till", f"{word} the till") is relation


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, missing: str) -> None:
    """The message says which."""
    path = model_in(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(JudgeUnusable, match=missing):
        load(path)


def test_a_damaged_model_is_told_of(tmp_path: Path) -> None:
    """It is no ONNX file."""
    path = model_in(tmp_path)
    path.write_bytes(b"not a model")
    with pytest.raises(JudgeUnusable, match="cannot be read"):
        load(path)


@pytest.mark.parametrize(
    ("labels", "said"),
    [({"0": "positive", "1": "negative"}, "no inference model"), ({"1": "neutral"}, "id2label")],
)
def test_a_model_of_other_outputs_is_told_of(
    tmp_path: Path, labels: dict[str, str], said: str
) -> None:
    """One that tells moods apart is no judge."""
    with pytest.raises(JudgeUnusable, match=said):
        load(model_in(tmp_path, labels=labels))


def test_a_model_of_another_shape_is_told_of(tmp_path: Path) -> None:
    """What it answers, or what it is fed, does not fit."""
    with pytest.raises(JudgeUnusable, match="2 numbers"):
        load(model_in(tmp_path, outputs=2))
    with pytest.raises(JudgeUnusable, match="does not answer"):
        load(model_in(tmp_path, name="pixels"))


def test_the_model_named_in_config_toml_decides_what_rules_leave_open(tmp_path: Path) -> None:
    """A relative path is of the home; what rules are sure of is not asked."""
    home = tmp_path / "home"
    home.mkdir()
    model_in(home)
    (home / "config.toml").write_text('[language]\njudge = "model.onnx"\n', "utf-8")
    with opened(settings_of({}, str(home))) as outside:
        open_to_doubt = outside.language.compare(
            "The till is checked against the ledger each night",
            "Ledger checks of the till happen at noon",
        )
        plain = outside.language.compare("The till is against dust", "The till is against dust.")
    assert (Relation.CONTRADICTION, True) == (open_to_doubt.relation, open_to_doubt.judged)
    assert (Relation.DUPLICATE, False) == (plain.relation, plain.judged)


def test_doctor_tells_of_the_model(tmp_path: Path) -> None:
    """A finding where it cannot be used, and rules alone decide; nothing where none is named."""
    whole, half = tmp_path / "whole", tmp_path / "half"
    whole.mkdir()
    half.mkdir()
    named = (None, half / "model.onnx", model_in(whole))
    none, missing, sound = (
        {probe.name: probe for probe in probes(Settings(home=tmp_path, judge=judge), tmp_path)}
        for judge in named
    )
    assert "judge" not in none
    assert "warning" == missing["judge"].level
    assert "is not there" in missing["judge"].said
    assert "ok" == sound["judge"].level


def test_a_judge_that_is_no_path_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the setting."""
    (tmp_path / "config.toml").write_text("[language]\njudge = 3\n", "utf-8")
    with pytest.raises(UsageError, match=r"\[language\] judge"):
        settings_of({}, str(tmp_path))
