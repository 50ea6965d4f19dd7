"""How long a thousand memories take to come in by a person's one decision, and what they serve.

    python -m benchmarks.imports [--memories N] [--json]

The memories are notes and statements by authors who had not seen the program, as `tests/data` has
them. A person at a terminal imports them from a file and types `a`; then the prompts that were
written for the notes are typed, and it counts which are given theirs.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import arguments, bare_start, load_now, show
from tests.support.homes import Home, throwaway

DATA: Final = Path(__file__).parents[1] / "tests" / "data"
NOTES: Final = ("dev_ibis", "unseen_crane")
Row = dict[str, Any]


def lines(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def memories(count: int) -> list[Row]:
    """So many memories: the notes first, then entries and statements."""
    notes = [
        {**note, "id": f"{name}-{note['id']}"}
        for name in NOTES
        for note in lines(DATA / "recall" / f"{name}_notes.jsonl")
    ]
    entries = lines(DATA / "recall" / "entries.jsonl")
    stated = [
        {"text": row["text"]}
        for path in sorted((DATA / "knowledge").glob("sound_*.jsonl"))
        for row in lines(path)
    ]
    halves = [
        {"text": row["a"]}
        for path in sorted((DATA / "knowledge").glob("pairs_*_*.jsonl"))
        for row in lines(path)
    ]
    return [*notes, *entries, *stated, *halves][:count]


def prompts() -> Iterator[tuple[str, str]]:
    """The prompts that ask for a note, each with the note's first words."""
    for name in NOTES:
        notes = {note["id"]: note for note in lines(DATA / "recall" / f"{name}_notes.jsonl")}
        for row in lines(DATA / "recall" / f"{name}_prompts.jsonl"):
            note = notes.get(row["note"] or "")
            if note is not None and row["sort"] == "same-words":
                yield row["prompt"], (note.get("text") or note["problem"])[:40]


def measured(home: Home, rows: Sequence[Row]) -> Row:
    """What one import of them takes and gives."""
    path = home.project / "memories.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    began = time.perf_counter()
    said = home.here("import", str(path), "--json", typed="a\n")
    seconds = time.perf_counter() - began
    answer = json.loads(said.output[said.output.index("{") :])
    told = [words in home.told(prompt, f"s{n}") for n, (prompt, words) in enumerate(prompts())]
    return {
        "memories": len(rows),
        "seconds": round(seconds, 1),
        **{name: answer[name] for name in ("taken", "double", "disputed", "refused")},
        "next prompts": len(told),
        "given their note": sum(told),
        "bare start ms": bare_start(),
        "load": load_now(),
    }


def main(words: Sequence[str]) -> int:
    """Measure into a home that holds nothing."""
    parser = arguments(__doc__)
    parser.add_argument("--memories", type=int, default=1_000, help="how many")
    given = parser.parse_args(words)
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # a worker may still write there
    with made as folder, throwaway(Path(folder)) as home:
        rows = [measured(home, memories(given.memories))]
    return show({"One decision": rows}, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
