"""Logistic regression over n-grams: fitted, pruned, validated by held-out author, written as JSON.

The n-grams are those of `learnt.language.scorer`, so that what is fitted is what is read.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from learnt.language.scorer import GRAMS, VERSION, decoded

THOUSANDTHS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A labelled sample: texts and measures by name, the author, how much it counts."""

    texts: Mapping[str, str]
    label: str
    author: str
    measures: Mapping[str, float] = field(default_factory=dict)
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
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


@dataclass(frozen=True, slots=True)
class Fitted:
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


def encoded(fitted: Fitted, shift: Sequence[float], told: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON document that the scorer reads: thousandths, n-grams in order.

    `shift` is added to the scores; `told` is what is to be kept beside them: hash, figures.
    """
    blocks, start = [], 0
    for ((text, grams), scale), terms, inverse in zip(
        fitted.blocks.names.items(), fitted.blocks.terms, fitted.blocks.inverse, strict=True
    ):
        weights = scale * fitted.weights[:, start : start + len(terms)]
        start += len(terms)
        rows = {
            term: [round(float(n) * THOUSANDTHS) for n in (inverse[at], *weights[:, at])]
            for at, term in enumerate(terms)
        }
        unknown = round(fitted.plan.unknown * THOUSANDTHS)
        blocks.append({"text": text, "grams": grams, "unknown": unknown, "terms": rows})
    names = list(fitted.plan.labels)
    return {
        "version": VERSION,
        **told,
        "labels": names,
        "intercepts": [
            round(float(a + b) * THOUSANDTHS) for a, b in zip(fitted.intercepts, shift, strict=True)
        ],
        "measures": {
            name: [round(float(row[start + at]) * THOUSANDTHS) for row in fitted.weights]
            for at, name in enumerate(told["measure_names"])
        },
        "blocks": blocks,
    }


def text_of(document: Mapping[str, Any]) -> str:
    """A document as it is shipped: a line a block's term would be long, so one line a block."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def finish(name: str, document: Mapping[str, Any], *, check: bool) -> int:
    """Write the weights, or with `check` say whether those shipped are what the data give."""
    path = files("learnt.language") / f"{name}.json"
    text = text_of(document)
    if not check:
        path.write_text(text, "utf-8")  # type: ignore[attr-defined]  # a checkout's own folder
        print(f"{name}.json: {len(text) // 1_000} kB")
        return 0
    shipped = json.loads(path.read_text("utf-8"))
    same = _near(shipped, document)
    print(f"{name}.json {'is what the data give' if same else 'DIFFERS from what the data give'}")
    return 0 if same else 1


def _near(shipped: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether two documents are the same but for the last digits of a weight."""
    if shipped["data"] != made["data"]:
        return False
    ours, theirs = decoded(shipped), decoded(made)
    for block, other in zip(ours.blocks, theirs.blocks, strict=True):
        common = block.terms.keys() & other.terms.keys()
        if len(common) < 0.99 * max(len(block.terms), len(other.terms)):
            return False
        for term in common:
            pairs = zip(block.terms[term], other.terms[term], strict=True)
            if any(abs(a - b) > 20 for a, b in pairs):  # thousandths
                return False
    return True
