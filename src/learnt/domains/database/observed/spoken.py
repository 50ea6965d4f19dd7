"""Which tables and columns a sentence speaks of by its wording, and how many rows it counts."""

import re
from collections.abc import Iterator
from typing import Final

from learnt.core.digest.lessons import kind_of
from learnt.core.knowledge.numbers import is_bound, quantities
from learnt.core.words import STOP_WORDS
from learnt.domains.database.lists import lines, worded, words

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_$]{0,63}"
_FULL: Final = rf"{_NAME}(?:\.{_NAME}){{0,2}}"
_MARKED: Final = rf"[`\"']({_FULL})[`\"']"
_HERE: Final = r"(?<![A-Za-z0-9_.`'\"/-])"
# A word that is spelt as no other word is: with an underscore, a hump, a dot.
_HUMPED: Final = (
    rf"(?:[A-Za-z0-9]+_[A-Za-z0-9_]*|_{_NAME}|[A-Za-z]?[a-z]+[A-Z][A-Za-z0-9]*)(?:\.{_NAME}){{0,2}}"
    rf"|{_NAME}(?:\.{_NAME}){{1,2}}"
)
_SPELT: Final = rf"(?:{_MARKED}|{_HERE}({_HUMPED}))"
_ANY: Final = rf"(?:{_MARKED}|{_HERE}({_FULL}))"


def _called(language: str) -> tuple[re.Pattern[str], ...]:
    forms = "\n".join(lines(language, "tables")).replace("<ANY>", _ANY).replace("<SPELT>", _SPELT)
    return tuple(map(re.compile, forms.split("\n")))


_TABLES: Final = _called("en")
_CHINESE_TABLES: Final = _called("zh")
_COMPARED: Final = re.compile(rf"{_HERE}({_NAME}\.{_NAME}) ?(?:=|<>|!=|[<>]=?) ?(?:'|\"|\d)")
_SPELT_SO: Final = re.compile(rf"{_HERE}(?:`({_FULL})`|({_HUMPED}))(?![A-Za-z0-9_/(-]|\.\w|['\"])")
_WORDS: Final = STOP_WORDS | words("en", "words")
_ARRANGED: Final = re.compile(worded("arranged"), re.IGNORECASE)
_ASKS: Final = re.compile(worded("asks"), re.IGNORECASE)
_SUBJECT: Final = re.compile(worded("subject"), re.IGNORECASE)
_CODE: Final = frozenset(
    "py js ts rb go rs java php cs sh md html vue tsx jsx css json yml".split()
)
_COUNTS: Final = re.compile(
    rf"(?:^|[,;:=~≈(，；：（]|{worded('counts')})\.?\s*[~≈]?$", re.IGNORECASE
)
_PART: Final = re.compile(worded("part"), re.IGNORECASE)
_IN_ALL: Final = "|".join(lines("en", "in all"))
_ROWS: Final = re.compile(
    rf"\s*(?:{worded('rows')})(?=\s*(?:$|[,;:.)，；：。）]|(?:{_IN_ALL})\b))", re.IGNORECASE
)
_NAMED: Final = re.compile(
    rf"(?:{worded('row count')})(?: of| in)?[\s`]*"
    r"(?:is|are|was|:|：|=|为|是)?\s*(?:about|around|~|≈|约)?\s*$",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[;,，；。]\s|[.]\s|\n")


def spoken(text: str) -> tuple[str, ...]:
    """The tables that a sentence names as such, and what is spelt like a column beside them.

    A column in a plain word is left out: how it is put tells it too seldom.

    >>> spoken("in the rental table return_date is NULL while the film is out")
    ('rental', 'return_date')
    """
    tables = called_tables(text)
    return tuple(dict.fromkeys((*tables, *(spelt(text) if tables else ()))))


def called_tables(text: str) -> tuple[str, ...]:
    """The tables that a sentence calls so, or compares a column of.

    >>> called_tables("the rental table has film_id")
    ('rental',)
    """
    # Sure by its spelling, or since databases are spoken of.
    about = is_of_databases(text)
    named = _named(_TABLES, text)
    english = (name for name in named if about or not name.isalpha() or f"`{name}`" in text)
    return (*english, *_named((*_CHINESE_TABLES, _COMPARED), text))


def spelt(text: str) -> tuple[str, ...]:
    """What is spelt as only names of code and of columns are, without calls, paths and values.

    >>> spelt("film_id, `rate` and 'a_value' of getRoom() in src/room_type.py")
    ('film_id', 'rate')
    """
    names = _named((_SPELT_SO,), text)
    return tuple(name for name in names if name.rpartition(".")[2] not in _CODE)


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


def _named(patterns: "tuple[re.Pattern[str], ...]", text: str) -> Iterator[str]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield from (name for name in match.groups() if name and name.casefold() not in _WORDS)


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
