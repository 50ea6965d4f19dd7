"""Fits what a next prompt says of the work before it.

python -m train.replies            fit, validate by held-out author, write replies.json
python -m train.replies --check    fit, and fail where the shipped weights are others
python -m train.replies --unseen   measure the shipped weights on the authors set aside
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.report import table
from learnt.language.data import Patterns, entries
from learnt.language.scorer import likeliest_of, reply
from learnt.language.scorer import unquoted as plain
from train.corpora import DATA, ROOT, THIRD_LANGUAGE, Row, lines, rows
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

LABELS: Final = ("none", "revert", "correction", "negative", "praise")
BLAME: Final = frozenset(LABELS[1:4])
PLAN: Final = Plan(
    labels=LABELS,
    scales={"text": 1.0},
    grams={"characters": 1.0, "words": 1.5, "edges": 0.7},
    kept=10_000,
    unknown=6.0,
    solver="liblinear",
)
UNJUDGED: Final = frozenset({"asker", "checker", "plain", "tuning", "episodes"})
SHIFT: Final = (0.2, 0.0, 0.0, 0.0, 0.0)  # who is not sure says nothing
A_TASK: Final = 0.3  # how much a prompt counts that nobody labelled, and that answers nothing
EPISODES: Final = ROOT / "tests" / "data" / "episodes"
RECALL: Final = ROOT / "tests" / "data" / "recall" / "prompts_dev.jsonl"


def replies() -> list[Row]:
    """All labelled replies that weights may be fitted on."""
    labelled = rows("replies")
    for row in lines(EPISODES / "replies_tuning.jsonl"):
        labelled.append({"author": "tuning", "text": row["next_prompt"], "label": row["label"]})
    for row in episodes():
        if row["next_prompt"] and (label := row["label"]["kind"]) in BLAME:
            labelled.append({"author": "episodes", "text": row["next_prompt"], "label": label})
    return labelled


def episodes() -> Iterable[Row]:
    """The episodes that rules were tuned on before."""
    return (row for half in ("dev", "tuning") for row in lines(EPISODES / f"own_{half}.jsonl"))


def samples() -> dict[str, list[Sample]]:
    """The labelled replies, and prompts that answer nothing: tasks of episodes and messages."""
    every = [_sample(row["text"], row["label"] or "none", row["author"]) for row in replies()]
    tasks = [row["prompt"] for row in episodes()] + [row["prompt"] for row in lines(RECALL)]
    every += [_sample(text, "none", "tasks", A_TASK) for text in tasks]
    marked = Patterns(entries("replies"))
    for row in rows("messages"):
        answers = marked.first(plain(row["text"])).keys() & LABELS[1:]
        if not row["remarks"] and not answers:
            every.append(_sample(row["text"], "none", row["author"], A_TASK))
    return {"replies": every}


def _sample(text: str, label: str, author: str, weight: float = 1.0) -> Sample:
    return plain_sample(plain(text), label, author, weight)


def supported(scores: Any, texts: Sequence[str]) -> list[str]:
    """The label of each text, by its scores and the patterns."""
    marked = Patterns(entries("replies"))
    return [
        likeliest_of(dict(zip(LABELS, row, strict=True)), marked.first(text))
        for row, text in zip(scores + np.array(SHIFT), texts, strict=True)
    ]


def validated(every: Sequence[Sample]) -> Figures:
    """Figures by held-out author."""
    authors = {s.author for s in every if s.author not in UNJUDGED and s.weight == 1.0}
    labels = supported(held_out(PLAN, every, authors), [s.texts["text"] for s in every])
    judged = [
        (sample, label)
        for sample, label in zip(every, labels, strict=True)
        if sample.author in authors and sample.weight == 1.0
    ]
    return by_author(
        "replies, held out by author",
        judged,
        lambda pair: pair[0].author,
        lambda some: measured([(sample.label, label) for sample, label in some]),
    )


def measured(pairs: Sequence[tuple[str, str]]) -> Figures:
    """How often label and verdict agree, and how well blame is found."""
    right = sum(label == verdict for label, verdict in pairs)
    blamed = [label in BLAME for label, _ in pairs]
    taken = [verdict in BLAME for _, verdict in pairs]
    hits = sum(a and b for a, b in zip(blamed, taken, strict=True))
    return {
        "replies": len(pairs),
        "agreement": round(right / len(pairs), 3),
        "interval": span(right, len(pairs)),
        "blame found": f"{hits} of {sum(blamed)}",
        "taken for blame": sum(taken),
    }


def shipped(some: Iterable[Row]) -> Figures:
    """How what is shipped agrees with labels."""
    return measured([(row["label"], reply(row["text"]).verdict.value or "none") for row in some])


def unseen() -> None:
    """The shipped weights on the authors set aside, and on a language that they do not know."""
    aside = rows("replies", unseen=True)
    by_author("replies of the authors set aside", aside, lambda row: row["author"], shipped)
    third = lines(DATA / "replies" / f"{THIRD_LANGUAGE}.jsonl")
    table("replies in a third language", [shipped(third)])


def made() -> dict[str, Figures]:
    """The weights, with their figures."""
    every = samples()["replies"]
    return {"replies": document(fit(PLAN, every), every, validated(every), SHIFT)}


if __name__ == "__main__":
    raise SystemExit(run(__doc__, made, unseen))
