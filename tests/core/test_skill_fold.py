"""A skill's events add up to its versions, its source, its pin and how it did."""

import pytest

from learnt.core.events import Kind
from learnt.core.records import JsonObject
from learnt.core.skills.history import REMEMBERED, SkillHistory, step
from tests.core.happenings import happened


def after(*payloads: JsonObject) -> SkillHistory:
    """The history after these events."""
    history: SkillHistory | None = None
    for payload in payloads:
        history = step(history, happened("skill:user:locks", Kind.SKILL, payload))
    assert history is not None
    return history


def used(success: bool) -> JsonObject:
    """The payload of a use that went well, or not."""
    return {"action": "graded", "success": success}


# Oracle 53 of the seeds: an exponential moving average, the latest use weighing 0.3.
@pytest.mark.parametrize(
    ("results", "rate"),
    [
        ("S", 1.0), ("F", 0.0), ("SF", 0.7), ("SFS", 0.79), ("FS", 0.3), ("FSS", 0.51),
        ("SSSF", 0.7), ("SFFF", 0.343), ("FFFS", 0.3),
    ],
)  # fmt: skip
def test_the_success_rate_follows_the_latest_uses(results: str, rate: float) -> None:
    """Each use counts, in its order."""
    history = after(*(used(result == "S") for result in results))
    assert len(results) == history.uses
    assert pytest.approx(rate) == history.success_rate


def test_old_results_are_dropped_and_counted() -> None:
    """Beyond what can move the rate."""
    history = after(*(used(success=True) for _ in range(REMEMBERED + 3)))
    assert (REMEMBERED + 3, "S" * REMEMBERED) == (history.uses, history.results)


def test_a_version_follows_its_parent() -> None:
    """In the order of the events, each with how it came."""
    history = after(
        {"action": "versioned", "digest": "a", "version": "1.0", "cause": "install"},
        {"action": "versioned", "digest": "b", "parent": "a", "cause": "outside"},
    )
    assert [("a", ""), ("b", "a")] == [(one.digest, one.parent) for one in history.versions]


def test_what_was_done_can_be_undone() -> None:
    """A pin and an installation."""
    history = after({"action": "pinned"}, {"action": "installed", "digest": "d"})
    assert (True, "d") == (history.pinned, history.installed)
    history = after({"action": "pinned"}, {"action": "unpinned"}, {"action": "removed"})
    assert (False, "") == (history.pinned, history.installed)


def test_a_purge_takes_the_texts() -> None:
    """The versions stay, without what they said."""
    history = after({"action": "versioned", "digest": "a", "text": "k.1", "name": "k.2"})
    purged = step(history, happened("skill:user:locks", Kind.PURGED, {}))
    assert (None, [None]) == (purged.name, [version.text for version in purged.versions])


def test_a_comparison_begins_and_ends() -> None:
    """It stands until its verdict; one that waits for a person still does."""
    begun: JsonObject = {
        "action": "evaluating", "digest": "b", "parent": "a", "method": "window", "gap": 340_000,
    }  # fmt: skip
    review: JsonObject = {"action": "evaluated", "digest": "b", "verdict": "review", "gap": 400_000}
    kept: JsonObject = {"action": "evaluated", "digest": "b", "verdict": "kept"}
    other: JsonObject = {"action": "evaluated", "digest": "x", "verdict": "kept"}

    going_on = after(begun, other).evaluation
    assert going_on is not None
    assert ("b", "a", 340_000, None) == (
        going_on.digest, going_on.parent, going_on.gap, going_on.verdict,
    )  # fmt: skip
    waiting = after(begun, review).evaluation
    assert waiting is not None
    assert ("review", 400_000) == (waiting.verdict, waiting.after)
    decided = after(begun, review, kept)
    assert decided.evaluation is None
    assert ("kept", 400_000) == (decided.evaluations[0].verdict, decided.evaluations[0].after)
