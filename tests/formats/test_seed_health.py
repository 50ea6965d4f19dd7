"""The seeds' state files, read leniently: logs and queue of seed 001, memories of seed 002."""

import json

import pytest

from learnt.formats.memories import parse_seed
from learnt.formats.seed_health import Logged, parse, queue_of

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


FLAGGED = {
    "skill_name": "a:b", "stability_gap": 0.42, "flagged_count": 3, "status": "monitoring",
    "last_flagged": "2026-02-15T04:00:00Z", "execution_ids": ["exec-1", 7, "x"],
}  # fmt: skip


def test_an_entry_is_read_with_all_that_the_seed_says() -> None:
    """By the same names."""
    ((found,), mute) = queue_of(json.dumps({"skills": {"a:b": FLAGGED}}))
    assert mute == 0
    assert (found.skill_name, found.flagged_count, found.stability_gap) == ("a:b", 3, 0.42)
    assert (found.last_flagged, found.execution_ids) == (FLAGGED["last_flagged"], ("exec-1", "x"))
    waiting = {**FLAGGED, "status": "pending_rollback_review", "baseline_gap": 0.15}
    ((found,), _) = queue_of(json.dumps({"skills": {"a:b": waiting}}))
    assert (found.baseline_gap, found.current_gap, found.due) == (0.15, None, False)


@pytest.mark.parametrize(
    "odd",
    [3, None, {}, {"flagged_count": "3"}, {"flagged_count": -1}, {"flagged_count": 10**400},
            {**FLAGGED, "stability_gap": "0.4"}, {**FLAGGED, "stability_gap": float("nan")},
            {**FLAGGED, "baseline_gap": 7}],
)  # fmt: skip
def test_an_odd_entry_hides_no_other(odd: object) -> None:
    """It is counted."""
    entries, mute = queue_of(json.dumps({"skills": {"odd": odd, "a:b": FLAGGED, " ": FLAGGED}}))
    assert ([entry.skill_name for entry in entries], mute) == (["a:b"], 2)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"skills": []}', "[" * 100_000])
def test_what_is_no_queue_is_refused(text: str) -> None:
    """Rather than taken for an empty one."""
    with pytest.raises(ValueError, match="object"):
        queue_of(text)


@pytest.mark.parametrize(("text", "unreadable"), [("", 0), ("{}", 0), ("[]", 1), ("{broken", 1)])
def test_a_file_of_reuses_that_is_no_object_is_counted(text: str, unreadable: int) -> None:
    """As a line of the other files is."""
    seed = parse_seed({"reuse.json": text})
    assert (0, unreadable) == (len(seed.pieces), len(seed.findings))
