"""Seed 001's logs, read leniently."""

import json

import pytest

from learnt.formats.seed_health import Logged, parse

HISTORY = json.dumps({
    "abstract:skill-auditor": {"accuracies": [1, 0, 1], "durations": [100, 200, 150]},
    "broken": {"accuracies": "x"},
})
LINE = {
    "timestamp": "2026-03-20T10:00:00+00:00", "invocation_id": "i-1", "duration_ms": 150,
    "skill": "abstract:skill-auditor", "outcome": "partial", "error": "a warning",
}  # fmt: skip


def test_a_history_gives_its_executions_in_order() -> None:
    """Each accuracy with its duration; an entry that says nothing hides no other."""
    found = parse(HISTORY, {})
    assert [(1_000_000, 100), (0, 200), (1_000_000, 150)] == [
        (one.grade, one.took_ms) for one in found.logged
    ]
    assert 1 == found.unreadable
    assert 3 == len({one.id for one in found.logged})


def test_what_both_files_hold_is_counted_once() -> None:
    """Of the history the oldest alone are taken, of which no daily log tells."""
    found = parse(HISTORY, {"a/2026-03-20.jsonl": [json.dumps(LINE), "", "{broken", "[]"]})
    assert [1_000_000, 0, 500_000] == [one.grade for one in found.logged]
    assert 3 == found.unreadable
    expected = Logged(
        skill="abstract:skill-auditor", id="i-1", grade=500_000, at_ms=1_774_000_800_000,
        took_ms=150, error="a warning",
    )  # fmt: skip
    assert expected == found.logged[-1]


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "\x00"])
def test_a_history_that_is_none_says_nothing(text: str) -> None:
    """It is counted, and stops nothing."""
    assert ((), 1) == (parse(text, {}).logged, parse(text, {}).unreadable)
