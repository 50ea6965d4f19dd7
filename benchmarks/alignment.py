"""How well two statements of knowledge are compared, and how fast.

    python -m benchmarks.alignment [--unseen] [--tuning [DIR]] [--author FILE]
                                   [--public DIR] [--wrong]

Duplicates and contradictions are told from labelled pairs, English and Chinese, with 95 % intervals
by Wilson, and what is right of the sure ones alone. `--author` measures one file of pairs; what a
fit reaches on authors that it has not seen is told by `python -m train.comparison`. `--public`
measures the order
by likeness on public pairs beside the overlap of character bigrams, and contradictions beside a
rule of one line. Their licences allow measuring alone: nothing of them is in the repository.
"""

import argparse
import gzip
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.report import load_now, table
from learnt.core.health.executions import interval
from learnt.core.knowledge.relations import Relation
from learnt.language.comparison.comparer import compare
from learnt.stores.stemming import porter

ROOT: Final = Path(__file__).resolve().parent.parent
PAIRS: Final = ROOT / "tests" / "data" / "knowledge"
LANGUAGES: Final = ("en", "zh")
LABELS: Final = {
    "duplicate": Relation.DUPLICATE,
    "contradiction": Relation.CONTRADICTION,
    "distinct": Relation.DISTINCT,
}
NEGATION: Final = re.compile(r"\b(?:no|not|never|nobody|none|without)\b|n't", re.IGNORECASE)
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements with what they are to each other."""

    id: str
    known: str
    new: str
    relation: Relation
    language: str


def pairs(half: str, folder: Path = PAIRS) -> list[Pair]:
    """The labelled pairs of a half, of both languages."""
    found = []
    for language in LANGUAGES:
        path = folder / f"pairs_{language}_{half}.jsonl"
        if not path.is_file():
            print(f"left out: {path.name} is not in {folder}")
            continue
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            relation = LABELS[row["label"]]
            found.append(Pair(row["id"], row["a"], row["b"], relation, language))
    return found


def one_author(path: Path) -> list[Pair]:
    """The pairs of a file of one author's."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Pair(str(at), row["a"], row["b"], LABELS[row["label"]], row["language"])
        for at, row in enumerate(rows)
    ]


def told(half: str, given: Sequence[Pair], *, wrong: bool = False) -> list[Row]:
    """Recall and precision of duplicates and of contradictions, by language and over all."""
    said = [compare(pair.known, pair.new, porter) for pair in given]
    if wrong:
        for pair, found in zip(given, said, strict=True):
            if found.relation is not pair.relation:
                print(pair.id, pair.relation, "taken for", found.relation, found.reason)
    rows = []
    for language in (*LANGUAGES, "all"):
        chosen = [
            (pair.relation, found.relation)
            for pair, found in zip(given, said, strict=True)
            if language in {pair.language, "all"}
        ]
        rows += [_row(half, language, relation, chosen)
                 for relation in (Relation.DUPLICATE, Relation.CONTRADICTION)]  # fmt: skip
    certain = [
        (pair.relation, found.relation if found.certain else None)
        for pair, found in zip(given, said, strict=True)
    ]
    rows += [_row(half, "sure", relation, certain)
             for relation in (Relation.DUPLICATE, Relation.CONTRADICTION)]  # fmt: skip
    unsure = sum(not found.certain for found in said)
    print(f"{half}: {unsure} of {len(said)} left to a judge")
    return rows


def _row(
    half: str,
    language: str,
    relation: Relation,
    chosen: Iterable[tuple[Relation, Relation | None]],
) -> Row:
    chosen = list(chosen)
    hits = sum(is_it is said is relation for is_it, said in chosen)
    there = sum(is_it is relation for is_it, _ in chosen)
    claimed = sum(said is relation for _, said in chosen)
    return {
        "half": half, "language": language, "relation": relation.name.lower(), "n": len(chosen),
        "recall": f"{hits}/{there}", "": _share(hits, there),
        "precision": f"{hits}/{claimed}", " ": _share(hits, claimed),
    }  # fmt: skip


def _share(hits: int, count: int) -> str:
    if not count:
        return "none"
    low, high = interval(hits / count, count)
    return f"{hits / count:.3f} ({low:.3f} to {high:.3f})"


def speed(given: Sequence[Pair]) -> list[Row]:
    """The mean time of a comparison: of texts never read, and of a new text with known ones."""
    compare("warm", "up", porter)
    began = time.perf_counter()
    for pair in given:
        compare(pair.known, pair.new, porter)
    fresh = time.perf_counter() - began
    began = time.perf_counter()
    for at, pair in enumerate(given):
        compare(given[at - 1].known, pair.new, porter)
    again = time.perf_counter() - began
    unread, known = (round(1_000 * seconds / len(given), 3) for seconds in (fresh, again))
    return [{"comparisons": len(given), "both unread, mean ms": unread,
             "both read, mean ms": known, "load": load_now()}]  # fmt: skip


def public(folder: Path) -> list[Row]:
    """Average precision of the likeness on public duplicates, and F1 of contradictions."""
    rows: list[Row] = []
    for path in sorted(folder.glob("pairs_dup_*/pairs.jsonl.gz")):
        given = _read(path)
        same = [bool(row["label"]) for row in given]
        likeness = [compare(row["a"], row["b"], porter).likeness for row in given]
        plain = [_overlap(row["a"], row["b"]) for row in given]
        rows.append({"set": path.parent.name, "n": len(given), "measure": "average precision",
                     "ours": round(average_precision(same, likeness), 3),
                     "baseline": round(average_precision(same, plain), 3)})  # fmt: skip
    for path in sorted(folder.glob("pairs_nli_en_sick/pairs.jsonl.gz")):
        given = _read(path)
        against = [row["label"] == "contradiction" for row in given]
        said = [compare(row["a"], row["b"], porter) for row in given]
        one_line = [(NEGATION.search(row["a"]) is None) != (NEGATION.search(row["b"]) is None)
                    for row in given]  # fmt: skip
        claims = [found.relation is Relation.CONTRADICTION for found in said]
        sure = [claim and found.certain for claim, found in zip(claims, said, strict=True)]
        rows += [
            {"set": path.parent.name, "n": len(given), "measure": f"F1 of {name} contradictions",
             "ours": round(f1(against, claimed), 3), "baseline": round(f1(against, one_line), 3)}
            for name, claimed in (("all", claims), ("certain", sure))
        ]  # fmt: skip
    return rows


def _read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _overlap(one: str, other: str) -> float:
    ours, theirs = ({t[i : i + 2] for i in range(max(1, len(t) - 1))}
                    for t in (one.casefold(), other.casefold()))  # fmt: skip
    return len(ours & theirs) / max(1, len(ours | theirs))


def average_precision(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The mean of the precisions at each hit, the highest score first."""
    ordered = sorted(zip(scores, truth, strict=True), key=lambda pair: -pair[0])
    hits, total = 0, 0.0
    for place, (_, right) in enumerate(ordered, 1):
        hits += right
        total += hits / place if right else 0.0
    return total / hits if hits else 0.0


def f1(truth: Sequence[bool], said: Sequence[bool]) -> float:
    """The harmonic mean of recall and precision."""
    hits = sum(t and s for t, s in zip(truth, said, strict=True))
    both = sum(truth) + sum(said)
    return 2 * hits / both if both else 0.0


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unseen", action="store_true", help="measure the unseen half too")
    parser.add_argument("--tuning", nargs="?", type=Path, const=PAIRS, help="and those for tuning")
    parser.add_argument("--public", type=Path, help="the folder of the public sets")
    parser.add_argument("--wrong", action="store_true", help="name what disagrees, not the unseen")
    parser.add_argument("--author", type=Path, help="a file of pairs with their languages")
    words = parser.parse_args()
    if words.author:
        table(f"Pairs of {words.author.stem}", told(words.author.stem, one_author(words.author)))
        return 0
    dev = pairs("dev")
    table("Speed", speed(dev))
    table("Pairs", told("dev", dev, wrong=words.wrong))
    if words.tuning:
        for half in ("tuning", "more"):
            tuning = pairs(half, words.tuning)
            table(f"Pairs for {half}", told(half, tuning, wrong=words.wrong))
    if words.unseen:
        table("Pairs that nothing was tuned on", told("unseen", pairs("unseen")))
    if words.public:
        table("Public pairs", public(words.public))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
