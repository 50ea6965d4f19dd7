"""The text of a cure, and what a session teaches: words of its person and cures of failures."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from learnt.core import safety
from learnt.core.digest import commands, edits
from learnt.core.digest.bare import DIAGNOSIS, command, message, shown
from learnt.core.digest.remarks import Basis, Reading
from learnt.core.digest.steps import Change, ToolStep
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.knowledge.spans.keywords import KEYWORDS
from learnt.core.marked import sorted_out
from learnt.core.recall.marks import SHARED, lines_kept, most_telling, parts, runs_of, saying
from learnt.core.records import Record, shared
from learnt.core.sessions.turns import Turn
from learnt.core.words import SIGNS, STOP_WORDS

LOOKED_AT: Final = 8_000
LONGEST_PROBLEM: Final = 400
LONGEST_TRIED: Final = 200
MOST_CAUTIONS: Final = 3
_COMMON: Final = STOP_WORDS | DIAGNOSIS | KEYWORDS | commands.SUBCOMMANDS | {"changed", "worked"}


class Cure(Record):
    """A trouble and what cured it, in the turn of that number, in what the hooks saw of it.

    `hard`: a call shows it, which `tool_use` names. `failed` are the calls that it cures, `signs`
    their lines that name the trouble, whoever wrote them, and the words that they share with the
    cure: to be found by, never shown. `asked`: its problem is stated in the prompt's own words.
    """

    source: Basis
    problem: str
    approach: str
    cautions: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    tool_use: str = ""
    turn: int = 0
    hard: bool = False
    failed: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    asked: bool = False


class Found(Record):
    """A cure before it is told: what `failed`, what was changed and `ran` then, what `worked`.

    `problem`: the sentence of the prompt that tells it, where a prompt does.
    """

    source: Basis
    failures: tuple[ToolStep, ...] = ()
    changes: tuple[Change, ...] = ()
    ran: tuple[ToolStep, ...] = ()
    worked: ToolStep | None = None
    problem: str = ""
    turn: int = 0
    hard: bool = True


def asked_of(found: Found) -> Iterator[str]:
    """The texts that must not speak to their reader."""
    for failure in found.failures:
        yield from most_telling(failure.result)
    yield from edits.asked_of(found.changes)
    yield from map(pattern_of, found.ran)
    if found.worked:
        yield _worked(found)


def told(found: Found, speaking: Container[str]) -> Cure | None:
    """A cure in structure: what failed and how, what was changed and run, what passed.

    None where there is nothing that may be told; `speaking` are the texts that may not.
    """
    lines = edits.told(found.changes, speaking)
    ran = (pattern_of(step) for step in found.ran)
    lines += [f"Ran: `{text}`" for text in dict.fromkeys(ran) if text not in speaking]
    worked = _worked(found)
    if worked and worked not in speaking:
        lines.append(f"What worked: `{worked}`")
    if not lines:
        return None
    sign = partial(named_trouble, speaking=speaking)
    problem = trimmed(found.problem, LONGEST_PROBLEM)
    step = found.worked
    return Cure(
        problem=problem or (problem_of(step, found.failures, sign) if step else ""),
        approach="\n".join(lines),
        cautions=cautions_of(worked, found.failures, sign),
        tool_use=step.made.id if step and found.hard else "",
        failed=tuple(failure.made.id for failure in found.failures),
        signs=_signs(found, "\n".join(lines)),
        asked=bool(problem),
        **shared(found, "source changes turn hard"),
    )


def _signs(found: Found, approach: str) -> tuple[str, ...]:
    """What a cure is found by: lines of its failures, and the words that all share with it.

    Such a word is what the cure acts on; what was there before or passed as well is none.
    """
    passed = found.worked.result if found.worked else ""
    results = [failure.result for failure in found.failures]
    usual = [passed, *(failure.command for failure in found.failures)]
    usual += [text for change in found.changes for text in (change.path, change.old)]
    words = runs_of(approach).difference(_COMMON, *map(runs_of, usual))
    words = words.intersection(*(runs_of(saying(result)) for result in results))
    lines = lines_kept(results, passed)
    return (*lines, SHARED + " ".join(sorted(words))) if lines and words else lines


def _worked(found: Found) -> str:
    if found.worked is None:
        return ""
    return pattern_of(found.worked, [failure.command for failure in found.failures])


def pattern_of(step: ToolStep, unlike: Sequence[str] = ()) -> str:
    """A command as it is told: in general, and without sentences in its quotes."""
    return command(commands.pattern(step.repeatable, unlike))


def named_troubles(result: str, speaking: Container[str]) -> list[str]:
    """The lines of a failed call's result that name its trouble, as far as they may be shown."""
    told = []
    for line in most_telling(result):
        names = {name for part in parts(line) for name in part.names}
        if line not in speaking and (text := message(shown(line), names)):
            told.append(text)
    return sorted(told, key=lambda text: " " not in text)


def named_trouble(result: str, speaking: Container[str]) -> str:
    """The line that names it best; empty where none may be shown."""
    return next(iter(named_troubles(result, speaking)), "")


def problem_of(worked: ToolStep, failures: Sequence[ToolStep], sign: Callable[[str], str]) -> str:
    """What failed, by its program and the line that names the trouble."""
    signs = (sign(failure.result) for failure in reversed(failures))
    name = next(filter(None, signs), "")
    names = commands.programs(worked.command)
    tried = {name for f in failures for name in commands.programs(f.command)}
    both = [name for name in names if name in tried] or names or tuple(sorted(tried))
    what = worked.served or (both[-1] if both else worked.made.tool)
    return trimmed(f"{what}: {name}" if name else f"{what} fails", LONGEST_PROBLEM)


def cautions_of(
    worked: str, failures: Sequence[ToolStep], sign: Callable[[str], str]
) -> tuple[str, ...]:
    """What was tried in vain, the last first."""
    tried: dict[str, str] = {}
    for failure in reversed(failures):
        text = pattern_of(failure)
        if text and text != worked and text not in tried:
            name = sign(failure.result)
            in_vain = f"`{trimmed(text, LONGEST_TRIED)}` fails"
            tried[text] = f"{in_vain}: {name}" if name else in_vain
    return tuple(tried.values())[:MOST_CAUTIONS]


def trimmed(text: str, most: int) -> str:
    """On one line, and no longer than that; redacted first, since half a secret has no shape."""
    text = " ".join(safety.redact(safety.strip_private(text[:LOOKED_AT])).split())
    return text if len(text) <= most else text[: most - 1] + "\u2026"


_STRUCTURE: Final = re.compile(SIGNS["structure"], re.IGNORECASE)
_RULE: Final = re.compile(SIGNS["rule"], re.IGNORECASE)
_QUERY: Final = re.compile(SIGNS["query"], re.IGNORECASE | re.DOTALL)
_STEPS: Final = re.compile(SIGNS["steps"], re.IGNORECASE)
_COMMANDS: Final = re.compile(r"(?:`[\w./-]+ [\w./-][^`]*`.*){2}", re.DOTALL)


class Lesson(Record):
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
    lessons = []
    for number, reading in enumerate(readings):
        origin = origin_of(turns[number])
        for source, text in _words(turns[number].prompt, reading):
            what, typed = Fact(text=text, kind=kind_of(text)), origin is Origin.USER
            lesson = Lesson(source=source, what=what, origin=origin, turn=number, typed=typed)
            lessons.append(lesson)
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
    >>> kind_of("first `make tables`, then `make all`"), kind_of("table `a` first, then `b`")
    ('procedure', 'schema')
    """
    if _QUERY.search(text):
        return "query_pattern"
    if _STEPS.search(text) and _COMMANDS.search(text):
        return "procedure"
    if _STRUCTURE.search(text):
        return "schema"
    if _RULE.search(text):
        return "business_rule"
    return "procedure" if _STEPS.search(text) else "tool_experience"


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
