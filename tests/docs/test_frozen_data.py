"""Evaluation sets stay as they were before the code that is measured by them."""

import hashlib
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"
FROZEN = sorted(DATA.glob("*/FROZEN.sha256"))


def test_there_are_frozen_sets() -> None:
    """Episodes, statements, sessions."""
    assert {"episodes", "knowledge", "sessions"} <= {path.parent.name for path in FROZEN}


@pytest.mark.parametrize("listed", FROZEN, ids=lambda path: path.parent.name)
def test_a_frozen_set_is_as_it_was(listed: Path) -> None:
    """Byte for byte."""
    for line in listed.read_text("utf-8").splitlines():
        digest, name = line.split()
        held = (listed.parent / name.removeprefix("*")).read_bytes()
        assert digest == hashlib.sha256(held).hexdigest(), name
