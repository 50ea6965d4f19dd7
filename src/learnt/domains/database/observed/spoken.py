"""Which tables and columns a sentence of somebody's speaks of, by how it speaks of them."""

import re
from collections.abc import Iterator
from typing import Final

from learnt.domain_ports import NOBODY_KNOWS, About

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_$]{0,63}"
_FULL: Final = rf"{_NAME}(?:\.{_NAME}){{0,2}}"
_MARKED: Final = rf"[`\"']({_FULL})[`\"']"
# A word that is spelt as no other word is: in marks, with an underscore, a digit, a hump, a dot.
_SPELT: Final = rf"(?:{_MARKED}|({_NAME}[_.0-9$]{_FULL}|_{_NAME}|[a-z]+[A-Z][A-Za-z0-9]*))"
_ANY: Final = rf"(?:{_MARKED}|(?<![A-Za-z0-9_.])({_FULL}))"
_OWN: Final = r"(?:['’]s?)?"  # as it is typed
_TABLES: Final = (
    re.compile(rf"{_ANY} (?i:tables?|views?)\b"),
    re.compile(rf"\b(?i:tables?|views?) (?:called |named )?{_SPELT}"),
    re.compile(rf"\b(?:FROM|JOIN) {_ANY}"),
)
_CHINESE_TABLES: Final = (
    re.compile(rf"{_ANY} ?(?:数据)?(?:表|视图)(?![示明达面格现])"),
    re.compile(rf"(?:(?<![列图代报外])表|视图)(?:名(?:为|是)?)? ?{_ANY}"),
)
_COLUMNS: Final = (
    re.compile(rf"{_ANY}{_OWN} (?i:columns?|fields?)\b"),
    re.compile(rf"\b(?i:columns?|fields?) (?:called |named )?{_SPELT}"),
    re.compile(rf"{_ANY} ?(?:字段|列)(?![表出举])"),
    re.compile(rf"(?:字段|(?<![系并])列)(?:名(?:为|是)?)? ?{_ANY}"),
    re.compile(rf"{_ANY}{_OWN} ?(?:(?i:is|=)(?: (?i:not))? ?NULL\b|[为是]空)"),
    re.compile(rf"(?:表|视图)[的中里] ?{_ANY}"),
)
# Words that stand before "table" and "column" in anybody's English.
_WORDS: Final = frozenset(
    """
    a an and any another base big both child column columns cross database db each every field
    first foreign from hash her his html in index inner its join joined key large last left list
    lookup main many markdown my new no null number of old one only other our outer page parent
    pivot primary real right routing same second select several small source sql symbol table
    tables target temp temporary that the their these this those two value view views which whole
    with without your
    """.split()
)
_SUBJECT: Final = re.compile(
    r"\b(?:columns?|fields?|rows?|null|primary|foreign|index|join(?:ed|s)?|sql|select|database|"
    r"schema|distinct|count)\b|字段|列|行|主键|外键|索引|数据库|记录|关联",
    re.IGNORECASE,
)


def spoken(text: str) -> About:
    """The tables that a sentence names as such, with the columns that it names beside them.

    >>> spoken("in the rental table return_date is NULL while the film is out").entities
    ('rental', 'return_date')
    >>> spoken("订单表 orders 的 status 字段 9 表示作废").entities
    ('orders', 'status')
    >>> spoken("add the route to the routing table")
    About(entities=(), kind='')
    """
    plain = [name for name in _named(_TABLES, text) if _is_told(name, text)]
    tables = [*plain, *_named(_CHINESE_TABLES, text)]
    if not tables:
        return NOBODY_KNOWS
    columns = [name for name in _named(_COLUMNS, text) if name not in tables]
    return About(entities=tuple(dict.fromkeys((*tables, *columns))))


def _named(patterns: "tuple[re.Pattern[str], ...]", text: str) -> Iterator[str]:
    for pattern in patterns:
        for found in pattern.finditer(text):
            name = next(filter(None, found.groups()))
            if name.casefold() not in _WORDS:
                yield name


def _is_told(name: str, text: str) -> bool:
    """Whether a name is a table's for sure: by its spelling, or since databases are spoken of."""
    return not name.isalpha() or f"`{name}`" in text or bool(_SUBJECT.search(text))
