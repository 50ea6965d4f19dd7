"""What a session shows that a skill could be made of: failures, successes, and whether it suffices.

Seed 004's rules. A failure is known by what failed and the beginning of why.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

MOST_FAILURES: Final = 5
MOST_SUCCESSES: Final = 5
LEAST_FAILURES: Final = 2
LEAST_SUCCESSES: Final = 5
WHY: Final = 80  # characters of a reason that tell one failure from another
LONGEST_SUCCESS: Final = 300
_HEAD, _TAIL = 200, 80
Mode = Literal["skills_only", "rl", "madmax"]


class FailedAttempt(NamedTuple):
    """Something that failed: `what`, for which reason, and how it was tried."""

    what: str
    why: str
    tried: str = ""


class Success(NamedTuple):
    """Something that went well: `what` was wanted, and how it was done."""

    what: str
    how: str


def novel(failures: Iterable[FailedAttempt]) -> list[FailedAttempt]:
    """The failures that differ from each other, five at most.

    >>> long = "x" * 80
    >>> len(novel([FailedAttempt("a", f"{long}1"), FailedAttempt("a", f"{long}2")]))
    1
    """
    found: dict[tuple[str, str], FailedAttempt] = {}
    for failure in failures:
        found.setdefault((failure.what, failure.why[:WHY]), failure)
    return list(found.values())[:MOST_FAILURES]


def telling(rewarded: Iterable[tuple[FailedAttempt, float]]) -> list[FailedAttempt]:
    """Failures by their process reward, what a judge is surest of first.

    >>> first, second = FailedAttempt("a", "slow"), FailedAttempt("b", "refuted")
    >>> telling([(first, 0.0), (second, -0.5)]) == [second, first]
    True
    """
    return [failure for failure, _ in sorted(rewarded, key=lambda pair: -abs(pair[1]))]


def compressed(text: str) -> str:
    """A text of 300 characters as it is; of a longer one the first 200 and the last 80.

    >>> len(compressed("x" * 300)), len(compressed("x" * 301))
    (300, 285)
    """
    return text if len(text) <= LONGEST_SUCCESS else f"{text[:_HEAD]}\n...\n{text[-_TAIL:]}"


def suffices(failures: Sequence[FailedAttempt], successes: Sequence[Success]) -> bool:
    """Whether there is enough to make a skill of: two novel failures, or five successes.

    >>> one = FailedAttempt("build", "no such file")
    >>> suffices([one], [Success("a", "b")] * 4), suffices([one], [Success("a", "b")] * 5)
    (False, True)
    """
    return len(failures) >= LEAST_FAILURES or len(successes) >= LEAST_SUCCESSES


def reward(
    outcome: Literal["succeeded", "refuted", "error", "scored"], score: float = 0.0
) -> float:
    """The process reward of a step, -1 to 1: a model's `score` is brought into that range.

    >>> reward("succeeded"), reward("refuted"), reward("error"), reward("scored", 7.0)
    (1.0, -0.5, 0.0, 1.0)
    """
    fixed = {"succeeded": 1.0, "refuted": -0.5, "error": 0.0}
    if outcome in fixed:
        return fixed[outcome]
    return 0.0 if score != score else max(-1.0, min(1.0, score))  # a score that is no number
