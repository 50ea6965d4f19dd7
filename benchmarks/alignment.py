"""How well two statements of knowledge are compared, and how fast.

    python -m benchmarks.alignment [--unseen] [--tuning [DIR]] [--public DIR] [--wrong] [--fit]

Duplicates and contradictions are told from labelled pairs, English and Chinese, with 95 % intervals
by Wilson; `--fit` prints `core/knowledge/statements/weights.py` anew from the pairs of three
authors, and what the same fit reaches on those that it has not seen. `--public` measures the order
by likeness on public pairs beside the overlap of character bigrams, and contradictions beside a
rule of one line. Their licences allow measuring alone: nothing of them is in the repository.
"""

import argparse
import gzip
import json
import random  # noqa: TID251  # seeded: the same folds in every run
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import load_now, table
from learnt.core.health.executions import interval
from learnt.core.knowledge.alignment import compare, judged, plainly
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.statements.matching import match
from learnt.core.knowledge.statements.readings import read
from learnt.core.knowledge.statements.scoring import Scores, features
from learnt.core.knowledge.statements.signs import Signs, signs
from learnt.stores.stemming import porter

ROOT: Final = Path(__file__).resolve().parent.parent
PAIRS: Final = ROOT / "tests" / "data" / "knowledge"
LANGUAGES: Final = ("en", "zh")
LABELS: Final = {
    "duplicate": Relation.SAME,
    "contradiction": Relation.CONTRADICTS,
    "distinct": Relation.APART,
}
PENALTY: Final = 3.0  # of the squares of the weights
REACH: Final = 3.0  # how many spreads from its mean a feature counts on: authors differ
STEPS: Final = 150
FOLDS: Final = 10
FITTED: Final = ("dev", "tuning", "more")  # each by an author of its own
NEGATION: Final = re.compile(r"\b(?:no|not|never|nobody|none|without)\b|n't", re.IGNORECASE)
Row = dict[str, object]
Vector = list[float]


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
                 for relation in (Relation.SAME, Relation.CONTRADICTS)]  # fmt: skip
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
        "half": half, "language": language, "relation": relation, "n": len(chosen),
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
        claims = [found.relation is Relation.CONTRADICTS for found in said]
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


@dataclass(slots=True)
class Fitted:
    """Weights of each feature for SAME and for CONTRADICTS; APART is what the others are not."""

    names: list[str]
    bounds: list[tuple[float, float]]
    intercept: Vector
    weights: list[Vector]

    def scores(self, row: Vector) -> Scores:
        """How probable each relation is."""
        within = [min(high, max(low, x)) for x, (low, high) in zip(row, self.bounds, strict=True)]
        powers = [exp(i + sum(map(float.__mul__, w, within)))
                  for i, w in zip(self.intercept, self.weights, strict=True)]  # fmt: skip
        total = sum(powers) + 1.0
        return Scores(powers[0] / total, powers[1] / total, 1.0 / total, 0.0)


def fit(names: list[str], rows: Sequence[Vector], truth: Sequence[Relation]) -> Fitted:
    """A softmax regression by steps against a bound of its curvature, each feature scaled."""
    count, width = len(rows), len(names) + 1
    means = [sum(column) / count for column in zip(*rows, strict=True)]
    spreads = [
        (sum((x - m) ** 2 for x in column) / count) ** 0.5 or 1.0
        for column, m in zip(zip(*rows, strict=True), means, strict=True)
    ]
    scaled = [[1.0, *(min(REACH, max(-REACH, (x - m) / s))
                      for x, m, s in zip(row, means, spreads, strict=True))]
              for row in rows]  # fmt: skip
    penalties = [0.0] + [PENALTY] * len(names)
    bound = [[0.5 * sum(row[i] * row[j] for row in scaled) + (penalties[i] if i == j else 0.0)
              for j in range(width)] for i in range(width)]  # fmt: skip
    inverse = _inverse(bound)
    weights = [[0.0] * width for _ in range(3)]
    classes = list(LABELS.values())
    for _ in range(STEPS):
        slopes = [[-p * w for p, w in zip(penalties, one, strict=True)] for one in weights]
        for row, relation in zip(scaled, truth, strict=True):
            powers = [exp(sum(map(float.__mul__, one, row))) for one in weights]
            total = sum(powers)
            for k, power in enumerate(powers):
                error = (classes[k] is relation) - power / total
                slopes[k] = [s + error * x for s, x in zip(slopes[k], row, strict=True)]
        for one, slope in zip(weights, slopes, strict=True):
            for i, line in enumerate(inverse):
                one[i] += sum(map(float.__mul__, line, slope))
    apart = weights[2]
    raw = [[(w - a) for w, a in zip(one, apart, strict=True)] for one in weights[:2]]
    plain = [[w / s for w, s in zip(one[1:], spreads, strict=True)] for one in raw]
    starts = [one[0] - sum(map(float.__mul__, p, means)) for one, p in zip(raw, plain, strict=True)]
    bounds = [(m - REACH * s, m + REACH * s) for m, s in zip(means, spreads, strict=True)]
    return Fitted(names, bounds, starts, plain)


def _inverse(matrix: list[Vector]) -> list[Vector]:
    """The inverse of a positive matrix, by elimination."""
    size = len(matrix)
    work = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = work[i][i]
        work[i] = [x / pivot for x in work[i]]
        for j in range(size):
            if j != i and work[j][i]:
                factor = work[j][i]
                work[j] = [x - factor * y for x, y in zip(work[j], work[i], strict=True)]
    return [row[size:] for row in work]


def refit(folder: Path) -> None:
    """Print the weights, and what such a fit reaches where it has not looked."""
    given: list[Pair] = []
    authors: list[int] = []
    for author, half in enumerate(FITTED):
        found = pairs(half, folder)
        given += found
        authors += [author] * len(found)
    matched = [match(read(pair.known, porter), read(pair.new, porter)) for pair in given]
    found_signs = [signs(matching) for matching in matched]
    plain = [plainly(matching, found) for matching, found in zip(matched, found_signs, strict=True)]
    seen = [features(found) for found in found_signs]
    names = list(seen[0])
    rows = [[one[name] for name in names] for one in seen]
    data = Data(given, names, rows, found_signs, plain)
    held_out("Each author by the others' fit", data, authors)
    folds = [at % FOLDS for at in range(len(given))]
    random.Random(0).shuffle(folds)
    held_out(f"{FOLDS} folds", data, folds)
    best = fit(names, rows, [pair.relation for pair in given])
    start = ", ".join(f"{x:.3f}" for x in best.intercept)
    print(f"INTERCEPT: Final = ({start})\nWEIGHTS: Final = {{")
    for name, same, against, (low, high) in zip(names, *best.weights, best.bounds, strict=True):
        print(f'    "{name}": ({same:.3f}, {against:.3f}, {low:.3f}, {high:.3f}),')
    print("}")


@dataclass(slots=True)
class Data:
    """What a fit is made from: pairs, their features, and what is plain without weighing."""

    given: list[Pair]
    names: list[str]
    rows: list[Vector]
    found: list[Signs]
    plain: list[Relation | None]


def held_out(title: str, data: Data, parts: Sequence[int]) -> None:
    """What each part's pairs are told to be by a fit of the others."""
    said: dict[int, tuple[Relation, bool]] = {}
    for held in sorted(set(parts)):
        inside = [at for at, part in enumerate(parts) if part != held]
        found = fit(data.names, [data.rows[at] for at in inside],
                    [data.given[at].relation for at in inside])  # fmt: skip
        for at, part in enumerate(parts):
            if part == held:
                plain = data.plain[at]
                said[at] = (
                    (plain, True)
                    if plain
                    else (judged(found.scores(data.rows[at]), data.found[at]))
                )
    both = (Relation.SAME, Relation.CONTRADICTS)
    table(title, [
        _row("held out", language, relation, [
            (pair.relation, said[at][0]) for at, pair in enumerate(data.given)
            if language in {pair.language, "all"}
        ])
        for language in (*LANGUAGES, "all") for relation in both
    ])  # fmt: skip
    table(f"{title}, certain ones alone", [
        _row("certain", "all", relation, [
            (pair.relation, said[at][0] if said[at][1] else None)
            for at, pair in enumerate(data.given)
        ])
        for relation in both
    ])  # fmt: skip


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unseen", action="store_true", help="measure the unseen half too")
    parser.add_argument("--tuning", nargs="?", type=Path, const=PAIRS, help="and those for tuning")
    parser.add_argument("--public", type=Path, help="the folder of the public sets")
    parser.add_argument("--wrong", action="store_true", help="name what disagrees, not the unseen")
    parser.add_argument("--fit", action="store_true", help="print the weights anew")
    words = parser.parse_args()
    if words.fit:
        refit(PAIRS)
        return 0
    dev = pairs("dev")
    table("Speed", speed(dev))
    table("Pairs", told("dev", dev, wrong=words.wrong))
    if words.tuning:
        for half in FITTED[1:]:
            tuning = pairs(half, words.tuning)
            table(f"Pairs for {half}", told(half, tuning, wrong=words.wrong))
    if words.unseen:
        table("Pairs never looked at", told("unseen", pairs("unseen")))
    if words.public:
        table("Public pairs", public(words.public))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
