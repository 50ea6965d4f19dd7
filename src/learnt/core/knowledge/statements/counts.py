"""The number of all rows that a text says a table has, and of nothing else; what is no number."""

import re
from typing import Final

from learnt.core.knowledge.statements.numbers import Quantity, quantities

_SAID: Final = re.compile(
    r"(?:^|[,;:=~≈(，；：（]|\b(?:has|have|had|holds|held|contains|contained|counts|counted|totals|of|is|"
    r"are|was|were|about|around|roughly|approximately|approx\.?|some|exactly|currently|now|only|with|"
    r"count)|[有共约含为是达]|包含|大约|目前|行数|总数)\s*[~≈]?$",
    re.IGNORECASE,
)
# What a number is of only a part, or of a change.
_PART: Final = re.compile(
    r"\b(?:more|less|fewer|up to|at (?:least|most)|over|under|every|each|per|limit(?:ed)?|first|"
    r"last|top|batch(?:es)?|pages?|chunks?|grows?|grew|new|average|mean|max(?:imum)?|min(?:imum)?|where|"
    r"whose|if|when|sample|insert\w*|delete\w*|returns?|not|never|no longer|should|once|until)"
    r"\b|n't\b|超过|至少|至多|最多|少于|每|平均|最大|最小|新增|其中|增长|前|批|不|没有",
    re.IGNORECASE,
)
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
_ROWS: Final = re.compile(
    r"\s*(?:rows?|records?|entries|条记录|行记录|行数据|条数据|行|条)"
    r"(?=\s*(?:$|[,;:.)，；：。）]|(?:in (?:it|total|all|the table|\d{4}|[A-Z])|altogether|now|"
    r"today|as of|on \d|since)\b))",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:\b(?:row count|number of rows|rows|total rows)\b|行数|总行数|记录数)(?: of| in)?[\s`]*"
    r"(?:is|are|was|:|：|=|为|是)?\s*(?:about|around|~|≈|约)?\s*$",
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


def all_rows(text: str) -> list[float]:
    """The numbers that are said to be those of all rows; that of other things is none.

    >>> all_rows("film has 1,000 rows, one for each title"), all_rows("订单表共4800行")
    ([1000.0], [4800.0])
    >>> all_rows("film grows by 50 rows a day"), all_rows("178 rows of film are rated G")
    ([], [])
    >>> all_rows("the longest film takes 185"), all_rows("row count: 12")
    ([], [12.0])
    """
    found = []
    for one in quantities(text):
        before = _CLAUSE.split(text[: one.start])[-1]
        tail = text[one.start : one.end]
        unit = re.search(r"[行条]$", tail)
        after = ("行" if unit else "") + text[one.end :]
        counted = _ROWS.match(after) and _SAID.search(before)
        if (
            one.measure == ""
            and not is_bound(text, one)
            and _PART.search(before) is None
            and (counted or _NAMED.search(before))
        ):
            found.append(one.value)
    return found


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
