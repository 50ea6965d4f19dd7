"""Real edits of real source are seen, and neutral ones are not taken for them: in short.

`python -m benchmarks.drift` is the long form.
"""

import random  # noqa: TID251  # seeded: the same mutations in every run
from pathlib import Path

import pytest

from benchmarks.drift import Bench, notations
from benchmarks.mutations import MOVES
from benchmarks.report import ROOT


@pytest.mark.slow
def test_real_drifts_are_seen_and_neutral_edits_are_not(tmp_path: Path) -> None:
    """At least 99 of a hundred, and at most two false."""
    bench, rng = Bench(tmp_path), random.Random(5)
    for path in (
        "src/learnt/core/tokens.py",
        "src/learnt/stores/text_files.py",
        "docs/knowledge.md",
    ):
        text = (ROOT / path).read_text(encoding="utf-8")
        name = Path(path).name
        (tmp_path / name).write_text(text, encoding="utf-8")
        bench.git("add", "-A")
        for _ in range(2):
            for notation, spot in notations(name, text, rng):
                entry = bench.cited(notation)
                if entry is not None:
                    bench.mutate(notation, spot, entry, rng)
    seen, real = sum(bench.real.right.values()), sum(bench.real.all.values())
    kept, neutral = sum(bench.neutral.right.values()), sum(bench.neutral.all.values())
    assert set(MOVES) <= set(bench.neutral.all)
    assert real > 50 and seen >= 0.99 * real, bench.real.all - bench.real.right
    assert neutral > 100 and kept >= 0.98 * neutral, bench.neutral.all - bench.neutral.right
