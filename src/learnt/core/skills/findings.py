"""What is wrong, or looks dangerous, at a line of a skill's file."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Severity(StrEnum):
    """An error refuses; a warning is for whoever reads it; a note says where to look first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a file breaks. `line` counts from 1; `path` is as the caller named the file."""

    rule: str
    message: str
    line: int = 1
    path: str = "SKILL.md"
    severity: Severity = Severity.ERROR


SPECIFIED: Final = frozenset({
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
})
LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1_024
LONGEST_COMPATIBILITY: Final = 500
LONGEST_BODY: Final = 500  # lines; the Agent Skills specification recommends no more
