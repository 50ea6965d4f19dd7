"""A complaint is a problem that waits for its cure: never a fact, however often it is typed."""

import json
from pathlib import Path

import pytest

from tests.support.sessions_told import Home, said, told

SETS = Path(__file__).parents[1] / "data" / "sentences"


@pytest.mark.parametrize("half", ["dev", "unseen"])
def test_what_is_typed_in_three_sessions_is_no_fact(half: str) -> None:
    """Thirty complaints of an author who had not seen the program: nothing is kept of any."""
    lines = (SETS / f"{half}_symptoms.jsonl").read_text("utf-8").splitlines()
    kept = []
    for row in map(json.loads, lines):
        home = Home()
        for number, text in enumerate(row["texts"]):
            home.session(f"s{number}", [said(text, told("I will look at it."))])
            home.harvest(f"s{number}")
        kept += [row["id"]] if home.entries() else []

    assert kept == []
