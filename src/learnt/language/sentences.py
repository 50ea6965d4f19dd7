"""Whether a sentence that a person typed is meant to outlast the task, by the n-gram scorer.

A sentence is judged with the whole message around it: what is said beside it tells a rule from a
request, and its place and form tell the person's own words from a paste.
"""

import re
from functools import cache
from typing import Final

from learnt.language.scorer import Scorer, load

LONG_SENTENCE: Final = 200
MANY_SENTENCES: Final = 6
LONG_MESSAGE: Final = 400
MANY_LINES: Final = 3
_QUOTE: Final = re.compile(r"[\"“「`]")


def lasting(sentence: str, message: str, at: int, count: int) -> float:
    """The log odds, less the threshold, that a sentence says something for good.

    It is number `at` (from 0) of the `count` sentences that the message's author wrote.
    """
    texts = {"sentence": sentence, "message": message}
    return _scorer().scores(texts, measures(sentence, message, at, count))["lasting"]


def measures(sentence: str, message: str, at: int, count: int) -> dict[str, float]:
    """The form and the place of a sentence, each from 0 to 1.

    >>> measures("use pnpm here", "use pnpm here", 0, 1)["first"]
    1.0
    """
    return {
        "length": min(len(sentence), LONG_SENTENCE) / LONG_SENTENCE,
        "first": float(at == 0),
        "last": float(at == count - 1),
        "sentences": min(count, MANY_SENTENCES) / MANY_SENTENCES,
        "question": float("?" in sentence or "？" in sentence),
        "lines": float("\n" in message),
        "long": float(len(message) > LONG_MESSAGE),
        "share": len(sentence) / max(1, len(message)),
        "quotes": float(_QUOTE.search(sentence) is not None),
        "capital": float(sentence[:1].isupper()),
        "colon": float(":" in message or "：" in message),
        "many lines": float(message.count("\n") > MANY_LINES),
    }


@cache
def _scorer() -> Scorer:
    return load("lasting")
