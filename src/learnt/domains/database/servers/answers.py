"""What a statement gave, cut so that neither memory nor a reader is filled by it."""

import json
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final, NamedTuple

from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.servers.sessions import DbSession, Rows

Cell = bool | int | float | str | None
MOST_CHARACTERS: Final = 200_000  # of a whole answer
_WIDEST: Final = 200  # characters of a cell
_COLUMNS: Final = 500
_SHOWN_BYTES: Final = 16
_EXACT: Final = 2**53  # beyond it programs read another number


class QueryRows(NamedTuple):
    """The rows that a statement gave; `truncated` where there were more, or one was too long.

    `ran` is the statement as it was run, where that is written otherwise than it was asked.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    row_count: int
    truncated: bool
    ran: str = ""


def answer(session: DbSession, allowed: Allowed, *, limit: int) -> QueryRows | Denied:
    """What a statement gives that the gate let through; what is run is what the gate wrote.

    Denied where it leads to what may not run, as the server tells.
    """
    from learnt.domains.database.gate.statements import placed  # its parser comes with the extra

    ready = placed(session, allowed)
    if isinstance(ready, Denied):
        return ready
    with session.reading(ready.sql) as answered:
        found = taken(answered, limit)
    return found._replace(ran=ready.sql) if ready.otherwise else found


def taken(answered: Rows, limit: int) -> QueryRows:
    """The first rows, as they come: what is not shown is never fetched.

    >>> taken(Rows(["n"], iter([(1,), (2,), (3,)])), 2)
    QueryRows(columns=['n'], rows=[[1], [2]], row_count=2, truncated=True, ran='')
    """
    rows: list[list[Cell]] = []
    size, truncated = 0, len(answered.columns) > _COLUMNS
    for row in answered.rows:
        shown = list(map(cell, row[:_COLUMNS]))
        size += sum(len(str(value)) for value in shown)
        if len(rows) >= limit or size > MOST_CHARACTERS:
            truncated = True
            break
        rows.append(shown)
    return QueryRows(list(map(cut, answered.columns[:_COLUMNS])), rows, len(rows), truncated)


def cell(value: object) -> Cell:
    """One value as JSON has it; bytes as their number and their beginning.

    >>> cell(b"\\x00\\xff"), cell(2**60), cell("a" * 300)[-20:]
    ('2 bytes: 00ff', '1152921504606846976', 'aa… (300 characters)')
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _EXACT else cut(_digits(value))
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        shown = bytes(value[:_SHOWN_BYTES]).hex()
        return f"{len(value)} bytes: {shown}{'…' if len(value) > _SHOWN_BYTES else ''}"
    if isinstance(value, Decimal):
        return cut(format(value, "f") if abs(value.adjusted()) < _WIDEST else str(value))
    if isinstance(value, timedelta):
        return _time(value)
    if isinstance(value, list | tuple):
        return cut(json.dumps([cell(item) for item in value], ensure_ascii=False))
    return cut(str(value))


def _time(value: timedelta) -> str:
    """A time as a server writes it, which knows no days in one.

    >>> _time(timedelta(hours=-838, minutes=-59, seconds=-59)), _time(timedelta(seconds=9.5))
    ('-838:59:59', '00:00:09.500000')
    """
    seconds, part = divmod(abs(value), timedelta(seconds=1))
    minutes, second = divmod(seconds, 60)
    fraction = f".{part.microseconds:06}" if part else ""
    sign = "-" if value < timedelta() else ""
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}:{second:02}{fraction}"


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # Python writes no number of thousands of digits
        return f"{value:#x}"


def cut(text: str) -> str:
    """A text, cut where it is too long, with how long it was.

    >>> cut("short")
    'short'
    """
    if len(text) <= _WIDEST:
        return text
    return f"{text[:_WIDEST]}… ({len(text)} characters)"
