"""The labelled texts: by task and author, as JSON lines under `train/data`.

What lies under `set_aside` is read by `--unseen` alone, which is for the end.
"""

import json
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = Path(__file__).resolve().parent / "data"
KNOWLEDGE: Final = ROOT / "tests" / "data" / "knowledge"
THIRD_LANGUAGE: Final = "mosel"  # German: it shows what a language without weights of its own gets
Row = dict[str, Any]


def rows(task: str, *, unseen: bool = False) -> list[Row]:
    """The rows of a task, each with its `author`; with `unseen` those of the authors set aside."""
    folder = DATA / task / "set_aside" if unseen else DATA / task
    paths = [path for path in sorted(folder.glob("*.jsonl")) if path.stem != THIRD_LANGUAGE]
    return [row for path in paths for row in lines(path)]


def lines(path: Path) -> list[Row]:
    """The rows of one file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def older(name: str) -> list[Row]:
    """Rows of the sets that the gates were tuned on before, by the file's name."""
    return lines(KNOWLEDGE / f"{name}.jsonl")
