"""The number of all rows that a text says a table has, and of nothing else."""

import re
from typing import Final

from learnt.core.knowledge.statements.numbers import quantities

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
    r"whose|if|when|sample|insert\w*|delete\w*|returns?)\b|超过|至少|至多|最多|少于|每|平均|最大|最小|新增|"
    r"其中|增长|前|批",
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
            and _PART.search(before) is None
            and (counted or _NAMED.search(before))
        ):
            found.append(one.value)
    return found
