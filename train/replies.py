"""Fits what a next prompt says of the work before it.

python -m train.replies            fit, validate by held-out author, write replies.json
python -m train.replies --check    fit, and fail where the shipped weights are others
python -m train.replies --unseen   measure the shipped weights on the authors set aside
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.corpus import table
from learnt.core.health.executions import interval
from learnt.language.data import entries
from learnt.language.patterns import Patterns
from learnt.language.replies import likeliest_of, plain, reply
from train.corpora import DATA, ROOT, THIRD_LANGUAGE, Row, digest, lines, rows
from train.fitting import Plan, Sample, encoded, finish, fit, held_out

LABELS: Final = ("none", "revert", "correction", "negative", "praise")
BLAME: Final = frozenset(LABELS[1:4])
PLAN: Final = Plan(labels=LABELS, scales={"text": 1.0}, kept=8_000, freedom=3.0)
UNJUDGED: Final = frozenset({"asker", "checker", "plain", "tuning", "episodes"})
SHIFT: Final = (0.2, 0.0, 0.0, 0.0, 0.0)  # who is not sure says nothing
A_TASK: Final = 0.3  # how much a prompt counts that nobody labelled, and that answers nothing
EPISODES: Final = ROOT / "tests" / "data" / "episodes"
RECALL: Final = ROOT / "tests" / "data" / "recall" / "prompts_dev.jsonl"


def replies() -> list[Row]:
    """All labelled replies that weights may be fitted on."""
    found = rows("replies")
    for row in lines(EPISODES / "replies_tuning.jsonl"):
        found.append({"author": "tuning", "text": row["next_prompt"], "label": row["label"]})
    for row in episodes():
        if row["next_prompt"] and (label := row["label"]["kind"]) in BLAME:
            found.append({"author": "episodes", "text": row["next_prompt"], "label": label})
    return found


def episodes() -> Iterable[Row]:
    """The episodes that rules were tuned on before."""
    return (row for half in ("dev", "tuning") for row in lines(EPISODES / f"own_{half}.jsonl"))


def samples() -> list[Sample]:
    """The labelled replies, and prompts that answer nothing: tasks of episodes and messages."""
    found = [_sample(row["text"], row["label"] or "none", row["author"]) for row in replies()]
    tasks = [row["prompt"] for row in episodes()] + [row["prompt"] for row in lines(RECALL)]
    found += [_sample(text, "none", "tasks", A_TASK) for text in tasks]
    marked = Patterns(entries("replies"))
    for row in rows("messages"):
        answers = marked.first(plain(row["text"])).keys() & LABELS[1:]
        if not row["remarks"] and not answers:
            found.append(_sample(row["text"], "none", row["author"], A_TASK))
    return found


def _sample(text: str, label: str, author: str, weight: float = 1.0) -> Sample:
    return Sample(texts={"text": plain(text)}, label=label, author=author, weight=weight)


def supported(scores: Any, texts: Sequence[str]) -> list[str]:
    """The label of each text, by its scores and the patterns."""
    marked = Patterns(entries("replies"))
    return [
        likeliest_of(dict(zip(LABELS, row, strict=True)), marked.first(text))
        for row, text in zip(scores + np.array(SHIFT), texts, strict=True)
    ]


def validated(every: Sequence[Sample]) -> dict[str, Any]:
    """Figures by held-out author."""
    judged = [
        at
        for at, sample in enumerate(every)
        if sample.author not in UNJUDGED and sample.weight == 1.0
    ]
    authors = sorted({every[at].author for at in judged})
    texts = [sample.texts["text"] for sample in every]
    labels = supported(held_out(PLAN, every, authors), texts)
    shown = [
        {"author": author, **measured([
            (every[at].label, labels[at])
            for at in judged
            if every[at].author == author or (author == "all" and every[at].author in authors)
        ])}
        for author in [*authors, "all"]
    ]  # fmt: skip
    table("replies, held out by author", shown)
    return shown[-1]


def measured(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """How often label and verdict agree, and how well blame is found."""
    right = sum(label == verdict for label, verdict in pairs)
    blamed = [label in BLAME for label, _ in pairs]
    taken = [verdict in BLAME for _, verdict in pairs]
    hits = sum(a and b for a, b in zip(blamed, taken, strict=True))
    low, high = interval(right / len(pairs), len(pairs))
    return {
        "replies": len(pairs),
        "agreement": round(right / len(pairs), 3),
        "interval": f"{low:.3f} to {high:.3f}",
        "blame found": f"{hits} of {sum(blamed)}",
        "taken for blame": sum(taken),
    }


def shipped(some: Iterable[Row], read: Callable[[str], str]) -> dict[str, Any]:
    """How what is shipped agrees with labels."""
    return measured([(row["label"], read(row["text"]) or "none") for row in some])


def unseen() -> int:
    """The shipped weights on the authors set aside, and on a language that they do not know."""

    def read(text: str) -> str:
        return reply(text).verdict.value

    every = rows("replies", unseen=True)
    authors = sorted({row["author"] for row in every})
    shown = [
        {"author": author, **shipped([r for r in every if author in {r["author"], "all"}], read)}
        for author in [*authors, "all"]
    ]
    table("replies of the authors set aside", shown)
    return third_language(DATA / "replies" / f"{THIRD_LANGUAGE}.jsonl")


def third_language(path: Path) -> int:
    """How the shipped weights and a folder of patterns do in a language without weights."""

    def read(text: str) -> str:
        return reply(text).verdict.value

    table("replies in a third language", [shipped(lines(path), read)])
    return 0


def main(words: Sequence[str]) -> int:
    """Fit and write, or check, or measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--unseen", action="store_true")
    given = parser.parse_args(words)
    if given.unseen:
        return unseen()
    every = samples()
    told = {
        "data": digest(sample.texts["text"] for sample in every),
        "figures": validated(every),
        "measure_names": [],
        "thresholds": {},
    }
    model = encoded(fit(PLAN, every), SHIFT, told)
    return finish("replies", model, check=given.check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
