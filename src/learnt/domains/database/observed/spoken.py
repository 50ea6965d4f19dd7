"""What a sentence says of tables by its wording: its kind, and how many rows it counts."""

import re
from typing import Final

from learnt.core.digest.lessons import kind_of
from learnt.core.knowledge.numbers import is_bound, quantities
from learnt.domains.database.lists import sections, worded

_ARRANGED: Final = re.compile(worded("arranged"), re.IGNORECASE)
_ASKS: Final = re.compile(worded("asks"), re.IGNORECASE)
_SUBJECT: Final = re.compile(worded("subject"), re.IGNORECASE)
_COUNTS: Final = re.compile(
    rf"(?:^|[,;:=~≈(，；：（]|{worded('counts')})\.?\s*[~≈]?$", re.IGNORECASE
)
_PART: Final = re.compile(worded("part"), re.IGNORECASE)
_IN_ALL: Final = "|".join(sections("en")["in all"])
_ROWS: Final = re.compile(
    rf"\s*(?:{worded('rows')})(?=\s*(?:$|[,;:.)，；：。）]|(?:{_IN_ALL})\b))", re.IGNORECASE
)
_NAMED: Final = re.compile(
    rf"(?:{worded('row count')})(?: of| in)?[\s`]*"
    r"(?:is|are|was|:|：|=|为|是)?\s*(?:about|around|~|≈|约)?\s*$",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[;,，；。]\s|[.]\s|\n")


def kind_of_fact(text: str, *, named: bool = True) -> str:
    """The kind of a fact about tables; empty for rules and ways to do something, told by any text.

    Where no table is `named`, keys and joins alone tell that it is about some.

    >>> kind_of_fact("film has 1,000 rows"), kind_of_fact("in film, rating is a text")
    ('data_snapshot', 'schema')
    >>> kind_of_fact("rentals must never be deleted"), kind_of_fact("the foreign key", named=False)
    ('', 'schema')
    """
    if named and all_rows(text):
        return "data_snapshot"
    if (kind := kind_of(text)) == "query_pattern":
        return ""
    plain = named and kind == "tool_experience"
    return "schema" if plain or _ARRANGED.search(text) else ""


def asks(text: str) -> bool:
    """Whether a text speaks of asking a database.

    >>> asks("EXPLAIN lies on views"), asks("联表很慢"), asks("an inquiry")
    (True, True, False)
    """
    return bool(_ASKS.search(text))


def is_of_databases(text: str) -> bool:
    """Whether a sentence speaks of rows, columns and the like.

    >>> is_of_databases("rows without a film"), is_of_databases("address the comments")
    (True, False)
    """
    return bool(_SUBJECT.search(text))


_NEAR: Final = 300  # characters beside a number that say what it counts
_READ: Final = 2_000  # of a text: four times what a fact may have


def all_rows(text: str) -> list[float]:
    """The numbers that are said to be those of all rows; that of other things is none.

    >>> all_rows("film has 1,000 rows, one for each title"), all_rows("订单表共4800行")
    ([1000.0], [4800.0])
    >>> all_rows("film grows by 50 rows a day"), all_rows("178 rows of film are rated G")
    ([], [])
    """
    values, text = [], text[:_READ]
    for number in quantities(text):
        before = _CLAUSE.split(text[max(0, number.start - _NEAR) : number.start])[-1]
        unit = re.search(r"[行条]$", text[number.start : number.end])
        after = ("行" if unit else "") + text[number.end : number.end + _NEAR]
        counted = _ROWS.match(after) and _COUNTS.search(before)
        if (
            number.measure == ""
            and not is_bound(text, number)
            and _PART.search(before) is None
            and (counted or _NAMED.search(before))
        ):
            values.append(number.value)
    return values
