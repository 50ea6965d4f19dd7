"""LEARNINGS.md: what a month of executions teaches, and what people pinned in it.

All from the line `## Pinned Learnings` to the `---` before the first issue is a person's own, and
is kept byte for byte. The rest is written anew.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from learnt.core.health.learnings import DAYS, LIKED, Issue, Month, issues
from learnt.core.safety import neutralise

LEARNINGS: Final = "LEARNINGS.md"
PINNED: Final = "## Pinned Learnings"
_ISSUES: Final = "## High-Impact Issues"
_EMPTY: Final = "\n_What you write here stays._\n\n"
_BEGIN: Final = re.compile(rf"^{PINNED}[ \t]*\r?\n?", re.MULTILINE)
_END: Final = re.compile(rf"^(?:---[ \t]*\r?\n(?:[ \t]*\r?\n)*)?{_ISSUES}[ \t]*\r?$", re.MULTILINE)
_METRICS: Final[dict[str, Callable[[float], str]]] = {
    "high_failure_rate": "{:.1f}% success rate".format,
    "low_rating": "{:.1f}/5.0 average rating".format,
    "excessive_failures": "{:.0f} failures".format,
}


class Evaluated(NamedTuple):
    """How a comparison of two texts of a skill ended; gaps before and after."""

    skill: str
    version: str
    verdict: str
    before: float
    after: float | None
    day: date


class Learnings(NamedTuple):
    """All that is told of a month that ends on a day."""

    day: date
    months: Sequence[Month]
    evaluated: Sequence[Evaluated] = ()


def pinned(text: str) -> str | None:
    """What people pinned in a file; None where the file has no place for it, so is no such file.

    >>> pinned("## Pinned Learnings\\nmine\\n---\\n\\n## High-Impact Issues"), pinned("# x")
    ('mine\\n', None)
    """
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    ends = [end.start() for end in _END.finditer(text, begin.end())]
    return text[begin.end() : ends[-1] if ends else len(text)]


def rendered(told: Learnings, kept: str | None = None) -> str:
    """The file, with what was pinned in the one before."""
    kept = _EMPTY if kept is None else kept
    kept += "" if kept.endswith("\n") or not kept else "\n"
    found = issues(told.months)
    known = [issue for issue in found if issue.kind in _METRICS]
    slow = [(i.month, i.value, i.month.executions) for i in found if i.kind == "slow"]
    used = sorted(told.months, key=lambda month: (-month.executions, month.skill))
    disliked = [(m, m.rating) for m in used if m.rating is not None and m.rating < LIKED]
    moving = [(month, month.trend) for month in used if month.trend is not None]
    parts = [
        "# Skill Performance Learnings\n",
        f"**Last Updated**: {told.day.isoformat()}",
        f"**Analysis Period**: Last {DAYS} days",
        f"**Skills Analyzed**: {len(told.months)}",
        f"**Total Executions**: {sum(month.executions for month in told.months)}\n\n---\n",
        f"{PINNED}\n{kept}---\n\n{_ISSUES}",
        *_some(map(_issue, known[:10])),
        "\n## Slow Execution",
        *_table("Skill|Avg Duration|Executions", ((_name(m), _seconds(v), n) for m, v, n in slow)),
        "\n## Low User Ratings",
        *_some(f"\n### {_name(month)} - {rating:.1f}/5.0" for month, rating in disliked),
        "\n## Skill Performance Summary",
        *_table("Skill|Executions|Success|Avg Duration|Rating", map(_row, used[:20])),
        "\n## Performance Trends (Hyperagents)",
        *_some(f"\n- {_name(month)}: {100 * change:+.0f} points" for month, change in moving),
        "\n## Meta-Insights (Hyperagents)",
        *_some(map(_evaluated, told.evaluated)),
        "\n---\n\n_Written by `learnt health learnings`; what is not pinned is written anew._\n",
    ]
    return "\n".join(parts)


def _issue(issue: Issue) -> str:
    month = issue.month
    rows = [
        f"\n### {_name(month)}",
        f"**Type**: {issue.kind}",
        f"**Severity**: {issue.severity}",
        f"**Metric**: {_METRICS[issue.kind](issue.value)}",
        f"**Detail**: {month.executions} executions, priority {issue.priority:.2f}",
    ]
    for head, texts in (("Recent Errors", month.errors), ("Common Friction", month.friction)):
        if texts:
            rows += [f"\n**{head}**:", *(f"- {_line(text)}" for text in texts[:3])]
    return "\n".join(rows)


def _row(month: Month) -> tuple[object, ...]:
    success = "-" if month.success is None else f"{month.success:.1f}%"
    rating = "-" if month.rating is None else f"{month.rating:.1f}/5.0"
    return _name(month), month.executions, success, _seconds(month.average_ms), rating


def _evaluated(one: Evaluated) -> str:
    after = "" if one.after is None else f", {one.after:.2f} after"
    told = f"{one.verdict}, gap {one.before:.2f} before{after} ({one.day.isoformat()})"
    return f"\n- {_line(one.skill)} {_line(one.version)}: {told}"


def _table(head: str, rows: Iterable[Iterable[object]]) -> list[str]:
    heads = head.split("|")
    lines = [f"| {' | '.join(map(str, row))} |" for row in (heads, ["---"] * len(heads), *rows)]
    return ["", *lines] if len(lines) > 2 else _some(())


def _some(lines: Iterable[str]) -> list[str]:
    return list(lines) or ["\nNone."]


def _seconds(ms: float | None) -> str:
    return "-" if ms is None else f"{ms / 1_000:.1f}s"


def _name(month: Month) -> str:
    return _line(month.skill)


def _line(text: str) -> str:
    """A text as a line's part: cut to 100 characters, and neither table, tag nor markup."""
    return re.sub(r"([|`<>*_\\])", r"\\\1", " ".join(neutralise(text).split())[:100])
