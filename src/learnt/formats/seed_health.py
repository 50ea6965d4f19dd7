"""The logs of seed 001's skill health: read leniently, one broken line hides no other.

| file | what is taken |
|---|---|
| .history.json | of each skill its accuracies and durations, in order |
| PLUGIN/SKILL/YYYY-MM-DD.jsonl | each line's invocation, time, outcome, duration and error |

Both log the same executions: of the history those alone are taken that no daily log has, which
are its oldest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Final

from learnt.core.json_values import JsonValue, member, text_of, whole
from learnt.formats.observations import lenient

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


def at_ms(text: str) -> int:
    """A time as the seed writes it, in UTC unless it says otherwise; 0 for none."""
    try:
        moment = datetime.fromisoformat(text)
        return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1_000)
    except (ValueError, OverflowError):
        return 0


def in_utc(text: str) -> str:
    """A time as a payload may hold it, in UTC; what is none as it is.

    >>> in_utc("2026-04-01T02:00:00+02:00"), in_utc("2026-04-01"), in_utc("in May")
    ('2026-04-01T00:00:00Z', '2026-04-01', 'in May')
    """
    ms = at_ms(text) if "+" in text else 0
    return f"{datetime.fromtimestamp(ms // 1_000, UTC):%Y-%m-%dT%H:%M:%SZ}" if ms > 0 else text


def parse(history: str | None, daily: Mapping[str, Iterable[str]]) -> SeedHealth:
    """What the history file and the daily logs hold: of each log its name and its lines.

    >>> parse('{"a:b": {"accuracies": [1, 0], "durations": [5, 7]}}', {}).logged[1].grade
    0
    """
    executions = [
        _line(lenient(line), f"{name}:{number}")
        for name, lines in sorted(daily.items())
        for number, line in enumerate(lines)
        if line.strip()
    ]
    logged = [execution for execution in executions if execution is not None]
    skills = {} if history is None else lenient(history)
    unreadable = len(executions) - len(logged)
    if not isinstance(skills, dict):
        return SeedHealth(logged=tuple(logged), unreadable=unreadable + 1)
    counted = Counter(execution.skill for execution in logged)
    older: list[Logged] = []
    totals: dict[str, int] = {}
    for skill, entry in skills.items():
        accuracies = member(entry, "accuracies")
        if not isinstance(accuracies, list):
            unreadable += 1
            continue
        totals[skill] = len(accuracies)
        oldest = accuracies[: max(0, len(accuracies) - counted[skill])]
        readable = list(_history(skill, oldest, member(entry, "durations")))
        unreadable += len(oldest) - len(readable)
        older += readable
    return SeedHealth(logged=(*older, *logged), totals=totals, unreadable=unreadable)


def _line(value: JsonValue, alone: str) -> Logged | None:
    skill = text_of(member(value, "skill")) or text_of(member(value, "skill_name"))
    grade = _GRADES.get(text_of(member(value, "outcome")))
    if not skill or grade is None:
        return None
    return Logged(
        skill=skill,
        id=text_of(member(value, "invocation_id")) or alone,
        grade=grade,
        at_ms=at_ms(text_of(member(value, "timestamp"))),
        took_ms=_duration(member(value, "duration_ms")),
        error=text_of(member(value, "error")),
    )


def _duration(value: JsonValue) -> int | None:
    return whole(value) if isinstance(value, int | float) else None


def _history(skill: str, accuracies: Sequence[JsonValue], durations: JsonValue) -> Iterator[Logged]:
    times = durations if isinstance(durations, list) else []
    for number, (accuracy, took) in enumerate(zip_longest(accuracies, times[: len(accuracies)])):
        if isinstance(accuracy, int | float) and not isinstance(accuracy, bool):
            yield Logged(
                skill=skill,
                id=f"history:{skill}:{number}",
                grade=round(_MILLION * min(1, max(0, accuracy))),
                at_ms=number,  # it names no time, but has an order
                took_ms=_duration(took),
                from_history=True,
            )
