"""LEARNINGS.md: what it tells, and that what people pinned in it stays as it is."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.health.experiences import Month
from learnt.formats.learnings_md import Evaluated, pinned, rendered

BAD = Month(
    "a:audit", 26, graded=26, failures=15, success=42.3, average_ms=45_000.0, rating=2.8,
    trend=-0.4, errors=("1 failed", "x | y\n## no heading " + "z" * 200),
    friction=("test: 9", "revert: 6"),
)  # fmt: skip
GOOD = Month("tidy", 3, graded=3, success=100.0, average_ms=200.0, rating=5.0)
DAY = date(2026, 2, 15)
TOLD = (
    DAY, [GOOD, BAD], [Evaluated("a:audit", "1.1.0", "promoted", 0.35, 0.1, DAY),
                       Evaluated("tidy", "1.0.0", "stopped", 0.2, None, DAY)],
)  # fmt: skip
LINES = st.sampled_from([
    "---",
    "",
    "## Pinned Learnings",
    "## High-Impact Issues",
    "mine",
    "## Mine",
    "\r",
    "```",
])


def test_the_file_has_the_seeds_sections() -> None:
    """Each with what belongs there."""
    text = rendered(*TOLD)
    assert text.startswith("# Skill Performance Learnings\n\n**Last Updated**: 2026-02-15\n")
    assert "**Skills Analyzed**: 2\n**Total Executions**: 29\n" in text
    heads = [line for line in text.split("\n") if line.startswith("## ")]
    assert heads == [
        "## Pinned Learnings", "## High-Impact Issues", "## Slow Execution",
        "## Low User Ratings", "## Skill Performance Summary",
        "## Performance Trends (Hyperagents)", "## Meta-Insights (Hyperagents)",
    ]  # fmt: skip
    for line in (
        "**Type**: high_failure_rate\n**Severity**: high\n**Metric**: 42.3% success rate",
        "priority 75.01",
        "**Type**: low_rating\n**Severity**: medium\n**Metric**: 2.8/5.0 average rating",
        "**Recent Errors**:\n- 1 failed\n- x \\| y ## no heading z",
        "**Common Friction**:\n- test: 9\n- revert: 6",
        "## Slow Execution\n\n| Skill | Executions | Success | Avg Duration | Rating |\n| --- |",
        "| --- |\n| a:audit | 26 | 42.3% | 45.0s | 2.8/5.0 |\n\n## Low",
        "### a:audit - 2.8/5.0",
        "| tidy | 3 | 100.0% | 0.2s | 5.0/5.0 |",
        "- a:audit: -40 points",
        "- a:audit 1.1.0: promoted, gap 0.35 before, 0.10 after (2026-02-15)",
        "- tidy 1.0.0: stopped, gap 0.20 before (2026-02-15)",
    ):
        assert line in text, line
    assert max(map(len, text.split("\n"))) < 130
    empty = rendered(DAY, [])
    assert empty.count("\nNone.") == 6


@given(st.one_of(st.text(), st.lists(LINES).map("\n".join)))
def test_written_twice_is_written_once(kept: str) -> None:
    """Whatever was pinned: it is found again byte for byte, and no line is added to it."""
    once = rendered(*TOLD, kept)
    found = pinned(once)
    assert found is not None
    assert found.rstrip("\n") == kept.rstrip("\n")
    assert found == (kept if kept.endswith("\n") or not kept else kept + "\n")
    assert rendered(*TOLD, found) == once
    assert pinned(rendered(DAY, [], kept=found)) == found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("# Notes of my own\n", None), ("", None), ("## Pinned Learnings", ""),
        ("x\r\n## Pinned Learnings\r\nmine\r\n---\r\n\r\n## High-Impact Issues\r\ny", "mine\r\n"),
        ("## Pinned Learnings\nmine\n## High-Impact Issues\n", "mine\n"),
        ("## Pinned Learnings\n\nmine\n\n---\n\n---\n\n## High-Impact Issues", "\nmine\n\n---\n\n"),
        ("## Pinned Learnings\nmine\n\n## Mine too\n", "mine\n\n## Mine too\n"),
    ],
)  # fmt: skip
def test_what_is_pinned_ends_before_the_first_issue(text: str, kept: str | None) -> None:
    """In a file that an editor or the seed wrote too; one without the place is no such file."""
    assert pinned(text) == kept
