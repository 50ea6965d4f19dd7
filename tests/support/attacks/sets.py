"""The standing attack sets: cases by authors who had not seen the program, in two halves."""

import json
from pathlib import Path
from typing import Any

SETS = Path(__file__).resolve().parents[2] / "data" / "promises"
HALVES = ("dev", "unseen")

Case = dict[str, Any]


def cases(name: str, half: str) -> list[Case]:
    """The cases of a set's half."""
    lines = (SETS / name / f"{half}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]
