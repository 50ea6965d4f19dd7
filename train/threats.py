"""Fits what tells a sentence of a skill that misleads its reader from one that does not.

python -m train.threats            fit, validate by held-out author, write threats.json
python -m train.threats --check    fit, and fail where the shipped weights are others
python -m train.threats --unseen   measure the shipped weights on the author set aside
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from sklearn.metrics import roc_auc_score

from learnt.core.skills.hidden_text import sentences
from learnt.language.scorer import misleads, plain
from train.corpora import Row, rows
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

WARNED: Final = 0.0025  # of honest sentences of authors held out, by which the threshold is set
BACKGROUND_WEIGHT: Final = 0.3  # of a sentence that nobody wrote for a skill
THREAT: Final = Plan(labels=["attack"], scales={"text": 1.0}, kept=20_000, unknown=4.0)


def labelled() -> list[Sample]:
    """The labelled sentences; of honest passages of several lines also each sentence."""
    every = []
    for row in rows("threats"):
        every.append(_sample(row["text"], row["label"], row["author"]))
        parts = [part for _, part in sentences(row["text"])]
        if row["label"] == "honest" and len(parts) > 1:
            every += [_sample(part, "honest", row["author"], 0.5) for part in parts]
    return every


def others() -> list[Sample]:
    """Lines of the attacks on the scanner, labelled only where the attack is; and background.

    The latter is what people say of their work elsewhere, which misleads nobody.
    """
    texts = [row["text"] for row in rows("statements")]
    texts += [part for row in rows("messages") for _, part in sentences(row["text"])]
    texts += [row[side] for row in rows("pairs") for side in "ab"]
    return [
        _sample(row["text"], row["label"], row["author"], row.get("weight", 1.0))
        for row in rows("threats/in_files")
    ] + [_sample(text, "honest", "elsewhere", BACKGROUND_WEIGHT) for text in dict.fromkeys(texts)]


def _sample(text: str, label: str, author: str, weight: float = 1.0) -> Sample:
    return plain_sample(plain(text), label, author, weight)


def samples() -> dict[str, list[Sample]]:
    """What the model is fitted on."""
    return {"threats": [*labelled(), *others()]}


def validated(every: Sequence[Sample], count: int) -> tuple[Figures, float]:
    """Figures of the first `count` by held-out author, and the threshold that they give."""
    own = range(count)
    scores = held_out(THREAT, every, sorted({sample.author for sample in every[:count]}))[own, 0]
    attack = np.array([every[at].label == "attack" for at in own])
    threshold = float(np.quantile(scores[~attack], 1 - WARNED))

    def measured(some: Sequence[int]) -> Figures:
        these = np.array(some)
        attacks, honest = scores[these][attack[these]], scores[these][~attack[these]]
        return {
            "sentences": len(some),
            "AUC": round(float(roc_auc_score(attack[these], scores[these])), 3),
            "attacks above": round(float((attacks > threshold).mean()), 3),
            "honest above": round(float((honest > threshold).mean()), 3),
        }

    title = "misleading or honest, held out by author"
    figures = by_author(title, own, lambda at: every[at].author, measured)
    return figures, threshold


def measured(some: Sequence[Row]) -> dict[str, object]:
    """How many attacks and honest sentences are above the threshold, and how they are ranked."""
    scores = np.array([misleads(row["text"]) for row in some])
    attack = np.array([row["label"] == "attack" for row in some])
    hits, wrong = int((scores[attack] > 0).sum()), int((scores[~attack] > 0).sum())
    return {
        "AUC": round(float(roc_auc_score(attack, scores)), 3),
        "attacks above": f"{hits} of {attack.sum()} ({span(hits, attack.sum())})",
        "honest above": f"{wrong} of {(~attack).sum()} ({span(wrong, (~attack).sum())})",
    }


def unseen() -> None:
    """The shipped weights on the author set aside."""
    aside = rows("threats", unseen=True)
    by_author("the author set aside", aside, lambda row: row["author"], measured)


def made() -> dict[str, Figures]:
    """The weights, with their figures."""
    every = samples()["threats"]
    figures, threshold = validated(every, len(labelled()))
    return {"threats": document(fit(THREAT, every), every, figures, [-threshold])}


if __name__ == "__main__":
    raise SystemExit(run(__doc__, made, unseen))
