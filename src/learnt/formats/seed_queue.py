"""Seed 001's improvement-queue.json: the skills that it flagged, and how each evaluation stands."""

from dataclasses import dataclass
from typing import Final

from learnt.core.json_values import JsonValue, member, text_of
from learnt.formats.observations import lenient
from learnt.formats.seed_health import at_ms

QUEUE: Final = "improvement-queue.json"
_MILLION: Final = 1_000_000
_MOST: Final = 1_000  # flags, and executions, of a skill


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedEntry:
    """A skill in the queue. Gaps are in millionths."""

    skill: str
    flags: int = 0
    flagged_ms: int = 0
    gap: int = 0
    executions: tuple[str, ...] = ()
    status: str = "monitoring"
    baseline: int = 0
    current: int | None = None


def parse(text: str) -> tuple[list[SeedEntry], int]:
    """The entries, and how many say nothing. Raises ValueError for what is no queue.

    >>> parse('{"skills": {"a:b": {"flagged_count": 3, "stability_gap": 0.4}, "c": 1}}')[1]
    1
    """
    skills = member(lenient(text), "skills")
    if not isinstance(skills, dict):
        raise ValueError('no JSON object with an object "skills"')
    found = [_entry(name, value) for name, value in skills.items() if name.strip()]
    entries = [entry for entry in found if entry is not None]
    return entries, len(skills) - len(entries)


def _entry(name: str, value: JsonValue) -> SeedEntry | None:
    flags = _number(member(value, "flagged_count"))
    if flags is None or not 0 <= flags <= _MOST:
        return None
    ids = member(value, "execution_ids")
    lines = (" ".join(text_of(one).split()) for one in (ids if isinstance(ids, list) else ()))
    return SeedEntry(
        skill=name,
        flags=int(flags),
        flagged_ms=at_ms(text_of(member(value, "last_flagged"))),
        gap=_millionths(value, "stability_gap") or 0,
        executions=tuple(filter(None, lines))[-_MOST:],
        status=text_of(member(value, "status")) or "monitoring",
        baseline=_millionths(value, "baseline_gap") or 0,
        current=_millionths(value, "current_gap"),
    )


def _millionths(value: JsonValue, name: str) -> int | None:
    number = _number(member(value, name))
    return None if number is None else round(_MILLION * min(1.0, max(0.0, number)))


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        return None
    return float(value)
