"""Seed 001's queue of improvements, read leniently where an entry is odd and not where all is."""

import json

import pytest

from learnt.formats.seed_health import queue_of as parse

FLAGGED = {
    "skill_name": "a:b", "stability_gap": 0.42, "flagged_count": 3, "status": "monitoring",
    "last_flagged": "2026-02-15T04:00:00Z", "execution_ids": ["exec-1", 7, "x"],
}  # fmt: skip


def test_an_entry_is_read_with_all_that_the_seed_says() -> None:
    """By the same names."""
    ((found,), mute) = parse(json.dumps({"skills": {"a:b": FLAGGED}}))
    assert mute == 0
    assert (found.skill_name, found.flagged_count, found.stability_gap) == ("a:b", 3, 0.42)
    assert (found.last_flagged, found.execution_ids) == (FLAGGED["last_flagged"], ("exec-1", "x"))
    waiting = {**FLAGGED, "status": "pending_rollback_review", "baseline_gap": 0.15}
    ((found,), _) = parse(json.dumps({"skills": {"a:b": waiting}}))
    assert (found.baseline_gap, found.current_gap, found.due) == (0.15, None, False)


@pytest.mark.parametrize(
    "odd",
    [3, None, {}, {"flagged_count": "3"}, {"flagged_count": -1}, {"flagged_count": 10**400},
            {**FLAGGED, "stability_gap": "0.4"}, {**FLAGGED, "stability_gap": float("nan")},
            {**FLAGGED, "baseline_gap": 7}],
)  # fmt: skip
def test_an_odd_entry_hides_no_other(odd: object) -> None:
    """It is counted."""
    entries, mute = parse(json.dumps({"skills": {"odd": odd, "a:b": FLAGGED, " ": FLAGGED}}))
    assert ([entry.skill_name for entry in entries], mute) == (["a:b"], 2)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"skills": []}', "[" * 100_000])
def test_what_is_no_queue_is_refused(text: str) -> None:
    """Rather than taken for an empty one."""
    with pytest.raises(ValueError, match="object"):
        parse(text)
