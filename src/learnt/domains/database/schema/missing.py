"""Which table or column a server says is not there, read from its own words."""

import re
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple

_MOST: Final = 10_000  # characters looked at from each end: a traceback has the error last
_NAME: Final = r"([^\n]{1,600}?)"

_SETTLED_COLUMN: Final = re.compile(r'"(.+)" of relation "(.+)"')
_SQLITE_ADVICE: Final = re.compile(r'"(.+)" - should this be a string literal in single-quotes\?')
_SQLITE_CODE: Final = re.compile(r" \(\d{1,4}\)$")

_ESCAPED: Final = re.compile(r"\\(['\"])")
_QUOTE: Final = re.compile(r"(?<![A-Za-z])'|'(?![A-Za-z])")
_CLAUSE: Final = re.compile(r"[A-Za-z][A-Za-z _/]*")


class Missing(NamedTuple):
    """What is not there. One of them may be empty; a column's table may be an alias.

    A table has its schema with it where PostgreSQL names one, never MySQL's database or SQLite's
    `main`. Servers write names without quoting them: of `a.b.c` it is not known where a name ends.
    """

    table: str = ""
    column: str = ""


def missing(message: str) -> Missing | None:
    """What is missing, by the first such message in a text; None where there is none.

    MySQL, MariaDB, PostgreSQL and SQLite are understood in English; MySQL and MariaDB in every
    language where the number of the error stands before it.

    >>> missing("Unknown column 'r.rate' in 'field list'")
    Missing(table='r', column='rate')
    >>> missing("ERROR 1054 (42S22) at line 1: Champ 'r.rate' inconnu dans SELECT")
    Missing(table='r', column='rate')
    """
    text = message if len(message) <= 2 * _MOST else f"{message[:_MOST]}\n{message[-_MOST:]}"
    return min(_matches(text), key=itemgetter(0), default=(0, None))[1]


def _matches(text: str) -> Iterator[tuple[int, Missing]]:
    """Of each sort of message the first, and where in the text it stands."""
    for pattern, read in _MESSAGES:
        for match in pattern.finditer(text):
            if (gone := read(match[1])) is not None:
                yield match.start(), gone
                break
    for pattern, read_name in _NUMBERED:
        for match in pattern.finditer(text):
            if name := _first_quoted(next(filter(None, match.groups()))):
                yield match.start(match.lastindex or 0), read_name(name)
                break


def _first_quoted(message: str) -> str:
    """What stands first in quotes, by which servers name what is missing in every language.

    Empty where it is not sure where the name ends. An apostrophe between two letters is no quote.
    """
    _, *parts = _QUOTE.split(_ESCAPED.sub(r"\1", message))
    sure = len(parts) == 2 or (len(parts) == 4 and _CLAUSE.fullmatch(parts[2]) is not None)
    return parts[0] if sure else ""


def _typed_column(name: str) -> Missing:
    """A column as the statement has it, perhaps with its table, perhaps with that one's database.

    >>> _typed_column("shop.room.rate"), _typed_column("rate")
    (Missing(table='room', column='rate'), Missing(table='', column='rate'))
    """
    before, _, column = name.rpartition(".")
    if not (before and column):
        return Missing(column=name)
    return Missing(table=before.partition(".")[2] or before, column=column)


def _mysql_table(name: str) -> Missing:
    """A table with its database before it: MySQL always says it."""
    database, _, own = name.partition(".")
    return Missing(table=own or database)


def _postgres_column(name: str) -> Missing | None:
    """A column in quotes, or after its table and a dot; whatever else was said is no message."""
    name = name.replace('\\"', '"')  # as JSON has it
    if (settled := _SETTLED_COLUMN.fullmatch(name)) is not None:
        return Missing(table=settled[2], column=settled[1])
    if len(name) > 2 and name[0] == name[-1] == '"':
        return Missing(column=name[1:-1])
    table, _, column = name.rpartition(".")
    return Missing(table=table, column=column) if table and column else None


def _sqlite_column(name: str) -> Missing:
    advised = _SQLITE_ADVICE.fullmatch(name)
    return _typed_column(_sqlite_name(advised[1] if advised else name))


def _sqlite_name(name: str) -> str:
    """A name up to its line's end, without the code that the shell says after it."""
    return _SQLITE_CODE.sub("", name.rstrip()) or name


_MESSAGES: Final[tuple[tuple["re.Pattern[str]", Callable[[str], Missing | None]], ...]] = (
    # A driver's error printed as a tuple has a backslash before its quotes.
    (re.compile(rf"\bUnknown column \\?'{_NAME}\\?' in \\?'"), _typed_column),
    (re.compile(rf"\bTable \\?'{_NAME}\\?' doesn\\?'t exist(?! in engine)"), _mysql_table),
    (re.compile(rf"\bcolumn {_NAME} does not exist"), _postgres_column),
    (re.compile(rf'\brelation \\?"{_NAME}\\?" does not exist'), lambda name: Missing(table=name)),
    (re.compile(rf"\bno such column: {_NAME}(?=\n|$)"), _sqlite_column),
    (
        re.compile(rf"\bno such table: {_NAME}(?=\n|$)"),
        lambda name: Missing(table=_sqlite_name(name).removeprefix("main.")),
    ),
)

# The error's number with its state: by mysql's client and most drivers, by PHP's, as Python prints
# a tuple (also within JSON), and by name.
_AS_WRITTEN: Final = (
    r"\b{number} \({state}\)(?: at line \d+(?: in file: '[^'\n]*')?)?: ([^\n]{{1,1000}})"
    r"|\[{state}\][^\n]{{0,60}}? {number} ([^\n]{{1,1000}})"
    r"""|\({number}, \\?"((?:[^"\\\n]|\\'){{1,1000}})\\?"\)"""
    r"""|\({number}, '((?:[^'\\\n]|\\.){{1,1000}})'\)"""
    r"|\b{name}: ([^\n]{{1,1000}})"
)
_NUMBERED: Final[tuple[tuple["re.Pattern[str]", Callable[[str], Missing]], ...]] = tuple(
    (re.compile(_AS_WRITTEN.format(number=number, state=state, name=name)), read)
    for number, state, name, read in (
        (1054, "42S22", "ER_BAD_FIELD_ERROR", _typed_column),
        (1146, "42S02", "ER_NO_SUCH_TABLE", _mysql_table),
    )
)
