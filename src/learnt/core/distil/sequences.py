"""Sequences of commands that were repeated, and those by which failures were overcome."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from learnt.core.digest import commands
from learnt.core.records import Record

LONGEST: Final = 12  # commands of a sequence
LOOKED_AT: Final = 400  # runs of a session: the last ones
LOOKED_INTO: Final = 1_000  # characters of a command
OPEN: Final = "<\u2026>"
LEAST: Final = 6  # runs in all: three commands twice, or two of them three times
_ALIKE: Final = 0.5  # words that two runs of one command have in common


class Run(Record):
    """A call of a turn that did something: a command, or changes of files, as path and new text.

    `good`: it worked; `trouble` names what it failed with. `page`: it read what anybody may have
    written. `blamed`: the next prompt finds fault with what was done in its turn.
    """

    id: str
    turn: int
    command: str
    good: bool
    trouble: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    page: bool = False
    blamed: bool = False


class Repeated(Record):
    """A sequence of commands as patterns, how often it was run, and the turns of its runs.

    `page`: a page was read before the last of them.
    """

    steps: tuple[str, ...]
    times: int
    turns: tuple[int, ...]
    page: bool = False


def repeated(runs: Sequence[Run], least: int = 2) -> list[Repeated]:
    """The sequences of at least two commands that worked `least` times, the most telling first."""
    good = [run for run in runs if run.good and commands.programs(run.command)][-LOOKED_AT:]
    words = [run.command[:LOOKED_INTO].split() for run in good]
    # A command's programs, with the word behind each only where that stands next to it.
    named = [(run.command, commands.programs(run.command)) for run in good]
    kinds = [tuple(n if n in run else n.split()[0] for n in programs) for run, programs in named]
    like = _likeness(words, kinds)
    ways: list[tuple[list[int], int]] = []
    for length in range(2, min(LONGEST, len(good) // 2) + 1):
        for start in range(len(good) - 2 * length + 1):
            places = _places(like, start, length)
            # One command that is run again and again is no sequence.
            varied = any(at not in like[start] for at in range(start + 1, start + length))
            if len(places) >= least and len(places) * length >= LEAST and varied:
                ways.append((places, length))
    found: list[Repeated] = []
    taken: set[int] = set()
    # What tells of most runs first.
    for places, length in sorted(ways, key=lambda way: (-len(way[0]) * way[1], way[0])):
        used = {at + step for at in places for step in range(length)}
        if not used & taken:
            taken |= used
            steps = tuple(_open([words[at + step] for at in places]) for step in range(length))
            turns = tuple(good[at].turn for at in places)
            page = any(run.page for run in runs if run.turn <= turns[-1])
            found.append(Repeated(steps, len(places), turns, page))
    return found


def _likeness(
    words: Sequence[Sequence[str]], kinds: Sequence[tuple[str, ...]]
) -> list[frozenset[int]]:
    """For each command those that it is like: of the same kind, half of all words shared."""
    counts = [Counter(each) for each in words]
    return [
        frozenset(
            at
            for at, other in enumerate(words)
            if kinds[at] == kinds[here]
            and (counts[here] & counts[at]).total() >= _ALIKE * max(len(one), len(other))
        )
        for here, one in enumerate(words)
    ]


def _places(like: Sequence[frozenset[int]], start: int, length: int) -> list[int]:
    """Where a sequence begins, its own first place included, none within another."""
    places = [start]
    at = start + length
    while at + length <= len(like):
        if all(at + step in like[start + step] for step in range(length)):
            places.append(at)
            at += length
        else:
            at += 1
    return places


def _open(runs: Sequence[Sequence[str]]) -> str:
    """One command for several runs of it: what differs stays open, in words of equal number."""
    last = runs[-1]
    if any(len(run) != len(last) for run in runs):
        return commands.pattern(" ".join(last))
    return commands.pattern(" ".join(_word(column) for column in zip(*runs, strict=True)))


def _word(spelt: Sequence[str]) -> str:
    if len(set(spelt)) == 1:
        return spelt[0]
    # A letter or two that names have in common say nothing: they stay open as a whole.
    before = _edge(_common(spelt))
    after = _edge(_common([word[len(before) :][::-1] for word in spelt]))[::-1]
    return f"{before}{OPEN}{after}"


def _common(words: Sequence[str]) -> str:
    """What they all begin with."""
    columns = takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))
    return "".join(column[0] for column in columns)


def _edge(text: str) -> str:
    """A text up to its last mark that is no letter or digit."""
    end = next((at for at in range(len(text), 0, -1) if not text[at - 1].isalnum()), 0)
    return text[:end]


REACH: Final = 3  # turns between a failure and what overcomes it
MOST_TRIES: Final = 8
MOST_WAITING: Final = 100  # failures that may still be overcome
NONE: Final[frozenset[str]] = frozenset()
_SAME: Final = 0.7  # of the words of a trouble


class Fix(Record):
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
