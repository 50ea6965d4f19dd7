"""How much junk is let in, how many sound facts are turned away, and how long judging takes.

    python -m benchmarks.worthless [--unseen] [--json]

Junk by its sort, the sound facts of the same set, and both sides of the pairs, which nobody wrote
to be junk; 95 % intervals by Wilson. The speed's goals,
1 ms a statement on average and 20 ms for the slowest long text, are held in bare starts of an
interpreter: 8.2 ms where they were set. `train/` fits the weights.
"""

import time
from collections.abc import Sequence
from typing import Any, Final

from benchmarks.report import (
    DATA,
    Tables,
    bare_start,
    load_now,
    quantile,
    rows,
    run,
    verdict,
    wilson,
)
from learnt.core.knowledge.admission import WORTHLESS
from learnt.language.scorer import worth

SORTS: Final = tuple(WORTHLESS)[1:]
STARTS: Final = 1.0 / 8.2
LONG_STARTS: Final = 20 / 8.2
Row = dict[str, object]


def labelled(name: str, half: str) -> list[dict[str, Any]]:
    """A file's rows."""
    return rows(DATA / "knowledge" / f"{name}_{half}.jsonl")


def paired(half: str) -> list[str]:
    """The statements of the pairs, both sides, each once."""
    sides = (row[side] for name in ("pairs_en", "pairs_zh") for row in labelled(name, half)
             for side in ("a", "b"))  # fmt: skip
    return list(dict.fromkeys(sides))


def worthless(text: str) -> str:
    """The sort of junk that a statement is; empty where it is worth keeping."""
    return worth(text).rejected()


def admitted(half: str) -> list[Row]:
    """Junk that is let in, by its sort and over all, and how often its sort is right."""
    judged = [(row, worthless(row["text"])) for row in labelled("junk", half)]
    groups = [("all", judged)]
    groups += [(sort, [pair for pair in judged if pair[0]["sort"] == sort]) for sort in SORTS]
    return [
        {
            "half": half,
            "junk": name,
            **_part("admitted", [not sort for _, sort in some]),
            "sort right": round(sum(row["sort"] == sort for row, sort in some) / len(some), 3),
        }
        for name, some in groups
    ]


def rejected(half: str) -> list[Row]:
    """Sound statements that are turned away."""
    shown: list[Row] = []
    for name, texts in (("sound", [row["text"] for row in labelled("sound", half)]),
                        ("pairs", paired(half))):  # fmt: skip
        judged = [(text, worthless(text)) for text in texts]
        part = _part("rejected", [bool(sort) for _, sort in judged])
        shown.append({"half": half, "statements": name, **part})
    return shown


def _part(name: str, hits: Sequence[bool]) -> Row:
    part = sum(hits) / len(hits)
    return {"n": len(hits), name: round(part, 3), "interval": wilson(part, len(hits))}


def speed(half: str, rounds: int = 5) -> list[Row]:
    """Time a statement, over junk, sound ones and pairs alike, and over long texts.

    Each text's time is the least of some rounds, as others use the machine too.
    """
    texts = [row["text"] for name in ("junk", "sound") for row in labelled(name, half)] + paired(
        half
    )
    bare = bare_start()
    shown: list[Row] = []
    for name, times in (("statements", 1), ("10,000 characters", 10_000)):
        timed = [_least((text * times)[: max(times, len(text))], rounds) for text in texts]
        mean = sum(timed) / len(timed)
        measured, goal = (mean, STARTS) if times == 1 else (max(timed), LONG_STARTS)
        shown.append({
            "judging": name, "n": len(timed), "mean ms": round(mean, 3),
            "p95 ms": round(quantile(timed, 0.95), 3), "slowest ms": round(max(timed), 2),
            "bare ms": round(bare, 1), "starts": round(measured / bare, 4),
            "verdict": verdict(measured / bare, goal), "load": load_now(),
        })  # fmt: skip
    return shown


def _least(text: str, rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        worth.cache_clear()
        began = time.perf_counter()
        worthless(text)
        taken.append(1_000 * (time.perf_counter() - began))
    return min(taken)


def main(*, unseen: bool = False) -> Tables:
    """Measure."""
    half = "unseen" if unseen else "dev"
    return {"Junk": admitted(half), "Sound statements": rejected(half), "Speed": speed(half)}


if __name__ == "__main__":
    run(main)
