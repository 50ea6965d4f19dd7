"""Sequences of commands that a session ran more than once, as one, what varied left open."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from learnt.core.digest import commands

LONGEST: Final = 12  # commands of a sequence
LOOKED_AT: Final = 400  # runs of a session: the last ones
LOOKED_INTO: Final = 1_000  # characters of a command
OPEN: Final = "<\u2026>"
LEAST: Final = 6  # runs in all: three commands twice, or two of them three times
_ALIKE: Final = 0.5  # words that two runs of one command have in common


class Run(NamedTuple):
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


class Repeated(NamedTuple):
    """A sequence of commands as patterns, how often it was run, and the turns of its runs.

    `page`: a page was read before the last of them.
    """

    steps: tuple[str, ...]
    times: int
    turns: tuple[int, ...]
    page: bool = False


def repeated(runs: Sequence[Run]) -> list[Repeated]:
    """The sequences of at least two commands that worked at least twice, the most telling first.

    >>> ran = [Run("", 0, f"helm {word} shop -f env/{env}.yaml", True)
    ...        for env in ("eu", "us", "test") for word in ("diff", "upgrade")]
    >>> repeated(ran)[0].steps
    ('helm diff shop -f env/<…>.yaml', 'helm upgrade shop -f env/<…>.yaml')
    """
    good = [run for run in runs if run.good and commands.programs(run.command)][-LOOKED_AT:]
    words = [run.command[:LOOKED_INTO].split() for run in good]
    like = _likeness(words, [_kind(run.command) for run in good])
    ways: list[tuple[list[int], int]] = []
    for length in range(2, min(LONGEST, len(good) // 2) + 1):
        for start in range(len(good) - 2 * length + 1):
            places = _places(like, start, length)
            # One command that is run again and again is no sequence.
            varied = any(at not in like[start] for at in range(start + 1, start + length))
            if len(places) > 1 and len(places) * length >= LEAST and varied:
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


def _kind(command: str) -> tuple[str, ...]:
    """Its programs, with the word behind each only where that stands next to it."""
    named = commands.programs(command)
    return tuple(name if name in command else name.split()[0] for name in named)


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
