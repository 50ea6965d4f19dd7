"""What the benchmarks of search print as JSON: the keys that others read, on made-up data."""

import gzip
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks import corpus, imports
from benchmarks.report import ROOT
from benchmarks.retrieval import PACKAGE
from tests.support.homes import throwaway, wait_until

FIGURES = {"R@1", "R@3", "R@5", "R@10", "MRR", "nDCG@10", "n", "interval", "p50_ms", "p95_ms"}
COUNTS = {"n", "found", "hinted", "wrong", "disturbed", "hint_disturbed"}
NOTES = [
    {"id": 1, "kind": "solution", "problem": "Kafka consumer rebalances forever after a timeout",
     "approach": "Raise max.poll.interval.ms.", "cautions": [], "tags": ["kafka"]},
    {"id": 2, "kind": "schema", "text": "The orders table keeps its currency in cents.",
     "entities": ["orders"]},
]  # fmt: skip
PROMPTS = [
    {"id": 10, "prompt": "Kafka consumer rebalances forever after a timeout, why?", "note": 1,
     "sort": "same-words"},
    {"id": 11, "prompt": "thanks, that is all for today", "note": None, "sort": "ordinary"},
]  # fmt: skip
SKILLS = [
    {"id": "brew", "name": "brew", "description": "Brew coffee in a press.", "body": "Pour."},
    {"id": "sew", "name": "sew", "description": "Sew a button on.", "body": "Thread."},
]
TASKS = [("brew coffee in the press", True), ("sew the button on a coat", False)] * 3
WITHOUT = f"import sys; sys.modules[{PACKAGE!r}] = None; "


def lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder laid out as the evaluation sets are, a few rows each."""
    plain = [{"id": f"d{at}", "scope": "s", "text": text} for at, text in enumerate(
        ("Rain falls on the old harbour.", "The baker opens at six."))]  # fmt: skip
    talk = [{**row, "session": "1", "speaker": "Ann", "date": "2024-05-01"} for row in plain]
    question = {"query": "when does the baker open?", "scope": "s", "relevant": ["d1"]}
    for name, documents, asked in [
        ("memory_plain", plain, [question]), ("memory_talk", talk, [question]),
        ("memory_silent", plain, []),
    ]:  # fmt: skip
        lines(tmp_path / "dev" / name / "docs.jsonl", documents)
        lines(tmp_path / "dev" / name / "queries.jsonl", asked)
    lines(tmp_path / "corpus" / "skills_corpus" / "skills.jsonl.gz", SKILLS)
    lines(tmp_path / "dev" / "skills_triggers" / "queries.jsonl", [
        {"query": task, "relevant": ["brew"] if fits else [],
         "not_relevant": [] if fits else ["brew"]} for task, fits in TASKS
    ])  # fmt: skip
    return tmp_path


def run(name: str, *words: object, first: str = "") -> tuple[int, Any, str]:
    """The exit code of a benchmark, its JSON if any, and what it says beside."""
    code = f"{first}import runpy; runpy.run_module('benchmarks.{name}', run_name='__main__')"
    command = [sys.executable, "-c", code, *map(str, words), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120)
    return done.returncode, json.loads(done.stdout or "null"), done.stderr


def test_retrieval_gives_its_figures_for_each_set(root: Path) -> None:
    """Of entries and of sessions of turns; a set that asks nothing or is not there is named."""
    names = ("memory_plain", "memory_talk", "memory_silent", "gone")
    code, found, said = run("retrieval", *names, "--root", root)
    assert (0, {"memory_plain", "memory_talk"}) == (code, set(found["sets"]))
    assert [FIGURES, FIGURES] == [set(row) for row in found["sets"].values()]
    assert [100.0, 100.0] == [row["R@3"] for row in found["sets"].values()]
    assert "memory_silent has no question" in said
    assert "gone is not in" in said
    code, found, _ = run("retrieval", "memory_plain", "--root", root, "--all")
    assert (0, FIGURES) == (code, set(found["lexical"]["sets"]["memory_plain"]))


def test_retrieval_by_meaning_without_its_package_has_no_sets(root: Path) -> None:
    """It says why, and what it prints is JSON of the same form."""
    words = ("memory_plain", "--root", root, "--dense")
    code, found, said = run("retrieval", *words, first=WITHOUT)
    assert (0, {"sets": {}}) == (code, found)
    assert f"{PACKAGE} is not installed" in said


def test_triggers_give_four_figures(root: Path) -> None:
    """Where the set is not there the exit code is 5, and why is said."""
    code, found, _ = run("triggers", "--root", root)
    assert (0, {"auc", "null_auc", "balanced_accuracy", "brier"}) == (code, set(found))
    assert 100.0 == found["auc"]
    code, found, said = run("triggers", "--root", root / "nowhere")
    assert (5, None) == (code, found)
    assert "not measured" in said


def test_relevance_counts_what_became_of_prompts_by_sort(tmp_path: Path) -> None:
    """Ids may be whole numbers."""
    lines(tmp_path / "notes.jsonl", NOTES)
    lines(tmp_path / "prompts.jsonl", PROMPTS)
    files = ("--notes", tmp_path / "notes.jsonl", "--prompts", tmp_path / "prompts.jsonl")
    code, found, _ = run("relevance", *files, "--home-size", 1, "--distractors", 3)
    assert (0, {"same-words", "ordinary"}) == (code, set(found["sorts"]))
    assert [COUNTS, COUNTS] == [set(counts) for counts in found["sorts"].values()]
    assert (1, 0) == tuple(found["sorts"][sort]["found"] for sort in ("same-words", "ordinary"))


@pytest.mark.slow
def test_what_a_person_imports_at_once_serves_the_next_prompts(tmp_path: Path) -> None:
    """All notes are taken by one key, and their prompts are given them."""
    with throwaway(tmp_path) as home:
        row = imports.measured(home, imports.memories(120))
    assert (row["taken"] + row["double"], row["refused"]) == (120, 0)
    assert row["given their note"] >= 115


def test_a_folder_that_somebody_still_writes_into_costs_no_figures() -> None:
    """A worker that a hook started late does so: what was measured is shown all the same."""
    over, scratch = threading.Event(), [Path()]

    def write() -> None:
        while not over.is_set():
            for number in range(200):
                with suppress(OSError):
                    (scratch[0] / "late" / str(number)).mkdir(parents=True)

    try:
        with corpus.throwaway() as place:
            scratch[0] = place.home.parent
            writer = threading.Thread(target=write)
            writer.start()
            wait_until((scratch[0] / "late" / "199").exists, "what is written")
    finally:
        over.set()
        writer.join()
        shutil.rmtree(scratch[0], ignore_errors=True)
