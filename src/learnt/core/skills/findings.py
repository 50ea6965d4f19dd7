"""What is wrong, or looks dangerous, at a line of a skill's file."""

from enum import StrEnum
from typing import Final, NamedTuple


class Severity(StrEnum):
    """An error refuses; a warning is for whoever reads it; a note says where to look first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(NamedTuple):
    """A rule that a file breaks. `line` counts from 1; `path` is as the caller named the file."""

    rule: str
    message: str
    line: int = 1
    path: str = "SKILL.md"
    severity: Severity = Severity.ERROR


LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1_024
