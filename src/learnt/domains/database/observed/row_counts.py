"""The number of all rows that a text says a table has, and of nothing else."""

import re
from typing import Final

from learnt.core.knowledge.numbers import is_bound, quantities
from learnt.domains.database.lists import lines, worded

_COUNTS: Final = re.compile(
    rf"(?:^|[,;:=~≈(，；：（]|{worded('counts')})\.?\s*[~≈]?$", re.IGNORECASE
)
_PART: Final = re.compile(worded("part"), re.IGNORECASE)
_IN_ALL: Final = "|".join(lines("en", "in all"))
_ROWS: Final = re.compile(
    rf"\s*(?:{worded('rows')})(?=\s*(?:$|[,;:.)，；：。）]|(?:{_IN_ALL})\b))",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"(?:{worded('row count')})(?: of| in)?[\s`]*"
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
    for number in quantities(text):
        before = _CLAUSE.split(text[: number.start])[-1]
        unit = re.search(r"[行条]$", text[number.start : number.end])
        after = ("行" if unit else "") + text[number.end :]
        counted = _ROWS.match(after) and _COUNTS.search(before)
        if (
            number.measure == ""
            and not is_bound(text, number)
            and _PART.search(before) is None
            and (counted or _NAMED.search(before))
        ):
            found.append(number.value)
    return found
