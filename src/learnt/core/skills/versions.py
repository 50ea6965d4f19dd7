"""The numbers of a skill's versions, and the block in which a file may carry their history."""

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from learnt.core.json_values import JsonValue, member
from learnt.core.skills.history import Version

FIRST: Final = "1.0.0"
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_PART: Final = re.compile(r"[0-9]{1,18}")


class NumberedVersion(NamedTuple):
    """A version that an `adaptation` block tells of: its number, when it came, what changed.

    `baseline_metrics` are numbers by name: how the skill did until then.
    """

    version: str
    timestamp: str = ""
    change_summary: str = ""
    baseline_metrics: Mapping[str, float] = MappingProxyType({})


def next_number(number: str) -> str:
    """The number after one: the minor part rises, the patch begins anew (Semantic Versioning).

    >>> next_number("1.2.3"), next_number("1.0"), next_number("draft")
    ('1.3.0', '1.1.0', '1.1.0')
    """
    parts = number.split(".")
    numbers = [int(part) if _PART.fullmatch(part) else 0 for part in parts]
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

    An installation writes it strictly: as texts below `metadata`.

    >>> told_versions({"adaptation": {"version_history": [{"version": "1.0.0"}]}})[0].version
    '1.0.0'
    """
    rows = _adapted(front, "version_history")
    if isinstance(rows, str):  # as an installation writes it
        try:
            rows = json.loads(rows)
        except (ValueError, RecursionError):
            return ()
    return tuple(
        NumberedVersion(
            row["version"],
            str(row.get("timestamp") or ""),
            str(row.get("change_summary") or ""),
            _numbers(row.get("baseline_metrics")),
        )
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and isinstance(row.get("version"), str)
    )


def told_number(front: Mapping[str, JsonValue]) -> str | None:
    """The number that a file gives its text, itself or in its `adaptation` block; None for none.

    >>> told_number({"metadata": {"version": "2.0"}}), told_number({"version": "null"})
    ('2.0', None)
    """
    told = (
        front.get("version"),
        member(front.get("metadata"), "version"),
        _adapted(front, "current_version"),
    )
    texts = (" ".join(value.split()) for value in told if isinstance(value, str))
    return next((text for text in texts if text not in {"", "null", "~"}), None)


def _numbers(told: JsonValue) -> Mapping[str, float]:
    """The numbers of a block by name, without what is none."""
    pairs = told.items() if isinstance(told, dict) else ()
    texts = ((name, str(value)) for name, value in pairs)
    return {name: float(text) for name, text in texts if _NUMBER.fullmatch(text)}


def _adapted(front: Mapping[str, JsonValue], key: str) -> JsonValue:
    """A value of the `adaptation` block, also as `skill_md.strict` writes it."""
    return member(front.get("adaptation"), key) or member(
        front.get("metadata"), f"adaptation.{key}"
    )
