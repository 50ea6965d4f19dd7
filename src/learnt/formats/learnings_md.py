"""LEARNINGS.md: what a month of executions teaches, and what people pinned in it.

All from the line `## Pinned Learnings` to the `---` before the first issue is a person's own, and
is kept byte for byte. The rest is rewritten.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from learnt.core.health.experiences import LIKED, SLOW_MS, Issue, Month, issues
from learnt.core.records import Record
from learnt.core.safety import neutralise

LEARNINGS: Final = "LEARNINGS.md"
PERIOD: Final = "**Analysis Period**"
PINNED: Final = "## Pinned Learnings"
_ISSUES: Final = "## High-Impact Issues"
_EMPTY: Final = "\n_What you write here stays._\n\n"
_HEAD: Final = (
    "\n| Skill | Executions | Success | Avg Duration | Rating |\n| --- | --- | --- | --- | --- |"
)
_BEGIN: Final = re.compile(rf"^{PINNED}[ \t]*\r?\n?", re.MULTILINE)
_END: Final = re.compile(rf"^(?:---[ \t]*\r?\n(?:[ \t]*\r?\n)*)?{_ISSUES}[ \t]*\r?$", re.MULTILINE)


class Evaluated(Record):
    """How a comparison of two texts of a skill ended; gaps before and after, lines that came."""

    skill: str
    version: str
    verdict: str
    before: float
    after: float | None
    day: date
    added: Sequence[str] = ()


def pinned(text: str) -> str | None:
    """What people pinned in a file; None where the file has no place for it, so is no such file."""
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    ends = [end.start() for end in _END.finditer(text, begin.end())]
    return text[begin.end() : ends[-1] if ends else len(text)]


def about(text: str, skill: str) -> list[str]:
    """The lines of the file that name a skill, or stand under a heading that does."""
    named, under, found = re.compile(rf"(?<![\w:-]){re.escape(skill)}(?![\w:-])"), False, []
    for line in text.splitlines():
        names = named.search(line.replace("\\", "")) is not None
        under = names if line.startswith(("#", "---")) else under and not line.startswith("|")
        found += [line] if line.strip() and (names or under) else []
    return found


def rendered(
    day: date, months: Sequence[Month], evaluated: Sequence[Evaluated] = (), kept: str | None = None
) -> str:
    """The file of a month that ends on a day, with what was pinned in the one before."""
    kept = _EMPTY if kept is None else kept
    kept += "" if kept.endswith("\n") or not kept else "\n"
    used = sorted(months, key=lambda month: (-month.executions, month.skill))
    slow = [month for month in used if (month.average_ms or 0) > SLOW_MS]
    disliked = [(m, m.rating) for m in used if m.rating is not None and m.rating < LIKED]
    moving = [(month, month.trend) for month in used if month.trend is not None]
    parts = [
        "# Skill Performance Learnings\n",
        f"**Last Updated**: {day.isoformat()}",
        f"{PERIOD}: Last 30 days",
        f"**Skills Analyzed**: {len(months)}",
        f"**Total Executions**: {sum(month.executions for month in months)}\n\n---\n",
        f"{PINNED}\n{kept}---\n\n{_ISSUES}",
        *_some(map(_issue, issues(months)[:10])),
        "\n## Slow Execution",
        *_table(slow),
        "\n## Low User Ratings",
        *_some(f"\n### {_line(month.skill)} - {rating:.1f}/5.0" for month, rating in disliked),
        "\n## Skill Performance Summary",
        *_table(used[:20]),
        "\n## Performance Trends (Hyperagents)",
        *_some(f"\n- {_line(month.skill)}: {100 * change:+.0f} points" for month, change in moving),
        "\n## Meta-Insights (Hyperagents)",
        *_some(map(_evaluated, evaluated)),
        "\n---\n\n_Written by `learnt health learnings`; what is not pinned is rewritten._\n",
    ]
    return "\n".join(parts)


def _issue(issue: Issue) -> str:
    month = issue.month
    rows = [
        f"\n### {_line(month.skill)}",
        f"**Type**: {issue.kind}",
        f"**Severity**: {issue.severity}",
        f"**Metric**: {issue.metric}",
        f"**Detail**: {month.executions} executions, priority {issue.priority:.2f}",
    ]
    for head, texts in (("Recent Errors", month.errors), ("Common Friction", month.friction)):
        if texts:
            rows += [f"\n**{head}**:", *(f"- {_line(text)}" for text in texts[:3])]
    return "\n".join(rows)


def _table(months: Iterable[Month]) -> list[str]:
    rows = []
    for month in months:
        took = None if month.average_ms is None else month.average_ms / 1_000
        shares = ((month.success, "%"), (took, "s"), (month.rating, "/5.0"))
        known = ("-" if value is None else f"{value:.1f}{unit}" for value, unit in shares)
        rows.append(f"| {_line(month.skill)} | {month.executions} | {' | '.join(known)} |")
    return [_HEAD, *rows] if rows else _some(())


def _evaluated(one: Evaluated) -> str:
    after = "" if one.after is None else f", {one.after:.2f} after"
    told = f"{one.verdict}, gap {one.before:.2f} before{after} ({one.day.isoformat()})"
    lines = [f"\n- {_line(one.skill)} {_line(one.version)}: {told}", *map(_line, one.added[:3])]
    return "\n  - ".join(lines)


def _some(lines: Iterable[str]) -> list[str]:
    return list(lines) or ["\nNone."]


def _line(text: str) -> str:
    """A text as a line's part: cut to 100 characters, and neither table, tag nor markup."""
    return re.sub(r"([|`<>*_\\])", r"\\\1", " ".join(neutralise(text).split())[:100])
