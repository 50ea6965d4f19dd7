"""What a session teaches: words of its person and cures of its failures, ready to be offered."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core import safety
from learnt.core.digest.remarks import Basis, Reading
from learnt.core.digest.steps import Change
from learnt.core.digest.telling import Cure
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.marked import sorted_out
from learnt.core.records import shared
from learnt.core.sessions.turns import Turn
from learnt.core.words import SIGNS

_STRUCTURE: Final = re.compile(SIGNS["structure"], re.IGNORECASE)
_RULE: Final = re.compile(SIGNS["rule"], re.IGNORECASE)
_QUERY: Final = re.compile(SIGNS["query"], re.IGNORECASE | re.DOTALL)
_STEPS: Final = re.compile(SIGNS["steps"], re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing that a session teaches, in the turn of that number.

    `typed`: a person's own words. `tool_use` is the call that shows it; `hard`: it passed where
    `failed` ones had not.
    """

    source: Basis
    what: Offered
    origin: Origin
    turn: int
    tool_use: str = ""
    typed: bool = False
    hard: bool = False
    changes: tuple[Change, ...] = ()
    failed: tuple[str, ...] = ()


def digest(
    turns: Sequence[Turn],
    readings: Sequence[Reading],
    cures: Iterable[Cure],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order, by the reading of each prompt and its cures."""
    lessons = [
        _stated(source, text, number, origin_of(turns[number]))
        for number, reading in enumerate(readings)
        for source, text in _words(turns[number].prompt, reading)
    ]
    for cure in cures:
        vouched = not cure.asked or origin_of(turns[cure.turn]) is Origin.USER
        lessons.append(_cured(cure, turns[cure.turn].folder, vouched=vouched))
    return sorted(lessons, key=lambda lesson: lesson.turn)


def _words(prompt: str, reading: Reading) -> Iterator[tuple[Basis, str]]:
    """What a prompt marks to be remembered, and its other sentences that are meant to last."""
    marked = [each.text for each in sorted_out(prompt)[0]]
    yield from ((Basis.REMEMBER, text) for text in marked)
    taken = [(prompt.find(text), prompt.find(text) + len(text)) for text in marked]
    for text in reading.remarks:
        at = prompt.find(text)
        if not any(begins < at + len(text) and at < ends for begins, ends in taken):
            yield Basis.FACT, text


def kind_of(text: str) -> str:
    """The kind of a statement that nobody named the kind of.

    >>> kind_of("invoices must never be deleted"), kind_of("the column `amount` is in cents")
    ('business_rule', 'schema')
    >>> kind_of("the debug port is 9229")
    'tool_experience'
    """
    if _QUERY.search(text):
        return "query_pattern"
    if _STRUCTURE.search(text):
        return "schema"
    if _RULE.search(text):
        return "business_rule"
    return "procedure" if _STEPS.search(text) else "tool_experience"


def _stated(source: Basis, text: str, turn: int, origin: Origin) -> Lesson:
    what = Fact(text=text, kind=kind_of(text))
    return Lesson(source=source, what=what, origin=origin, turn=turn, typed=origin is Origin.USER)


def _cured(cure: Cure, folder: str, *, vouched: bool) -> Lesson:
    """A cure as a lesson; `vouched`: what of a prompt is in it, a person said."""

    def fit(text: str) -> str:
        # Where the project lies on this machine is nobody's lesson.
        return safety.redact(text.replace(f"{folder}/", "") if folder else text)

    origin = Origin.TOOL if cure.hard else Origin.ASSISTANT
    return Lesson(
        what=Solution(
            problem=fit(cure.problem),
            approach=fit(cure.approach),
            cautions=tuple(map(fit, cure.cautions)),
            files=tuple(dict.fromkeys(fit(change.path) for change in cure.changes if change.path)),
            signs=cure.signs,
        ),
        origin=origin if vouched else Origin.MIXED,
        **shared(cure, "source turn tool_use hard changes failed"),
    )
