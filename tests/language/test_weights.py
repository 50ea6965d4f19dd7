"""The weights of the comparison: of the data that lies in the repository, and whole."""

import json
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

from learnt.errors import EnvironmentTrouble
from learnt.language.comparison.classifier import WEIGHTS, model
from train import remarks, replies, threats, worth
from train.comparison import ONLY_MEASURED, digest, fitted_authors, load, matrix
from train.corpora import digest as digest_of_texts


def test_the_weights_are_of_the_data_in_the_repository() -> None:
    """Whoever adds pairs fits anew: `python -m train.comparison`."""
    assert json.loads(WEIGHTS.read_text("utf-8"))["data"] == digest(fitted_authors())
    assert not set(fitted_authors()) & set(ONLY_MEASURED)


@pytest.mark.parametrize("trained", [worth, remarks, replies, threats], ids=lambda m: m.__name__)
def test_what_is_shipped_is_fitted_on_the_texts_in_the_repository(trained: ModuleType) -> None:
    """Whoever adds texts fits anew; `--check` fits, and compares all of it."""
    for name, texts in trained.texts().items():
        shipped = json.loads(files("learnt.language").joinpath(f"{name}.json").read_text("utf-8"))
        assert shipped["data"] == digest_of_texts(texts), name


def test_every_feature_has_a_weight() -> None:
    """None is measured in vain, and none is missing."""
    pairs = load(["iris"])
    assert set(pairs[0].compared.features.values) == set(model().weights)
    assert matrix(pairs).shape == (len(pairs), len(model().weights))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value"),
        ("[]", "list indices"),
        ('{"version": 1}', "'weights'"),
        ('{"version": 1, "weights": {"a": [1, 2]}}', "missing 2 required"),
        ('{"version": 2}', "of version 2, not 1"),
    ],
)
def test_a_damaged_file_of_weights_is_told_of(tmp_path: Path, text: str, message: str) -> None:
    """What is wrong with it is in the message, with the file's name and what to do."""
    path = tmp_path / "weights.json"
    path.write_text(text, "utf-8")
    with pytest.raises(EnvironmentTrouble, match=message) as raised:
        model(path)
    assert f"{path} is not usable" in str(raised.value)
    assert "Install Learnt again" in str(raised.value)
