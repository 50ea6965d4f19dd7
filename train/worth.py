"""Fits what tells junk from sound statements, and of which sort the junk is.

python -m train.worth            fit, validate by held-out author, write worth.json, junk_sorts.json
python -m train.worth --check    fit, and fail where the shipped weights are others
python -m train.worth --unseen   measure the shipped weights on the authors set aside
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from sklearn.metrics import roc_auc_score

from learnt.core.knowledge.admission import WORTHLESS
from learnt.language.scorer import junk_of, sort_of
from train.corpora import Row, older, rows
from train.fitting import (
    Figures,
    Plan,
    Sample,
    by_author,
    document,
    fit,
    held_out,
    plain_sample,
    run,
    span,
)

LOST: Final = 0.055  # of sound statements of authors held out, by which the threshold is set
VOUCHED_LOST: Final = 0.01  # likewise, where a tool call or a person vouches for it
PAIR_WEIGHT: Final = 0.3  # of a statement out of a pair: most are of few authors
# Statements of one form, like those of seed 000's layers: held out, they say nothing of others.
OF_ONE_FORM: Final = frozenset({"pairs", "reed"})
SORTS: Final = tuple(WORTHLESS)[1:]
WORTH: Final = Plan(labels=["junk"], scales={"text": 1.0}, kept=20_000)
SORT: Final = Plan(labels=SORTS, scales={"text": 1.0}, kept=2_500)
PAIRS: Final = tuple(f"pairs_{part}" for part in (
    "en_dev", "zh_dev", "en_tuning", "zh_tuning", "en_more", "zh_more"
))  # fmt: skip


def statements() -> list[Sample]:
    """The statements that somebody labelled as junk or sound."""
    every = [plain_sample(row["text"], row["label"], row["author"]) for row in _labelled()]
    for name in ("junk", "sound"):
        every += [plain_sample(row["text"], name, _author(row)) for row in _older(name)]
    return every


def _labelled() -> list[Row]:
    return [*rows("statements"), *rows("layers")]


def _older(name: str) -> list[Row]:
    return [row for half in ("dev", "more") for row in older(f"{name}_{half}")]


def _author(row: Row) -> str:
    return str(row.get("author", "first"))


def samples() -> dict[str, list[Sample]]:
    """What each model is fitted on: junk or sound, with pairs, which nobody wrote to be junk."""
    pairs = dict.fromkeys(row[side] for name in PAIRS for row in older(name) for side in "ab")
    junk = [row for row in _labelled() if row["label"] == "junk"] + _older("junk")
    return {
        "worth": statements()
        + [plain_sample(text, "sound", "pairs", PAIR_WEIGHT) for text in pairs],
        "junk_sorts": [plain_sample(row["text"], row["sort"], _author(row)) for row in junk],
    }


def validated(every: Sequence[Sample]) -> tuple[Figures, float, float]:
    """Figures by held-out author, and the two thresholds that they give."""
    own = [at for at, sample in enumerate(every) if sample.author not in OF_ONE_FORM]
    authors = sorted({every[at].author for at in own})
    scores = held_out(WORTH, every, authors)[own, 0]
    junk = np.array([every[at].label == "junk" for at in own])
    threshold, vouched = (
        float(np.quantile(scores[~junk], 1 - lost)) for lost in (LOST, VOUCHED_LOST)
    )

    def measured(some: Sequence[int]) -> Figures:
        these = np.array(some)
        return {
            "statements": len(some),
            "AUC": round(float(roc_auc_score(junk[these], scores[these])), 3),
            "junk let in": round(float((scores[these][junk[these]] <= threshold).mean()), 3),
            "sound lost": round(float((scores[these][~junk[these]] > threshold).mean()), 3),
        }

    title = "junk or sound, held out by author"
    judged = range(len(own))
    figures = by_author(title, judged, lambda at: every[own[at]].author, measured)
    return figures, threshold, vouched


def unseen() -> None:
    """The shipped weights on the authors set aside."""
    aside = rows("statements", unseen=True)
    by_author("the authors set aside", aside, lambda row: row["author"], measured)


def measured(some: Sequence[Row]) -> dict[str, object]:
    """How much junk is let in, how much that is sound is lost, how often the sort is right."""
    junk = [row for row in some if row["label"] == "junk"]
    sound = [row for row in some if row["label"] == "sound"]
    let_in = sum(junk_of(row["text"]) <= 0 for row in junk)
    lost = sum(junk_of(row["text"]) > 0 for row in sound)
    sorts = sum(sort_of(row["text"]) == row["sort"] for row in junk)
    return {
        "junk let in": f"{let_in} of {len(junk)}",
        "interval": span(let_in, len(junk)),
        "sound lost": f"{lost} of {len(sound)}",
        "interval ": span(lost, len(sound)),
        "sort right": round(sorts / len(junk), 2),
    }


def made() -> dict[str, Figures]:
    """The weights of both, with their figures."""
    every, by_sort = samples().values()
    figures, threshold, vouched = validated(every)
    thresholds = {"vouched": round(vouched - threshold, 3)}
    junk = document(fit(WORTH, every), every, figures, [-threshold], thresholds=thresholds)
    authors = sorted({sample.author for sample in by_sort})
    guessed = held_out(SORT, by_sort, authors).argmax(1)
    right = float(np.mean([SORTS[g] == s.label for g, s in zip(guessed, by_sort, strict=True)]))
    print(f"sort right, held out by author: {right:.3f}")
    shares = {"sort right": round(right, 3)}
    sorts = document(fit(SORT, by_sort), by_sort, shares, [0.0] * len(SORTS))
    return {"worth": junk, "junk_sorts": sorts}


if __name__ == "__main__":
    raise SystemExit(run(__doc__, made, unseen))
