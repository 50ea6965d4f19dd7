"""The labelled episodes that may be looked at: outcomes agree with them."""

import hashlib
import json

import pytest

from benchmarks.outcomes import EPISODES, own
from learnt.language.scorer import reply

BLAME = {"revert", "correction", "negative"}


@pytest.mark.parametrize(("half", "least"), [("dev", 0.97), ("tuning", 0.95)])
def test_trouble_is_told_as_it_was_labelled(half: str, least: float) -> None:
    """Played as the reports of hooks, from the prompt to the session's end."""
    played = own(half)
    agreed = [e.label["trouble"] == (e.outcome().payload["trouble"] != "none") for e in played]
    assert sum(agreed) / len(agreed) >= least


def test_next_prompts_are_told_apart() -> None:
    """Blame from praise, new tasks and mere acknowledgement."""
    lines = (EPISODES / "replies_tuning.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    agreed = [(r["label"] in BLAME) == (reply(r["next_prompt"]).verdict.blames) for r in rows]
    assert sum(agreed) / len(agreed) >= 0.94


def test_the_frozen_files_are_as_they_were() -> None:
    """What was labelled before anything judged it is not edited."""
    lines = (EPISODES / "FROZEN.sha256").read_text("utf-8").splitlines()
    for digest, name in (line.split() for line in lines):
        assert digest == hashlib.sha256((EPISODES / name).read_bytes()).hexdigest(), name
