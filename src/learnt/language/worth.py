"""Whether a statement is worth keeping, by the n-gram scorer; of junk, its likeliest sort."""

from functools import lru_cache
from typing import Final

from learnt.core.knowledge.admission import Worth
from learnt.core.tokens import words
from learnt.language.scorer import load

LONGEST: Final = 1_000
LEAST_WORDS: Final = 2


@lru_cache(maxsize=256)
def worth(text: str) -> Worth:
    """How far a statement looks like junk, and its likeliest sort.

    >>> worth("the").sort, worth("orders.status is one of NEW, PAID, SHIPPED").rejected()
    ('says-nothing', '')
    """
    text = text[:LONGEST].strip()
    # A long text is looked into at its beginning: its words are many, and two are enough.
    if len(words(text[:80])) < LEAST_WORDS and len(words(text)) < LEAST_WORDS:
        return Worth(float("inf"), "says-nothing")
    return Worth(junk_of(text), sort_of(text))


def junk_of(text: str) -> float:
    """How far a statement speaks for junk: 0 at the threshold.

    At 1 one sound statement in a hundred of authors held out was beyond it.
    """
    scorer = load("worth")
    return scorer.scores({"text": text})["junk"] / scorer.thresholds["vouched"]


def sort_of(text: str) -> str:
    """The likeliest sort of junk."""
    scores = load("junk_sorts").scores({"text": text})
    return max(scores, key=scores.__getitem__)
