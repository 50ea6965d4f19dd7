"""Statements that ask for the columns of one table."""

import re
from typing import Final

_QUOTES: Final = str.maketrans("", "", "\"'`[]")
_NAME: Final = r"(?P<name>[^();\s]+)"
_FORMS: Final = re.compile(
    rf"\s*(?:DESC(?:RIBE)?\s+{_NAME}"
    rf"|SHOW\s+(?:FULL\s+)?(?:COLUMNS|FIELDS)\s+(?:FROM|IN)\s+{_NAME.replace('name', 'shown')}"
    rf"|PRAGMA\s+table_x?info\s*\(\s*{_NAME.replace('name', 'pragma')}\s*\))\s*;?\s*",
    re.IGNORECASE,
)
_IN_PART: Final = re.compile(r"\s*PRAGMA\s+table_info\b", re.IGNORECASE)


def described(sql: str) -> tuple[str, str]:
    """The table whose columns a statement asks for, behind its database; else nothing.

    >>> described("DESCRIBE `shop`.`t_room`"), described("pragma table_info('film')")
    (('shop', 't_room'), ('', 'film'))
    >>> described("show full columns from sakila.film;"), described("describe film rating")
    (('sakila', 'film'), ('', ''))
    """
    found = _FORMS.fullmatch(sql.translate(_QUOTES))
    if found is None:
        return "", ""
    database, _, table = (found["name"] or found["shown"] or found["pragma"]).rpartition(".")
    return database, table


def tells_all(sql: str) -> bool:
    """Whether such a statement tells every column: SQLite's `table_info` leaves generated ones out.

    >>> tells_all("pragma table_info(film)"), tells_all("pragma table_xinfo(film)")
    (False, True)
    """
    return _IN_PART.match(sql) is None
