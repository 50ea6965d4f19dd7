"""What a search among vectors takes, and what the compressed scan finds of the exact one's ten.

    python -m benchmarks.vectors [--sizes 10000,100000] [--store sqlite|lancedb] [--json]

Vectors of 384 dimensions around 2,000 centres lie in a throw-away home, in one project. The
compressed scan is measured at every size, though it is used beyond 100,000 alone. The memory is
the whole process's most, numpy and this benchmark's own included.
"""

import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np

from benchmarks.report import Tables, load_now, run, spread
from learnt.core.recall.vectors import VectorPlace
from learnt.ports import Vectors
from learnt.stores.lance_vectors import LanceVectors
from learnt.stores.sqlite_vectors import EXACT, SqliteVectors

DIMENSIONS, CENTRES, BATCH, ROUNDS, MOST = 384, 2_000, 1_000, 40, 10
STEP = 0.06  # how far a vector lies from its centre, in each dimension


def rows(size: int) -> Iterator[list[tuple[VectorPlace, list[float]]]]:
    """The vectors, in batches."""
    chance = np.random.default_rng(7)
    centres = chance.normal(size=(CENTRES, DIMENSIONS)) / DIMENSIONS**0.5
    for at in range(0, size, BATCH):
        count = min(BATCH, size - at)
        made = centres[chance.integers(CENTRES, size=count)]
        made = made + STEP * chance.normal(size=made.shape)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        yield [
            (
                VectorPlace(f"e-{at + number}", f"d-{at + number}", "p-1", "validated"),
                vector.tolist(),
            )
            for number, vector in enumerate(made)
        ]


def asked(store: Vectors, questions: list[list[float]]) -> tuple[list[float], list[set[str]]]:
    """The seconds of each question, and what it found."""
    took, found = [], []
    for question in questions:
        started = time.perf_counter()
        nearest = store.nearest(question, ["", "p-1"], MOST)
        took.append(time.perf_counter() - started)
        found.append({item for item, _ in nearest})
    return took, found


def measure(size: int, folder: Path, make: Callable[..., Vectors]) -> list[dict[str, object]]:
    """A row for each kind of scan."""
    store = make(folder, "synthetic")
    started, questions = time.perf_counter(), list[list[float]]()
    for batch in rows(size):
        store.put(batch)
        questions.append(batch[0][1])
    built = round(time.perf_counter() - started, 1)
    chance = np.random.default_rng(8)
    near = np.array(questions[:ROUNDS]) + STEP * chance.normal(size=(1, DIMENSIONS))
    near = near / np.linalg.norm(near, axis=1, keepdims=True)
    took, exact = asked(store, near.tolist())
    disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    about = {"vectors": size, "built s": built, "disk MB": round(disk / 1e6)}
    found = [{**about, "scan": "exact", **spread(took, 1), "of the ten": 100.0}]
    if make is SqliteVectors:
        took, some = asked(SqliteVectors(folder, "synthetic", exact=0), near.tolist())
        shared = sum(len(a & b) for a, b in zip(exact, some, strict=True)) / (MOST * len(some))
        found.append({**about, "scan": "by signs", **spread(took, 1), "of the ten": 100 * shared})
    most = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024)
    return [{**row, "most MB": most} for row in found]


def main(
    *, sizes: tuple[int, ...] = (10_000, EXACT), store: Literal["sqlite", "lancedb"] = "sqlite"
) -> Tables:
    """Measure."""
    make = LanceVectors if store == "lancedb" else SqliteVectors
    found = []
    for size in sorted(sizes):
        with tempfile.TemporaryDirectory(prefix="learnt-vectors-") as scratch:
            found += measure(size, Path(scratch) / "vectors", make)
    return {f"Vectors in {store}, load {load_now()}": found}


if __name__ == "__main__":
    run(main)
