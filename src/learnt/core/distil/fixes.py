"""Failures that were overcome: what was done from the first failing try to the one that worked."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from learnt.core.digest import commands
from learnt.core.distil.sequences import Run

REACH: Final = 3  # turns between a failure and what overcomes it
MOST_TRIES: Final = 8
MOST_WAITING: Final = 100  # failures that may still be overcome
NONE: Final[frozenset[str]] = frozenset()
_SAME: Final = 0.7  # of the words of a trouble


class Fix(NamedTuple):
    """Tries that failed, and what was `done` between that helped, the try that worked its last.

    `page`: a page was read before it worked.
    """

    failures: tuple[Run, ...]
    done: tuple[Run, ...]
    page: bool

    @property
    def troubles(self) -> tuple[str, ...]:
        """What the tries failed with, in order, each once."""
        told: list[str] = []
        for each in self.failures:
            if each.trouble and not any(_alike(each.trouble, other) for other in told):
                told.append(each.trouble)
        return tuple(told)


def fixes(runs: Sequence[Run]) -> Iterator[Fix]:
    """The fixes in a session, in order.

    What an agent broke by its own edit and mended by another is none; nor is a try that worked when
    it was simply made again, nor one that a person found fault with. What was done in vain, so that
    the next try failed alike, is left out.
    """
    about = [frozenset(commands.programs(run.command)) if run.command else NONE for run in runs]
    waiting: list[int] = []  # places of failures that nothing has overcome yet, the newest
    page = False
    for place, run in enumerate(runs):
        page = page or run.page
        waiting = [at for at in waiting if run.turn - runs[at].turn <= REACH][-MOST_WAITING:]
        if not run.good:
            waiting += [place] if about[place] else []
            continue
        if run.blamed:
            continue
        of_it = [at for at in waiting if about[place] & about[at] and _same_things(run, runs[at])]
        if not of_it:
            continue
        waiting = [at for at in waiting if at not in of_it]
        of_it = of_it[-MOST_TRIES:]
        done = [
            each
            for before, after in pairwise([*of_it, place])
            if after == place or not _alike(runs[before].trouble, runs[after].trouble)
            for each in runs[before + 1 : after + 1]
            if each.good and not each.blamed and (each.changes or commands.programs(each.command))
        ]
        failures = tuple(runs[at] for at in of_it)
        if _overcomes(runs[: of_it[0]], failures, done):
            yield Fix(failures, tuple(done), page)


def _alike(trouble: str, other: str) -> bool:
    """Whether two tries failed with the same trouble, but for a name or a number."""
    one, two = set(trouble.split()), set(other.split())
    return len(one & two) >= _SAME * max(len(one), len(two))


def _same_things(run: Run, other: Run) -> bool:
    """Whether the files that two commands name are not all others."""
    one, two = commands.things(run.command), commands.things(other.command)
    return not (one and two) or bool(one & two)


def _overcomes(before: Sequence[Run], failures: Sequence[Run], done: Sequence[Run]) -> bool:
    tried = {part for failure in failures for part in parts(failure.command)}
    written = {path for each in before for path, _ in each.changes}
    new_command = any(not parts(each.command) <= tried for each in done if each.command)
    new_file = any(path not in written for each in done for path, _ in each.changes)
    return new_command or new_file


def parts(command: str) -> set[str]:
    """The commands of a line that do something."""
    lines = (" ".join(words) for words in commands.parts(command))
    return {line for line in lines if commands.programs(line)}
