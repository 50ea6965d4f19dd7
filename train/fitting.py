"""Logistic regression over n-grams: fitted, pruned, validated by held-out author, written as JSON.

The n-grams are those of `learnt.language.scorer`, so that what is fitted is what is read. Its
commands share `run`: fit and write, `--check`, `--unseen`.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Final, TypeVar

import numpy as np
from msgspec import field
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from benchmarks.report import table
from learnt.core.health.executions import interval
from learnt.core.records import Record
from learnt.language.data import ROOT
from learnt.language.scorer import GRAMS, THOUSANDTHS, VERSION

ALL: Final = "all"
Item = TypeVar("Item")
Figures = dict[str, Any]


class Sample(Record, kw_only=True):
    """A labelled sample: texts and measures by name, the author, how much it counts."""

    texts: Mapping[str, str]
    label: str
    author: str
    measures: Mapping[str, float] = field(default_factory=dict)
    weight: float = 1.0


def plain_sample(text: str, label: str, author: str, weight: float = 1.0) -> Sample:
    """A sample of one text."""
    return Sample(texts={"text": text}, label=label, author=author, weight=weight)


class Plan(Record, kw_only=True):
    """What is fitted: for which labels, how many n-grams are kept, how freely weights may grow.

    `scales` are how much each named text counts, `grams` how much each set of its n-grams. One
    label alone is told from the absence of it. An n-gram that is not kept counts for the
    length of a text as one of inverse frequency `unknown` does, so that a text of which little is
    known is told little of.
    """

    labels: Sequence[str]
    scales: Mapping[str, float]
    kept: int
    grams: Mapping[str, float] = field(default_factory=lambda: {"characters": 1.0, "words": 1.0})
    freedom: float = 5.0
    unknown: float = 0.0
    solver: str = "lbfgs"  # "liblinear" also keeps the intercepts small
    rarest: int = 2  # samples that an n-gram must be in


@cache
def _grams(kind: str, text: str) -> frozenset[str]:
    """The n-grams of a text: each is asked for in every fold."""
    return frozenset(GRAMS[kind](text))


class _Blocks:
    """The vocabulary of each named text's n-grams, and the matrix that samples give with it."""

    def __init__(self, plan: Plan, samples: Sequence[Sample]) -> None:
        scaled = product(plan.scales.items(), plan.grams.items())
        self.names = {(text, grams): a * b for (text, a), (grams, b) in scaled}
        self.unknown = plan.unknown
        self.terms: list[list[str]] = []
        self.inverse: list[Any] = []
        for text, grams in self.names:
            counts = Counter(g for s in samples for g in _grams(grams, s.texts[text]))
            self.terms.append(sorted(g for g, count in counts.items() if count >= plan.rarest))
            many = np.array([counts[g] for g in self.terms[-1]], float)
            self.inverse.append(np.log((1 + len(samples)) / (1 + many)) + 1)

    def prune(self, importance: Any, kept: int) -> None:
        """Keep so many n-grams over all blocks: the most important ones."""
        chosen = np.zeros(len(importance), bool)
        chosen[np.argsort(-importance, kind="stable")[:kept]] = True
        start = 0
        for block, terms in enumerate(self.terms):
            mask = chosen[start : start + len(terms)]
            start += len(terms)
            self.terms[block] = [term for term, keep in zip(terms, mask, strict=True) if keep]
            self.inverse[block] = self.inverse[block][mask]

    def matrix(self, samples: Sequence[Sample]) -> Any:
        """A row a sample: n-grams by inverse frequency, each block of length 1, then measures."""
        parts = []
        for ((text, kind), scale), terms, inverse in zip(
            self.names.items(), self.terms, self.inverse, strict=True
        ):
            grams = [_grams(kind, sample.texts[text]) for sample in samples]
            parts.append(scale * _block(grams, terms, inverse, self.unknown))
        measures = [list(sample.measures.values()) for sample in samples]
        if measures and measures[0]:
            parts.append(csr_matrix(np.array(measures)))
        return hstack(parts).tocsr()


def _block(
    grams: Sequence[frozenset[str]], terms: Sequence[str], inverse: Any, unknown: float
) -> Any:
    places = {term: at for at, term in enumerate(terms)}
    columns = [sorted(places[gram] for gram in some if gram in places) for some in grams]
    sizes = np.array([len(row) for row in columns])
    flat = np.array([at for row in columns for at in row], int)
    starts = np.cumsum([0, *sizes])
    rows = csr_matrix((inverse[flat], flat, starts), shape=(len(grams), len(terms)))
    others = unknown**2 * (np.array([len(some) for some in grams]) - sizes)
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(1)).ravel() + others)
    return diags(1 / np.where(lengths == 0, 1, lengths)) @ rows


class Fitted(Record):
    """A regression and its vocabulary."""

    plan: Plan
    blocks: _Blocks
    weights: Any  # labels × features
    intercepts: Any

    def scores(self, samples: Sequence[Sample]) -> Any:
        """The log odds of each label, a row a sample."""
        return self.blocks.matrix(samples) @ self.weights.T + self.intercepts


def fit(plan: Plan, samples: Sequence[Sample]) -> Fitted:
    """Fit on all n-grams, keep the most important ones, fit again on those."""
    blocks = _Blocks(plan, samples)
    weights, _ = _regressed(plan, samples, blocks.matrix(samples))
    count = sum(map(len, blocks.terms))
    seen = np.sqrt(np.asarray(blocks.matrix(samples).power(2).sum(0)).ravel())[:count]
    blocks.prune(np.abs(weights[:, :count]).max(0) * seen, plan.kept)
    return Fitted(plan, blocks, *_regressed(plan, samples, blocks.matrix(samples)))


def _regressed(plan: Plan, samples: Sequence[Sample], matrix: Any) -> tuple[Any, Any]:
    rows, offsets = [], []
    for label in plan.labels:
        truth = np.array([sample.label == label for sample in samples])
        model = LogisticRegression(
            C=plan.freedom, max_iter=5_000, class_weight="balanced", solver=plan.solver
        )
        model.fit(matrix, truth, sample_weight=[sample.weight for sample in samples])
        rows.append(model.coef_[0])
        offsets.append(model.intercept_[0])
    return np.array(rows), np.array(offsets)


def held_out(plan: Plan, samples: Sequence[Sample], authors: Iterable[str]) -> Any:
    """The scores of each sample by a fit that has not seen its author; NaN for other authors."""
    scores = np.full((len(samples), len(plan.labels)), np.nan)
    for author in authors:
        own = [at for at, sample in enumerate(samples) if sample.author == author]
        rest = [sample for sample in samples if sample.author != author]
        scores[own] = fit(plan, rest).scores([samples[at] for at in own])
    return scores


def document(
    fitted: Fitted,
    samples: Iterable[Sample],
    figures: Figures,
    shift: Sequence[float],
    *,
    measures: Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """The JSON document that the scorer reads: thousandths, n-grams in order.

    `shift` is added to the scores; a hash of the samples and the figures stand beside them.
    """
    blocks, start = [], 0
    unknown = round(fitted.plan.unknown * THOUSANDTHS)
    for ((text, grams), scale), terms, inverse in zip(
        fitted.blocks.names.items(), fitted.blocks.terms, fitted.blocks.inverse, strict=True
    ):
        weights = scale * fitted.weights[:, start : start + len(terms)]
        start += len(terms)
        rows = {
            term: [round(float(n) * THOUSANDTHS) for n in (inverse[at], *weights[:, at])]
            for at, term in enumerate(terms)
        }
        blocks.append({"text": text, "grams": grams, "unknown": unknown, "terms": rows})
    return {
        "version": VERSION,
        "data": digest(samples),
        "figures": figures,
        "measure_names": list(measures),
        "thresholds": dict(thresholds or {}),
        "labels": list(fitted.plan.labels),
        "intercepts": [
            round(float(a + b) * THOUSANDTHS) for a, b in zip(fitted.intercepts, shift, strict=True)
        ],
        "measures": {
            name: [round(float(row[start + at]) * THOUSANDTHS) for row in fitted.weights]
            for at, name in enumerate(measures)
        },
        "blocks": blocks,
    }


def digest(samples: Iterable[Sample]) -> str:
    """What tells one set of training data from another: a hash of each sample's first text."""
    whole = hashlib.sha256()
    for sample in samples:
        whole.update(next(iter(sample.texts.values())).encode() + b"\0")
    return whole.hexdigest()[:16]


def run(
    description: str | None,
    made: Callable[[], Mapping[str, Mapping[str, Any]]],
    unseen: Callable[[], None],
) -> int:
    """Write the documents that `made` gives by name, or compare them, or measure what is unseen.

    The exit code is 1 where shipped weights differ.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail where shipped weights differ")
    parser.add_argument("--unseen", action="store_true", help="measure on the authors set aside")
    arguments = parser.parse_args(sys.argv[1:])
    if arguments.unseen:
        unseen()
        return 0
    code = 0
    for name, model in made().items():
        path = ROOT / f"{name}.json"
        if not arguments.check:
            text = json.dumps(model, ensure_ascii=False, separators=(",", ":")) + "\n"
            path.write_text(text, "utf-8")
            print(f"{name}.json: {len(text) // 1_000} kB")
        elif _near(json.loads(path.read_text("utf-8")), model):
            print(f"{name}.json is what the data give")
        else:
            print(f"{name}.json DIFFERS from what the data give")
            code = 1
    return code


def _near(shipped: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether two documents are the same but for the last digits of a weight."""
    if shipped["data"] != made["data"]:
        return False
    for block, other in zip(shipped["blocks"], made["blocks"], strict=True):
        ours, theirs = block["terms"], other["terms"]
        common = ours.keys() & theirs.keys()
        if len(common) < 0.99 * max(len(ours), len(theirs)):
            return False
        for term in common:
            if any(abs(a - b) > 20 for a, b in zip(ours[term], theirs[term], strict=True)):
                return False
    return True


def by_author(
    title: str,
    items: Sequence[Item],
    author_of: Callable[[Item], str],
    measured: Callable[[Sequence[Item]], Figures],
) -> Figures:
    """Print what is measured of each author's items and of all, and give the latter."""
    authors = sorted(set(map(author_of, items)))
    shown = [
        {"author": author, **measured([one for one in items if author in {author_of(one), ALL}])}
        for author in [*authors, ALL]
    ]
    table(title, shown)
    return shown[-1]


def span(hits: int, count: int) -> str:
    """The 95 % interval of a share, by Wilson."""
    return "{:.3f} to {:.3f}".format(*interval(hits / count, count))
