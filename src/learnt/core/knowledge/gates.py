"""The gates in front of every entry: value, safety, redundancy. Rules only, each with its reason.

The first small set: what says nothing, hides something, or is already there stays out. "Do
nothing" is the expected answer to most drafts.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core import safety
from learnt.core.identifiers import EntryId
from learnt.core.tokens import words

LEAST_WORDS: Final = 2
LONGEST_PROBLEM: Final = 500
LONGEST_APPROACH: Final = 2_000
MOST_CAUTIONS, LONGEST_CAUTION = 10, 500
MOST_TAGS, LONGEST_TAG = 20, 60
MOST_FILES, LONGEST_FILE = 20, 300

REASONS: Final = {
    "no-problem": "it names no problem: two meaningful words at least",
    "no-approach": "it gives no approach: two meaningful words at least",
    "too-long": "it is too long for one entry: split it",
    "says-the-same": "the approach only repeats the problem",
    "hidden-text": "it holds characters that a reader cannot see",
    "hidden-instruction": "it tries to command the agent that will read it",
    "pipe-to-shell": "it runs a download unread",
    "duplicate": "the same is already remembered",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A solution as given, before any gate: a problem, what to do, and what to beware of."""

    problem: str
    approach: str
    cautions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it."""
        language = (self.language,) if self.language else ()
        return (self.problem, self.approach, *self.cautions, *self.tags, *self.files, *language)


@dataclass(frozen=True, slots=True)
class Admit:
    """It may be remembered."""


@dataclass(frozen=True, slots=True)
class Merge:
    """It is one already: that one gains a confirmation."""

    into: EntryId


@dataclass(frozen=True, slots=True)
class Reject:
    """It stays out: which gate said so, and the reason's name in REASONS."""

    gate: str
    reason: str


Decision = Admit | Merge | Reject


def tidy(solution: Solution) -> tuple[Solution, tuple[str, ...]]:
    """The solution as it would be written, and the kinds of secret that were taken out of it.

    Private parts and secrets go; texts are trimmed; tags lose doubles and case.
    """
    found: list[str] = []

    def clean(text: str) -> str:
        text, secrets = safety.redact_secrets(safety.strip_private(text).replace("\r\n", "\n"))
        found.extend(secrets)
        return text.strip()

    tags = dict.fromkeys(clean(tag).casefold() for tag in solution.tags)
    return Solution(
        problem=clean(solution.problem),
        approach=clean(solution.approach),
        cautions=tuple(filter(None, map(clean, solution.cautions))),
        tags=tuple(filter(None, tags)),
        files=tuple(dict.fromkeys(filter(None, map(clean, solution.files)))),
        language=clean(solution.language or "") or None,
    ), tuple(found)


def normalised(solution: Solution) -> str:
    """The text in which exact duplicates are equal: width, case and spacing do not count.

    >>> a = Solution(problem="Port  in use", approach="Kill it")
    >>> normalised(a) == normalised(Solution(problem="port in use", approach="kill it "))
    True
    """
    texts = (solution.problem, solution.approach)
    folded = (unicodedata.normalize("NFKC", text).casefold() for text in texts)
    return "\n".join(" ".join(text.split()) for text in folded)


def value(solution: Solution) -> Decision:
    """Whether it says something: a problem and an approach, each of two words at least."""
    if len(words(solution.problem)) < LEAST_WORDS:
        return Reject("value", "no-problem")
    if len(words(solution.approach)) < LEAST_WORDS:
        return Reject("value", "no-approach")
    if normalised(Solution(problem=solution.problem, approach="")) == normalised(
        Solution(problem=solution.approach, approach="")
    ):
        return Reject("value", "says-the-same")
    too_long = (
        len(solution.problem) > LONGEST_PROBLEM
        or len(solution.approach) > LONGEST_APPROACH
        or _too_many(solution.cautions, MOST_CAUTIONS, LONGEST_CAUTION)
        or _too_many(solution.tags, MOST_TAGS, LONGEST_TAG)
        or _too_many(solution.files, MOST_FILES, LONGEST_FILE)
        or len(solution.language or "") > LONGEST_TAG
    )
    return Reject("value", "too-long") if too_long else Admit()


def _too_many(texts: Sequence[str], most: int, longest: int) -> bool:
    return len(texts) > most or any(len(text) > longest for text in texts)


def safe(solution: Solution) -> Decision:
    """Whether an agent may see it: nothing hidden, no commands to it, no unread download."""
    for text in solution.texts:
        if safety.visible(text) != text:
            return Reject("safety", "hidden-text")
        if safety.hidden_instructions(text):
            return Reject("safety", "hidden-instruction")
        if safety.pipes_to_shell(text):
            return Reject("safety", "pipe-to-shell")
    return Admit()


def new(solution: Solution, same: Callable[[str], EntryId | None]) -> Decision:
    """Whether it is there already; `same` finds the entry with a given normalised text."""
    known = same(normalised(solution))
    return Admit() if known is None else Merge(known)


def decide(solution: Solution, same: Callable[[str], EntryId | None]) -> Decision:
    """The first gate's word that is not Admit, in the order value, safety, redundancy."""
    for decision in (value(solution), safe(solution)):
        if not isinstance(decision, Admit):
            return decision
    return new(solution, same)
