"""Fits what tells a sentence that is said for good from all else that people type to an agent.

python -m train.remarks            fit, validate by held-out author, write lasting.json
python -m train.remarks --check    fit, and fail where the shipped weights are others
python -m train.remarks --unseen   measure the shipped weights on the authors set aside
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.report import table
from learnt.core.records import Record
from learnt.language.remarks import lasting, measures, own_words
from train import worth
from train.corpora import Row, rows
from train.fitting import Figures, Plan, Sample, by_author, document, fit, held_out, run, span

TAKEN: Final = 0.045  # of messages that hold nothing for good, by which the threshold is set
MEASURE_SCALE: Final = 0.3
STATEMENT_WEIGHT: Final = 0.05  # of a statement that was not typed to an agent
LASTING: Final = Plan(labels=["lasting"], scales={"sentence": 1.0, "message": 0.9}, kept=20_000)
ALONE_WEIGHT: Final = 0.3  # of a sentence out of a message, taken as a message of its own
_LEAST: Final = 4  # letters of a sentence that may stand for a remark


class Message(Record, kw_only=True):
    """A message with its author's own sentences, and which of them say something for good."""

    text: str
    author: str
    sentences: tuple[str, ...]
    lasting: tuple[bool, ...]

    @property
    def holds(self) -> bool:
        """Whether any does."""
        return any(self.lasting)


def typed(one: Message) -> list[Sample]:
    """A sample for each sentence of a message."""
    pairs = enumerate(zip(one.sentences, one.lasting, strict=True))
    count = len(one.sentences)
    return [_sample(one.author, s, keeps, (one.text, at, count)) for at, (s, keeps) in pairs]


def untyped(messages: Sequence[Message]) -> list[Sample]:
    """Each sentence as a message of its own: people also say such things and nothing else.

    And statements offered for memory, which say how facts are worded.
    """
    return [
        _sample(one.author, sentence, keeps, (sentence, 0, 1), ALONE_WEIGHT)
        for one in messages
        if len(one.sentences) > 1
        for sentence, keeps in zip(one.sentences, one.lasting, strict=True)
    ] + [
        _sample(one.author, text, one.label == "sound", (text, 0, 1), STATEMENT_WEIGHT)
        for one in worth.statements()
        for text in one.texts.values()
    ]


def _sample(
    author: str, sentence: str, keeps: bool, place: tuple[str, int, int], weight: float = 1.0
) -> Sample:
    form = measures(sentence, *place)
    return Sample(
        texts={"sentence": sentence, "message": place[0]},
        label="lasting" if keeps else "",
        author=author,
        measures={name: MEASURE_SCALE * value for name, value in form.items()},
        weight=weight,
    )


def message(row: Row) -> Message:
    """A labelled message: a sentence is for good where it holds a remark or is part of one."""
    sentences = tuple(own_words(row["text"]))
    remarks = [_letters(remark) for remark in row["remarks"]]
    keeps = tuple(_overlaps(_letters(sentence), remarks) for sentence in sentences)
    return Message(text=row["text"], author=row["author"], sentences=sentences, lasting=keeps)


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def _overlaps(sentence: str, remarks: Sequence[str]) -> bool:
    long = len(sentence) >= _LEAST
    return long and any(remark in sentence or sentence in remark for remark in remarks)


def validated(messages: Sequence[Message], every: Sequence[Sample]) -> tuple[Figures, float]:
    """Figures by held-out author, and the threshold that they give."""
    scores = held_out(LASTING, every, sorted({one.author for one in messages}))[:, 0]
    best, start = [], 0
    for one in messages:
        own = scores[start : start + len(one.sentences)]
        start += len(one.sentences)
        best.append((max(own, default=-99.0), max(own[list(one.lasting)], default=-99.0)))
    tops = np.array(best)
    holds = np.array([one.holds for one in messages])
    threshold = float(np.quantile(tops[~holds, 0], 1 - TAKEN))

    def measured(some: Sequence[int]) -> Figures:
        these = np.array(some)
        best, lasts, holding = tops[these, 0], tops[these, 1], holds[these]
        return {
            "messages": len(some),
            "found": round(float((lasts[holding] > threshold).mean()), 3),
            "taken where none": round(float((best[~holding] > threshold).mean()), 3),
        }

    title = "said for good, held out by author"
    judged = range(len(messages))
    return by_author(title, judged, lambda at: messages[at].author, measured), threshold


def measured(messages: Sequence[Message]) -> dict[str, object]:
    """How often the shipped weights find what is said for good, and take what is not."""
    found = taken = 0
    holding = [one for one in messages if one.holds]
    empty = [one for one in messages if not one.holds]
    for one in messages:
        count = len(one.sentences)
        kept = [lasting(s, one.text, at, count) > 0 for at, s in enumerate(one.sentences)]
        found += any(a and b for a, b in zip(kept, one.lasting, strict=True))
        taken += any(kept) and not one.holds
    return {
        "found": f"{found} of {len(holding)}",
        "interval": span(found, len(holding)),
        "taken where none": f"{taken} of {len(empty)}",
        "interval ": span(taken, len(empty)),
    }


def unseen() -> None:
    """The shipped weights on the authors set aside."""
    aside = [message(row) for row in rows("messages", unseen=True)]
    table("the authors set aside", [measured(aside)])


def samples() -> dict[str, list[Sample]]:
    """What the model is fitted on."""
    return {"lasting": _samples([message(row) for row in rows("messages")])}


def _samples(messages: Sequence[Message]) -> list[Sample]:
    return [*(sample for one in messages for sample in typed(one)), *untyped(messages)]


def made() -> dict[str, Figures]:
    """The weights, with their figures."""
    messages = [message(row) for row in rows("messages")]
    every = _samples(messages)
    figures, threshold = validated(messages, every)
    names = list(measures("", "", 0, 1))
    model = document(fit(LASTING, every), every, figures, [-threshold], measures=names)
    scaled = {
        name: [round(w * MEASURE_SCALE) for w in row] for name, row in model["measures"].items()
    }
    return {"lasting": {**model, "measures": scaled}}


if __name__ == "__main__":
    raise SystemExit(run(__doc__, made, unseen))
