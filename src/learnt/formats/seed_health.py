"""The logs of seed 001's skill health: read leniently, one broken line hides no other.

| file | what is taken |
|---|---|
| .history.json | of each skill its accuracies and durations, in order |
| PLUGIN/SKILL/YYYY-MM-DD.jsonl | each line's invocation, time, outcome, duration and error |

Both log the same executions: of the history those alone are taken that no daily log has, which
are its oldest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from learnt.core.json_values import JsonValue, member, text_of, whole
from learnt.formats.observations import storable

HISTORY: Final = ".history.json"
_MILLION: Final = 1_000_000
_GRADES: Final = {"success": _MILLION, "partial": _MILLION // 2, "failure": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One execution as the seed logged it. `grade` in millionths, `at_ms` 0 where not known."""

    skill: str
    id: str
    grade: int
    at_ms: int = 0
    took_ms: int | None = None
    error: str = ""
    from_history: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedHealth:
    """All that the files hold. `unreadable` counts lines and entries that say nothing."""

    logged: tuple[Logged, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)  # of each skill, by the history
    unreadable: int = 0


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = storable(text)
    except (ValueError, RecursionError):
        return None
    return value


def _at(text: str) -> int:
    try:
        found = datetime.fromisoformat(text)
        return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1_000)
    except (ValueError, OverflowError):
        return 0


def parse(history: str | None, daily: Mapping[str, Iterable[str]]) -> SeedHealth:
    """What the history file and the daily logs hold: of each log its name and its lines.

    >>> parse('{"a:b": {"accuracies": [1, 0], "durations": [5, 7]}}', {}).logged[1].grade
    0
    """
    logged: list[Logged] = []
    unreadable = 0
    for name, lines in sorted(daily.items()):
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            found = _line(_json(line), f"{name}:{number}")
            if found is None:
                unreadable += 1
            else:
                logged.append(found)
    older, more = _history(history, logged)
    return SeedHealth(
        logged=(*older, *logged), totals=_totals(history), unreadable=unreadable + more
    )


def _line(value: JsonValue, alone: str) -> Logged | None:
    skill = text_of(member(value, "skill")) or text_of(member(value, "skill_name"))
    grade = _GRADES.get(text_of(member(value, "outcome")))
    if not skill or grade is None:
        return None
    took = member(value, "duration_ms")
    return Logged(
        skill=skill,
        id=text_of(member(value, "invocation_id")) or alone,
        grade=grade,
        at_ms=_at(text_of(member(value, "timestamp"))),
        took_ms=whole(took) if isinstance(took, int | float) else None,
        error=text_of(member(value, "error")),
    )


def _history(text: str | None, known: Iterable[Logged]) -> tuple[list[Logged], int]:
    if text is None:
        return [], 0
    value = _json(text)
    if not isinstance(value, dict):
        return [], 1
    counted: dict[str, int] = {}
    for one in known:
        counted[one.skill] = counted.get(one.skill, 0) + 1
    found, unreadable = [], 0
    for skill, held in value.items():
        accuracies, durations = member(held, "accuracies"), member(held, "durations")
        if not isinstance(accuracies, list):
            unreadable += 1
            continue
        times = durations if isinstance(durations, list) else []
        older = max(0, len(accuracies) - counted.get(skill, 0))
        for number, accuracy in enumerate(accuracies[:older]):
            if isinstance(accuracy, bool) or not isinstance(accuracy, int | float):
                unreadable += 1
                continue
            took = times[number] if number < len(times) else None
            found.append(
                Logged(
                    skill=skill,
                    id=f"history:{skill}:{number}",
                    grade=round(_MILLION * min(1, max(0, accuracy))),
                    took_ms=whole(took) if isinstance(took, int | float) else None,
                    from_history=True,
                )
            )
    return found, unreadable


def _totals(text: str | None) -> dict[str, int]:
    value = _json(text) if text is not None else None
    if not isinstance(value, dict):
        return {}
    held = {skill: member(one, "accuracies") for skill, one in value.items()}
    return {skill: len(one) for skill, one in held.items() if isinstance(one, list)}
