"""What becomes of a statement: it may run as it was written anew, or it may not, and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

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
    "file": "it reads or writes a file of the server",
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """It may run, as it stands in `sql`.

    `tables` are those named without a schema, where names are searched for in several (PostgreSQL);
    `placed` writes the statement with the schema of each.
    """

    sql: str
    tables: frozenset[str] = frozenset()
    placed: Callable[[Mapping[str, str]], str] | None = field(
        default=None, repr=False, compare=False
    )


@dataclass(frozen=True, slots=True)
class Denied:
    """It may not: the reason's name in REASONS, and what in it is the matter."""

    reason: str
    what: str = ""

    @property
    def in_words(self) -> str:
        """The reason in words."""
        return REASONS[self.reason] + (f": {self.what}" if self.what else "")
