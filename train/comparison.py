"""Fit the comparison of two statements, and tell what it reaches on authors it has not seen.

    python -m train.comparison [--check] [--wrong]

A softmax regression over the features of `learnt.language.comparison`, fitted to the labelled pairs
of `train/data/pairs/<author>.jsonl` and of `tests/data/knowledge`. Each author's pairs are judged
by a fit of all the others'. From these judgements come the probabilities from which a verdict is
sure: for each basis of a verdict the least from which on SURE_RIGHT of them are right. How far
that carries over is measured likewise: by thresholds from the other authors alone.

Without an option the weights are written; `--check` fails where they are not what a fit gives.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from learnt.core.knowledge.relations import Relation
from learnt.language.comparison.classifier import WEIGHTS
from learnt.language.comparison.comparer import PLAIN, ComparedPair, look_at
from learnt.language.scorer import VERSION
from learnt.stores.stemming import porter

ROOT: Final = Path(__file__).resolve().parent.parent
PAIRS: Final = ROOT / "train" / "data" / "pairs"
OLDER: Final = ROOT / "tests" / "data" / "knowledge"
OLDER_SETS: Final = ("dev", "tuning", "more")  # each by an author of its own
ONLY_MEASURED: Final = ("mosel",)  # German, of which there are no lists
RELATIONS: Final = tuple(Relation)
LABELS: Final = ("duplicate", "contradiction", "distinct")
PENALTY: Final = 0.2  # the inverse of the strength of the penalty of squares
REACH: Final = 3.0  # how many spreads from its mean a feature counts on: authors differ
OLDER_WEIGHT: Final = 0.33  # word lists were once tuned on the older sets
SURE_RIGHT: Final = {0: 0.97, 1: 0.98, 2: 0.93}
LEAST_SURE: Final = {0: 0.75, 1: 0.80, 2: 0.75}
LEAST_PAIRS: Final = 4  # a basis with fewer judgements is never sure
Floats = np.ndarray[Any, np.dtype[np.float64]]
Thresholds = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two statements that are labelled, and what is measured of them."""

    author: str
    known: str
    new: str
    label: int
    compared: ComparedPair

    @property
    def older(self) -> bool:
        """Whether it is of the older sets."""
        return self.author in OLDER_SETS


def sources() -> dict[str, list[Path]]:
    """The files of pairs by author."""
    files = {path.stem: [path] for path in sorted(PAIRS.glob("*.jsonl"))}
    for name in OLDER_SETS:
        files[name] = [OLDER / f"pairs_{language}_{name}.jsonl" for language in ("en", "zh")]
    return files


def fitted_authors() -> list[str]:
    """The authors whose pairs the weights are fitted to."""
    return [author for author in sorted(sources()) if author not in ONLY_MEASURED]


def load(authors: Iterable[str]) -> list[Pair]:
    """The pairs of some authors; those that share nothing are left out."""
    pairs = []
    for author in authors:
        for path in sources()[author]:
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                compared = look_at(row["a"], row["b"], porter)
                if compared is not None:
                    pairs.append(Pair(
                        author=author, known=row["a"], new=row["b"],
                        label=LABELS.index(row["label"]), compared=compared,
                    ))  # fmt: skip
    return pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fitted softmax; what it gives for a feature outside of its bounds is that of the bound."""

    low: Floats
    high: Floats
    intercept: Floats
    weights: Floats

    def probabilities(self, rows: Floats) -> Floats:
        """How probable each relation is, a row for each pair."""
        scores = np.clip(rows, self.low, self.high) @ self.weights.T + self.intercept
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fitted(rows: Floats, truth: Sequence[int], older: Sequence[bool]) -> Fit:
    """The fit of some pairs, in the features' own units."""
    # Loaded here alone: it takes seconds, and the tests only read the data.
    from sklearn.linear_model import LogisticRegression

    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    scaled = np.clip((rows - mean) / spread, -REACH, REACH)
    importance = np.where(older, OLDER_WEIGHT, 1.0)
    softmax = LogisticRegression(C=PENALTY * 2, max_iter=2_000, tol=1e-7)
    softmax.fit(scaled, truth, sample_weight=importance)
    weights = softmax.coef_ / spread
    return Fit(
        low=mean - REACH * spread,
        high=mean + REACH * spread,
        intercept=softmax.intercept_ - weights @ mean,
        weights=weights,
    )


def matrix(pairs: Sequence[Pair]) -> Floats:
    """The features of some pairs, a row each."""
    return np.array([list(pair.compared.features.values.values()) for pair in pairs])


def held_out(pairs: Sequence[Pair]) -> Floats:
    """How probable each relation of each pair is by a fit of all other authors' pairs."""
    rows, result = matrix(pairs), np.zeros((len(pairs), 3))
    authors = np.array([pair.author for pair in pairs])
    truth, older = np.array([p.label for p in pairs]), np.array([p.older for p in pairs])
    for author in sorted(set(authors)):
        others = authors != author
        fit = fitted(rows[others], truth[others], older[others])
        result[~others] = fit.probabilities(rows[~others])
    result[[pair.compared.plain for pair in pairs]] = list(PLAIN.values())
    return result


def basis_of(pair: Pair, relation: int) -> str:
    """The name of a threshold: the relation, and what the verdict rests on."""
    return f"{LABELS[relation]} {pair.compared.basis(RELATIONS[relation])}".strip()


def thresholds(pairs: Sequence[Pair], probable: Floats) -> Thresholds:
    """For each basis the least probability from which on verdicts are sure.

    From there on SURE_RIGHT of them are right, and no fewer are from any lower one on.
    """
    judged: dict[str, list[tuple[float, bool, float]]] = defaultdict(list)
    for pair, row in zip(pairs, probable, strict=True):
        best = int(row.argmax())
        importance = OLDER_WEIGHT if pair.older else 1.0
        judged[basis_of(pair, best)].append((float(row[best]), best == pair.label, importance))
    sure = {}
    for basis, verdicts in sorted(judged.items()):
        relation = LABELS.index(basis.split()[0])
        right, total, least = 0.0, 0.0, None
        for count, (probability, is_right, weight) in enumerate(sorted(verdicts, reverse=True), 1):
            right, total = right + is_right * weight, total + weight
            enough = right / total >= SURE_RIGHT[relation] and is_right
            if enough and count >= LEAST_PAIRS and probability >= LEAST_SURE[relation]:
                least = probability
        if least is not None:
            sure[basis] = round(least - 5e-5, 4)
    return sure


def is_sure(pair: Pair, row: Floats, sure: Thresholds) -> bool:
    """Whether the verdict on a pair is sure."""
    best = int(row.argmax())
    return bool(row[best] >= sure.get(basis_of(pair, best), 2.0))


def sure_of_others(pairs: Sequence[Pair], probable: Floats) -> list[bool]:
    """Whether each pair's verdict is sure by thresholds from the other authors' pairs."""
    authors = np.array([pair.author for pair in pairs])
    by_author = {
        author: thresholds(
            [pair for pair in pairs if pair.author != author], probable[authors != author]
        )
        for author in sorted(set(authors))
    }
    return [
        is_sure(pair, row, by_author[pair.author])
        for pair, row in zip(pairs, probable, strict=True)
    ]


def figures(
    pairs: Sequence[Pair], probable: Floats, sure: Sequence[bool], chosen: Sequence[bool]
) -> dict[str, dict[str, str]]:
    """Recall, precision, and the sure ones' precision, of the pairs that are chosen."""
    told: dict[str, dict[str, str]] = {}
    best = probable.argmax(axis=1)
    truth = np.array([pair.label for pair in pairs])
    selected, certain = np.array(chosen), np.array(sure)
    for relation, name in enumerate(LABELS):
        claimed = selected & (best == relation)
        right = claimed & (truth == relation)
        told[name] = {
            "recall": share(right.sum(), (selected & (truth == relation)).sum()),
            "precision": share(right.sum(), claimed.sum()),
            "sure": share((right & certain).sum(), (claimed & certain).sum()),
        }
    return told


def share(hits: int, count: int) -> str:
    """A share as a fraction and as a number."""
    return f"{hits}/{count} {hits / max(1, count):.3f}"


def digest(authors: Iterable[str]) -> str:
    """A hash of the data that is fitted to."""
    total = hashlib.sha256()
    for author in authors:
        for path in sources()[author]:
            total.update(path.read_bytes())
    return total.hexdigest()


def model_of(pairs: Sequence[Pair], authors: Sequence[str]) -> dict[str, Any]:
    """What is written: weights against DISTINCT, thresholds, the figures and the data's hash."""
    probable = held_out(pairs)
    older = [pair.older for pair in pairs]
    fit = fitted(matrix(pairs), [pair.label for pair in pairs], older)
    names = list(pairs[0].compared.features.values)
    weights, start = fit.weights - fit.weights[2], fit.intercept - fit.intercept[2]
    sure = sure_of_others(pairs, probable)
    return {
        "version": VERSION,
        "data": digest(authors),
        "held_out": {
            "newer authors": figures(pairs, probable, sure, [not flag for flag in older]),
            "older authors": figures(pairs, probable, sure, older),
        },
        "intercept": [round(float(start[0]), 3), round(float(start[1]), 3)],
        "weights": {
            name: [round(float(value), 3) for value in (
                weights[0][at], weights[1][at], fit.low[at], fit.high[at])]
            for at, name in enumerate(names)
        },
        "sure": thresholds(pairs, probable),
    }  # fmt: skip


def main() -> int:
    """Write the weights, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a fit gives other weights")
    words = parser.parse_args()
    authors = fitted_authors()
    fresh = model_of(load(authors), authors)
    print(json.dumps({"held_out": fresh["held_out"], "sure": fresh["sure"]}, indent=1))
    if words.check:
        shipped = json.loads(WEIGHTS.read_text("utf-8"))
        if shipped != fresh:
            print("The weights are not what a fit gives: `python -m train.comparison` writes them.")
            return 1
        return 0
    WEIGHTS.write_text(json.dumps(fresh, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
