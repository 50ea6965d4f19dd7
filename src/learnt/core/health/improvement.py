"""What rules add to a skill that fails: a caution from its commonest failure, told in structure.

No word of a result, of a person or of an agent goes into it: only how an execution ended, and the
program of the command that failed.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from learnt.core.health.outcomes import Trouble

HEADING: Final = "Cautions from use"
LEAST: Final = 2  # failures of one kind that call for a caution
_CAUTIONS: Final = {
    Trouble.TEST: "Tests failed at the end: run them after the last change, and mend what fails.",
    Trouble.COMMAND: "The last command failed{by}: look at its result, and mend what it names.",
    Trouble.CORRECTION: "The result was corrected: check it against each thing that was asked.",
    Trouble.NEGATIVE: "The result did not work: try it out as its user would before the end.",
    Trouble.REVERT: "The work was undone: change what was asked for, and no more.",
    Trouble.INTERRUPT: "The work was interrupted: say what comes first, and take small steps.",
}


class Failure(NamedTuple):
    """How an execution failed; `command` is the program that did, where it is known."""

    trouble: Trouble
    command: str = ""


class Caution(NamedTuple):
    """A line for a skill's text, and how many executions failed in that way."""

    line: str
    failure: Failure
    seen: int


def caution(failures: Iterable[Failure], tried: Collection[str]) -> Caution | None:
    """The caution for the commonest failure that no text had yet; None where there is none.

    >>> caution([Failure(Trouble.TEST)] * 2, ()).line[:12], caution([Failure(Trouble.TEST)], ())
    ('Tests failed', None)
    """
    counts = Counter(failure for failure in failures if failure.trouble in _CAUTIONS)
    for failure, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        by = f" (`{failure.command}`)" if failure.command else ""
        line = _CAUTIONS[failure.trouble].format(by=by)
        if count >= LEAST and not any(line in text for text in tried):
            return Caution(line, failure, count)
    return None
