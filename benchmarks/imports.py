"""How long a thousand memories take to come in by a person's one decision, and what they serve.

    python -m benchmarks.imports [--memories N] [--json]

The memories are notes and statements by authors who had not seen the program, as `tests/data` has
them. A person at a terminal imports them from a file and types `a`; then the prompts that were
written for the notes are typed, and it counts which are given theirs.
"""

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import DATA, Tables, bare_start, load_now, rows, run
from tests.support.homes import Home, throwaway

NOTES: Final = ("dev_ibis", "unseen_crane")
Row = dict[str, Any]


def memories(count: int) -> list[Row]:
    """So many memories: the notes first, then entries and statements."""
    notes = [
        {**note, "id": f"{name}-{note['id']}"}
        for name in NOTES
        for note in rows(DATA / "recall" / f"{name}_notes.jsonl")
    ]
    entries = rows(DATA / "recall" / "entries.jsonl")
    stated = [
        {"text": row["text"]}
        for path in sorted((DATA / "knowledge").glob("sound_*.jsonl"))
        for row in rows(path)
    ]
    halves = [
        {"text": row["a"]}
        for path in sorted((DATA / "knowledge").glob("pairs_*_*.jsonl"))
        for row in rows(path)
    ]
    return [*notes, *entries, *stated, *halves][:count]


def prompts() -> Iterator[tuple[str, str]]:
    """The prompts that ask for a note, each with the note's first words."""
    for name in NOTES:
        notes = {note["id"]: note for note in rows(DATA / "recall" / f"{name}_notes.jsonl")}
        for row in rows(DATA / "recall" / f"{name}_prompts.jsonl"):
            note = notes.get(row["note"] or "")
            if note is not None and row["sort"] == "same-words":
                yield row["prompt"], (note.get("text") or note["problem"])[:40]


def measured(home: Home, texts: Sequence[Row]) -> Row:
    """What one import of them takes and gives."""
    path = home.project / "memories.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in texts), encoding="utf-8")
    began = time.perf_counter()
    said = home.here("import", str(path), "--json", typed="a\n")
    seconds = time.perf_counter() - began
    answer = json.loads(said.output[said.output.index("{") :])
    told = [words in home.told(prompt, f"s{n}") for n, (prompt, words) in enumerate(prompts())]
    return {
        "memories": len(texts),
        "seconds": round(seconds, 1),
        **{name: answer[name] for name in ("taken", "double", "disputed", "refused")},
        "next prompts": len(told),
        "given their note": sum(told),
        "bare start ms": bare_start(),
        "load": load_now(),
    }


def main(*, memories_: int = 1_000) -> Tables:
    """Measure into a home that holds nothing."""
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # a worker may still write there
    with made as folder, throwaway(Path(folder)) as home:
        return {"One decision": [measured(home, memories(memories_))]}


if __name__ == "__main__":
    run(main)
