"""The weights of the comparison: of the data that lies in the repository, and whole."""

import json

import pytest

from learnt.language.comparison.classifier import model, parsed
from train.comparison import ONLY_MEASURED, WEIGHTS, digest, fitted_authors, load, matrix


def test_the_weights_are_of_the_data_in_the_repository() -> None:
    """Whoever adds pairs fits anew: `python -m train.comparison`."""
    assert json.loads(WEIGHTS.read_text("utf-8"))["data"] == digest(fitted_authors())
    assert not set(fitted_authors()) & set(ONLY_MEASURED)


def test_every_feature_has_a_weight() -> None:
    """None is measured in vain, and none is missing."""
    pairs = load(["iris"])
    assert set(pairs[0].compared.features.values) == set(model().weights)
    assert matrix(pairs).shape == (len(pairs), len(model().weights))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value"),
        ("[]", "lacks"),
        ('{"version": 1}', "lacks 'intercept'"),
        ('{"version": 2}', "of version 2, not 1"),
    ],
)
def test_a_damaged_file_of_weights_is_told_of(text: str, said: str) -> None:
    """What is wrong with it is in the message."""
    with pytest.raises(ValueError, match=said):
        parsed(text)
