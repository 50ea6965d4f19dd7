"""What worked in one session after the other for one kind of task, by the same steps."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from learnt.core.distil.distilled import REPEATED, Teaching, sequence, shared
from learnt.core.distil.evidence import Success
from learnt.core.distil.sequences import Run, repeated
from learnt.core.events import Origin
from learnt.core.records import Record
from learnt.core.tokens import Stem

SESSIONS: Final = 3  # in which the same steps worked
MOST_TASKS: Final = 20  # of a session, the last
NOT_ENOUGH: Final = (
    "Not enough of the same kind: a draft of successes alone takes the same steps in "
    f"{SESSIONS} sessions, for one kind of task."
)


class TaskWorked(Record):
    """A task that went well: its kind, and the steps that were taken."""

    kind: str
    steps: tuple[str, ...]


def taught(
    own: Sequence[TaskWorked], earlier: Sequence[Sequence[TaskWorked]], stem: Stem
) -> list[Teaching]:
    """What a session and earlier ones show together: sequences of commands, or the same words."""
    sessions = [*earlier, own]
    return [
        piece
        for kind in dict.fromkeys(each.kind for each in own)
        for piece in (*_commands(kind, sessions), *_words(kind, sessions, stem))
    ]


def _commands(kind: str, sessions: Sequence[Sequence[TaskWorked]]) -> Iterator[Teaching]:
    runs = []
    for number, session in enumerate(sessions):
        for task in (each for each in session if each.kind == kind):
            runs += [Run("", number, step, True) for step in task.steps]
            # No sequence goes from one task into the next.
            runs.append(Run("", number, f"end-{len(runs)} of-{len(runs)}", True))
    for found in repeated(runs, least=SESSIONS):
        count = len(set(found.turns))
        if count >= SESSIONS and found.turns[-1] == len(sessions) - 1:
            told = f"These {len(found.steps)} commands worked in {count} sessions ({kind})."
            yield replace(sequence(found), quote=told)


def _words(kind: str, sessions: Sequence[Sequence[TaskWorked]], stem: Stem) -> Iterator[Teaching]:
    """What a program's own successes are, each in a sentence or two."""
    for task in (each for each in sessions[-1] if each.kind == kind and len(each.steps) == 1):
        (said,) = task.steps
        alike = (
            any(t.kind == kind and shared(said, "\n".join(t.steps), stem) >= REPEATED for t in s)
            for s in sessions
        )
        count = sum(alike)
        if count >= SESSIONS:
            told = f"This worked in {count} sessions for {kind}."
            steps, about = tuple(filter(None, said.splitlines())), frozenset({kind})
            yield Teaching("sequence", kind, about, steps, quote=told, origin=Origin.ASSISTANT)


def as_text(task: TaskWorked) -> str:
    """A task as it is kept.

    >>> from_text(as_text(TaskWorked("docs", ("a b", "c"))))
    TaskWorked(kind='docs', steps=('a b', 'c'))
    """
    return "\x1e".join((task.kind, *task.steps))


def from_text(text: str) -> TaskWorked:
    """A task that was kept."""
    kind, *steps = text.split("\x1e")
    return TaskWorked(kind, tuple(steps))


def of_successes(told: Iterable[Success]) -> tuple[TaskWorked, ...]:
    """What a program hands over: what it wanted is the kind of its task."""
    return tuple(TaskWorked(what.strip(), (how.strip(),)) for what, how in told if how.strip())
