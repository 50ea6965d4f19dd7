"""What a statement puts first and what later.

The marks of an order are patterns, by language, in `words/orders.txt`. Behind `before` and `after`
stands what they speak of, as in English; in front of `before-it` and `after-it`, as in Chinese.
"""

import re
from functools import cache
from typing import Final

from learnt.language.comparison.lists import pattern_lines

EARLY, LATE = 1, 2
Span = tuple[int, int, int]  # start, end, rank
_SENTENCE: Final = re.compile(r"[^.;。;；!?]+(?:[.;](?=\S)[^.;。;；!?]+)*")
_COMMA: Final = re.compile(r"[,，:：](?!\S*_)|、")
_NOTHING: Final = " ,.`"


@cache
def _marks() -> dict[str, re.Pattern[str]]:
    """One pattern for each mark of an order, of all languages together."""
    lines = pattern_lines("orders.txt")
    names = ("before", "after", "first", "then", "before-it", "after-it")
    return {name: re.compile("|".join(lines.get(name, [r"(?!)"])), re.IGNORECASE) for name in names}


def spans_of(text: str) -> list[Span]:
    """The parts of a text of which an order is told, with their ranks: EARLY or LATE."""
    return [
        (sentence.start() + start, sentence.start() + end, rank)
        for sentence in _SENTENCE.finditer(text)
        for start, end, rank in _spans(sentence[0])
    ]


def _spans(sentence: str) -> list[Span]:
    """The parts of a sentence with their ranks."""
    marks = _marks()
    for mark, rank in (("before", LATE), ("after", EARLY)):
        if match := marks[mark].search(sentence):
            return _around(sentence, match, rank)
    first = marks["first"].search(sentence)
    if match := marks["then"].search(sentence, first.end() if first else 0):
        start = first.start() if first and not first[0].isascii() else 0
        cut = match.start()
        if not sentence[match.end() :].strip(_NOTHING) or not first:
            comma = _COMMA.search(sentence)
            cut = comma.start() if comma else cut
        return [(start, cut, EARLY), (cut, len(sentence), LATE)]
    for mark, rank in (("before-it", LATE), ("after-it", EARLY)):
        if match := marks[mark].search(sentence):
            commas = [comma.end() for comma in _COMMA.finditer(sentence, 0, match.start())]
            start = commas[-1] if commas else 0
            other = EARLY + LATE - rank
            return [(start, match.start(), rank), (match.end(), len(sentence), other)]
    return []


def _around(sentence: str, match: re.Match[str], rank: int) -> list[Span]:
    """The parts beside a mark behind which stands what has a rank."""
    other = EARLY + LATE - rank
    comma = _COMMA.search(sentence, match.end())
    stop = comma.start() if comma else len(sentence)
    if not sentence[: match.start()].strip(_NOTHING):
        return [(match.end(), stop, rank), (stop, len(sentence), other)]
    start = max(sentence.rfind(bound, 0, match.start()) for bound in (",", " and "))
    return [(max(start, 0), match.start(), other), (match.end(), stop, rank)]
