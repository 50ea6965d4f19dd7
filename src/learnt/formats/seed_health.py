"""What seed 001's skill health keeps: logs, queue and past successes, read leniently.

| file | what is taken |
|---|---|
| .history.json | of each skill its accuracies and durations, in order |
| PLUGIN/SKILL/YYYY-MM-DD.jsonl | each line's invocation, time, outcome, duration and error |

Both log the same executions: of the history those alone are taken that no daily log has, which
are its oldest.

A skill's folder has its name, `:` and `/` as `_`; a file has the SHA-256 of its task, cut short.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Final

from msgspec import field

from learnt.core.health.experiences import SUCCESS, Experience
from learnt.core.health.improvement import QueueEntry
from learnt.core.health.outcomes import MILLION
from learnt.core.records import (
    JsonValue,
    Record,
    Unreadable,
    decode,
    member,
    text_of,
    whole,
)
from learnt.core.safety import excerpt
from learnt.formats.observations import lenient
from learnt.formats.own_texts import own_text

HISTORY: Final = ".history.json"
_GRADES: Final = {"success": MILLION, "partial": MILLION // 2, "failure": 0}


class Logged(Record):
    """One execution as the seed logged it. `grade` in millionths, `at_ms` 0 where not known."""

    skill: str
    id: str
    grade: int
    at_ms: int = 0
    took_ms: int | None = None
    error: str = ""
    from_history: bool = False


class SeedHealth(Record, kw_only=True):
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
    """What the history file and the daily logs hold: of each log its name and its lines."""
    lines = [(name, n, line) for name in sorted(daily) for n, line in enumerate(daily[name])]
    executions = [_line(lenient(line), f"{name}:{n}") for name, n, line in lines if line.strip()]
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
        durations = member(entry, "durations")
        times = durations if isinstance(durations, list) else []
        for number, (accuracy, took) in enumerate(zip_longest(oldest, times[: len(oldest)])):
            if isinstance(accuracy, int | float) and not isinstance(accuracy, bool):
                older.append(Logged(
                    skill=skill,
                    id=f"history:{skill}:{number}",
                    grade=round(MILLION * min(1, max(0, accuracy))),
                    at_ms=number,  # it names no time, but has an order
                    took_ms=_duration(took),
                    from_history=True,
                ))  # fmt: skip
            else:
                unreadable += 1
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


FOLDER: Final = "experience-library"
FILE: Final = re.compile(r"[0-9a-f]{12}\.json")
_LONGEST, _MOST = 2_000, 50  # characters of a text, and how many of a kind


def experiences_of(files: Mapping[str, str]) -> tuple[list[Experience], list[str]]:
    """What some files hold, by their paths, and what is wrong with others.

    >>> experiences_of({"../f1c1385dc369.json": "{}"})[1]
    ['../f1c1385dc369.json: no skill has that name']
    """
    found, findings = [], []
    for path, text in sorted(files.items()):
        skill, _, name = path.rpartition("/")
        value = lenient(text)
        task = text_of(member(value, "task_description"))
        digest = hashlib.sha256(task.encode("utf-8", "replace")).hexdigest()[:12]
        troubles = {
            "no skill has that name": not skill or "/" in skill or ".." in skill,
            "damaged, or no experience": not task,
            "no success": member(value, "outcome") != SUCCESS,
            "not the name of its task": name != f"{digest}.json",
        }
        if trouble := next((trouble for trouble in troubles if troubles[trouble]), ""):
            findings.append(f"{path}: {trouble}")
            continue
        stored_ms = at_ms(text_of(member(value, "stored_at")))
        stored: dict[str, JsonValue] = {part: _public(value[part]) for part in value}
        stored |= {"skill": skill, "id": digest, "wall_ms": stored_ms, "imported": True}
        found.append(decode(Experience, {**stored, "own": False}))
    return found, findings


def _public(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_public(part) for part in value[:_MOST]]
    return excerpt(value, _LONGEST) if isinstance(value, str) else value


QUEUE: Final = "improvement-queue.json"
_MOST_FLAGS: Final = 1_000  # flags of a skill


def queue_of(text: str) -> tuple[list[QueueEntry], int]:
    """The entries, and how many say nothing. Raises ValueError for what is no queue."""
    skills = member(lenient(text), "skills")
    if not isinstance(skills, dict):
        raise ValueError('no JSON object with an object "skills"')
    found = []
    for name, value in skills.items():
        with suppress(Unreadable):
            named = {**value, "skill_name": name} if isinstance(value, dict) else value
            entry = decode(QueueEntry, named)
            gaps: tuple[object, ...] = (  # as they are stored, whatever they are declared
                entry.stability_gap, entry.baseline_gap or 0, entry.current_gap or 0,
            )  # fmt: skip
            plain = all(isinstance(gap, int | float) and 0 <= gap <= 1 for gap in gaps)
            if name.strip() and 0 <= entry.flagged_count <= _MOST_FLAGS and plain:
                found.append(entry)
    return found, len(skills) - len(found)


_CHARACTERS: Final = 20_000
_TEN: Final = "Before and after are ten executions each, and no proof."
_TRIED: Final = "A coin gave each session one of the two texts, until the evidence was there."


def regression(
    name: str,
    versions: tuple[str, str],
    gaps: tuple[float, float | None],
    diff: str,
    rollback: str,
    mark: str,
    *,
    tried: bool,
) -> tuple[str, str]:
    """The title and the body of an issue."""
    name, before, after = _issue_line(name), *gaps
    # From the first change on: above it stands where the file lies.
    changes = excerpt(diff[max(0, diff.find("@@")) :].rstrip(), _CHARACTERS)
    longest = max(map(len, re.findall("`+", changes)), default=0)
    body = own_text("regression_issue.md").format(
        how=_TRIED if tried else _TEN,
        name=name,
        parent=_issue_line(versions[0]),
        version=_issue_line(versions[1]),
        before=f"{before:.3f}",
        after="not known" if after is None else f"{after:.3f}",
        fence="`" * max(3, longest + 1),
        diff=changes,
        rollback=excerpt(" ".join(rollback.split()), 300) or "not known",
        mark=mark,
    )
    return f"Skill regression detected: {name}", body


def _issue_line(text: str) -> str:
    return re.sub(r"[`|<>]", "", " ".join(excerpt(text, 100).split()))
