"""Seed 001's improvement-queue.json: the skills that it flagged, and how each evaluation stands."""

from contextlib import suppress
from typing import Final

from learnt.core.health.queue import QueueEntry
from learnt.core.json_values import member
from learnt.core.records import Unreadable, decode
from learnt.formats.observations import lenient

QUEUE: Final = "improvement-queue.json"
_MOST: Final = 1_000  # flags of a skill


def parse(text: str) -> tuple[list[QueueEntry], int]:
    """The entries, and how many say nothing. Raises ValueError for what is no queue.

    >>> parse('{"skills": {"a:b": {"flagged_count": 3, "stability_gap": 0.4}, "c": 1}}')[1]
    1
    """
    skills = member(lenient(text), "skills")
    if not isinstance(skills, dict):
        raise ValueError('no JSON object with an object "skills"')
    found = []
    for name, value in skills.items():
        with suppress(Unreadable):
            told = {**value, "skill_name": name} if isinstance(value, dict) else value
            entry = decode(QueueEntry, told)
            gaps = entry.stability_gap, entry.baseline_gap or 0, entry.current_gap or 0
            if name.strip() and 0 <= entry.flagged_count <= _MOST and all(map(_is_gap, gaps)):
                found.append(entry)
    return found, len(skills) - len(found)


def _is_gap(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1
