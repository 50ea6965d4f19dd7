"""What becomes of a statement: it may run as it was rewritten, or it may not, and why."""

from collections.abc import Callable, Mapping
from typing import Final

from learnt.core.records import Record

LONGEST: Final = 20_000

REASONS: Final = {
    "empty": "there is no statement in it",
    "too-long": f"it is longer than {LONGEST} characters",
    "too-deep": "it is nested too deeply to be looked through",
    "not-understood": "it was not understood, and what is not understood is not run",
    "several": "it holds more than one statement",
    "version-comment": "a comment in it is code to the server",
    "not-a-read": "it does not only read",
    "writes": "a part of it writes, locks, or changes the session",
    "function": "it calls a function that is not known to only compute",
    "foreign": "it uses a type or an operator whose code is not seen",
    "own": "it leads to code that is not the server's own",
    "behind": "a view, policy or column that it reads may do more than read",
    "elsewhere": "it reads a table that is kept elsewhere",
    "file": "it reads or writes a file of the server",
}


Name = tuple[str, str]  # a schema, empty where none is named, and what is in it
Schemas = Mapping[str, str]


class StatementNames(Record):
    """What a statement names: tables and views, types that the server has not, functions."""

    relations: frozenset[Name] = frozenset()
    types: frozenset[Name] = frozenset()
    calls: frozenset[str] = frozenset()


# Writes a statement with the schemas of its tables, and of its types.
Placed = Callable[[Schemas, Schemas], str]


class Allowed(Record):
    """It may run, as it stands in `sql`, if what it `uses` runs nothing of somebody's own.

    `placed` is there where names are searched for in several schemas (PostgreSQL). It is
    `otherwise` written than it was asked where more than case, gaps, comments and AS differs.
    """

    sql: str
    uses: StatementNames = StatementNames()
    otherwise: bool = False
    placed: Placed | None = None


class Denied(Record):
    """It may not: the reason's name in REASONS, and what in it is the matter."""

    reason: str
    what: str = ""

    @property
    def in_words(self) -> str:
        """The reason in words."""
        return REASONS[self.reason] + (f": {self.what}" if self.what else "")
