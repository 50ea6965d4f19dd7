"""The numbers of a skill's versions, and the block in which a file may carry their history."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from learnt.core.json_values import JsonValue, member
from learnt.core.skills.history import Version

FIRST: Final = "1.0.0"


class NumberedVersion(NamedTuple):
    """A version that an `adaptation` block tells of: its number, when it came, what changed."""

    version: str
    timestamp: str = ""
    change_summary: str = ""


def next_number(number: str) -> str:
    """The number after one: the minor part rises, the patch begins anew (Semantic Versioning).

    >>> next_number("1.2.3"), next_number("1.0"), next_number("draft")
    ('1.3.0', '1.1.0', '1.1.0')
    """
    parts = number.split(".")
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]
    major, minor = [*numbers, 0, 0][:2] if any(numbers) else (1, 0)
    return f"{major}.{minor + 1}.0"


def found_version(versions: Sequence[Version], named: str) -> Version | None:
    """The version of a number, or of the beginning of a digest; the latest of several."""
    for version in reversed(versions):
        if named == version.number or (len(named) >= 4 and version.digest.startswith(named)):
            return version
    return None


def told_versions(front: Mapping[str, JsonValue]) -> tuple[NumberedVersion, ...]:
    """The versions that a file's `adaptation` block tells of, the oldest first; none without one.

    >>> told_versions({"adaptation": {"version_history": [{"version": "1.0.0"}]}})[0].version
    '1.0.0'
    """
    rows = member(front.get("adaptation"), "version_history")
    return tuple(
        NumberedVersion(*(str(row.get(name) or "") for name in NumberedVersion._fields))
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and isinstance(row.get("version"), str)
    )
