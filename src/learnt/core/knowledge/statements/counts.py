"""What a number in a text is: a bound, a year, or as it was on a day."""

import re
from typing import Final

from learnt.core.knowledge.statements.numbers import Quantity, quantities

# A number that only bounds another, or is one of many, or is denied: before it and behind it.
_BOUND: Final = re.compile(
    r"[<>≤≥]=?\s*$|\b(?:more|less|fewer|greater|higher|lower|larger|smaller|up to|"
    r"at (?:least|most)|over|under|above|below|exceed(?:s|ed|ing)?|beyond|limit(?:ed)?|every|each|"
    r"per|grows?|grew|new|not|never|no longer|should|must|may|until|unless)\b|n't\b|"
    r"超过|至少|至多|最多|少于|大于|小于|每|新增|增长|不|没有",
    re.IGNORECASE,
)
_BOUND_BEHIND: Final = re.compile(
    r"\s*\+|(?: \w+)?,? (?:or (?:more|less|fewer)|at (?:least|most))\b|"
    r"[^,;.，；。]{0,40}?(?:以上|以下|以内|"
    r"\b(?:or (?:more|less|fewer)|at (?:least|most)|per|each|every|a (?:day|week|month|year)|"
    r"allowed|limit)\b)",
    re.IGNORECASE,
)
# Behind a number that is not how many there are of what follows.
_LAST: Final = re.compile(
    r"\s*(?:$|[^\w\s(]|[\u4e00-\u9fff]|(?:rows?|records?|entries|and|or|but|in|for|of|on|at|over|"
    r"across|as|by|from|to|with|while|since|today|now|overall|altogether)\b)",
    re.IGNORECASE,
)
_YEARS: Final = range(1970, 2100)
_CLAUSE: Final = re.compile(r"[;,，；。]\s|[.]\s|\n")


def is_other(text: str, number: Quantity, found: float, named: bool) -> bool:
    """Whether a number in a text is not of the sort that was found.

    It is a bound or another year; or, where a word says which it is (`named`), as the largest, how
    many there are of something.

    >>> text = "the largest has 2 decimals"
    >>> is_other(text, quantities(text)[0], 11.99, True)
    True
    """
    counts = named and _LAST.match(text[number.end :]) is None
    return counts or are_years(number.value, found) or is_bound(text, number)


def is_bound(text: str, number: Quantity) -> bool:
    """Whether a number in a text is none that something has, but one that it may not pass.

    >>> [is_bound(text, quantities(text)[0]) for text in ("over 100 are let", "100 are let")]
    [True, False]
    >>> [is_bound(text, quantities(text)[0]) for text in ("100 at most", "each hotel has 100")]
    [True, True]
    """
    before = _CLAUSE.split(text[: number.start])[-1]
    behind = _BOUND_BEHIND.match(text[number.end :])
    return _BOUND.search(before) is not None or behind is not None


def are_years(recorded: float, found: float) -> bool:
    """Whether two numbers may be two years, which are never nearly the same.

    >>> are_years(2006, 2007), are_years(2006, 2006), are_years(2006.5, 2007), are_years(4800, 4801)
    (True, False, False, False)
    """
    return recorded != found and recorded in _YEARS and found in _YEARS


def is_dated(text: str) -> bool:
    """Whether a text says when it was so: it is not made wrong by how it is now.

    >>> is_dated("100 were let in 2019"), is_dated("as of the move 100 are"), is_dated("100 let")
    (True, True, False)
    """
    years = (one.value for one in quantities(text) if one.measure == "code")
    dates = any(one.measure == "date" for one in quantities(text))
    return dates or any(one in _YEARS for one in years) or "as of" in text.casefold()
