"""What is wrong, or looks dangerous, at a line of a skill's file."""

from collections.abc import Iterable
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


def unreadable(findings: Iterable[Finding]) -> bool:
    """Whether a strict reader finds no front matter that it can read, and so no skill."""
    return any(finding.rule in _UNREADABLE for finding in findings)


_UNREADABLE: Final = frozenset({"bad-yaml", "no-mapping", "unclosed-front-matter"})
LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1_024
