"""The weights that are shipped: fitted on the data that lies in the repository, and whole."""

import json
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

from learnt.errors import EnvironmentTrouble
from learnt.language.scorer import load
from train import remarks, replies, threats, worth
from train.fitting import digest


@pytest.mark.parametrize("trained", [worth, remarks, replies, threats], ids=lambda m: m.__name__)
def test_what_is_shipped_is_fitted_on_the_texts_in_the_repository(trained: ModuleType) -> None:
    """Whoever adds texts fits again; `--check` fits, and compares all of it."""
    for name, samples in trained.samples().items():
        shipped = json.loads(files("learnt.language").joinpath(f"{name}.json").read_text("utf-8"))
        assert shipped["data"] == digest(samples), name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value"),
        ("[]", "list indices"),
        ('{"version": 1}', "'labels'"),
        ('{"version": 1, "labels": [], "intercepts": 1}', "not iterable"),
        ('{"version": 2}', "of version 2, not 1"),
    ],
)
def test_a_damaged_file_of_weights_is_told_of(tmp_path: Path, text: str, message: str) -> None:
    """What is wrong with it is in the message, with the file's name and what to do."""
    path = tmp_path / "weights.json"
    path.write_text(text, "utf-8")
    with pytest.raises(EnvironmentTrouble, match=message) as raised:
        load("weights", tmp_path)
    assert f"{path} is not usable" in str(raised.value)
    assert "Install Learnt again" in str(raised.value)
