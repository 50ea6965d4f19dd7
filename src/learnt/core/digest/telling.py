"""How a cure is told: its problem, what was said of it, what was changed, what did not work."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from learnt.core import safety
from learnt.core.digest import commands
from learnt.core.digest.bare import command, message, path
from learnt.core.digest.remarks import Basis
from learnt.core.digest.signatures import naming, signature, without_echoes
from learnt.core.digest.steps import Change, ToolStep
from learnt.core.recall.marks import lines_kept
from learnt.core.records import shared
from learnt.core.words import SIGNS

LOOKED_AT: Final = 8_000
LONGEST_SAID: Final = 360
LONGEST_CHANGE: Final = 110
LONGEST_PROBLEM: Final = 400
LONGEST_TRIED: Final = 200
MOST_CHANGES: Final = 2
MOST_CAUTIONS: Final = 3
MOST_FILES: Final = 6

_GUESS: Final = re.compile(SIGNS["guess"], re.IGNORECASE)
_PRIVATE: Final = re.compile(r"</?private\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """A trouble and what cured it, in the turn of that number.

    `said`: it is told in the agent's words too, which may be anybody's: `foreign` if the agent had
    read what is not the user's own. Else it holds what the hooks saw and nothing more. `hard`: a
    call shows it, which `tool_use` names. `failed` are the calls that it cures, `signs` their
    lines that name the trouble, whoever wrote them: to be found by, never told. `asked`: its
    problem is told in the prompt's own words.
    """

    source: Basis
    problem: str
    approach: str
    cautions: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    tool_use: str = ""
    turn: int = 0
    said: bool = False
    foreign: bool = False
    hard: bool = False
    failed: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A cure before it is told: what `failed`, what was `said` and `ran` then, what `worked`.

    `problem`: the sentence of the prompt that tells it, where a prompt does.
    """

    source: Basis
    failures: tuple[ToolStep, ...] = ()
    said: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    ran: tuple[ToolStep, ...] = ()
    worked: ToolStep | None = None
    problem: str = ""
    turn: int = 0
    foreign: bool = False
    hard: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """How the language room reads what cures are told by.

    The sentences of what the agent `said`, the texts that are `speaking` to their reader, and
    pieces of what pages said, and of what any result says to its reader.
    """

    said: Mapping[str, Sequence[str]]
    speaking: Container[str]
    untrusted: frozenset[str] = frozenset()


def asked_of(found: Found) -> Iterator[str]:
    """The texts of which it matters whether they speak to their reader, but for what was said."""
    for failure in found.failures:
        yield from naming(failure.result)
    for change in found.changes[-MOST_CHANGES:]:
        yield from _told(change)
    yield from (change.path for change in found.changes)
    yield from map(pattern_of, found.ran)
    if found.worked:
        yield _worked(found)


def told(found: Found, heard: Heard) -> Iterator[Cure]:
    """A cure in structure and, where there are words for it, as the agent told it as well."""
    explanation = explained(found.said, heard)
    if found.problem and not explanation:
        return
    lines = [*explanation, *described(found.changes, heard)]
    if (found.worked or found.changes) and (bare := _bare(found, heard)):
        yield bare
    if lines:
        yield _in_words(found, lines, heard)


def _bare(found: Found, heard: Heard) -> Cure | None:
    """What the hooks saw of it: what failed and how, what was changed or run, what passed."""
    fit = (path(each.path) for each in found.changes if each.path not in heard.speaking)
    changed = list(dict.fromkeys(filter(None, fit)))[-MOST_FILES:]
    lines = [f"Changed: {', '.join(changed)}"] if changed else []
    ran = (pattern_of(step) for step in found.ran)
    lines += [f"Ran: `{text}`" for text in dict.fromkeys(ran) if text not in heard.speaking]
    sign = partial(_sign, speaking=heard.speaking)
    worked = _worked(found)
    if worked and worked not in heard.speaking:
        lines.append(f"What worked: `{worked}`")
    return _cure(found, lines, worked, sign) if lines else None


def _in_words(found: Found, lines: Sequence[str], heard: Heard) -> Cure:
    sign = partial(signature, speaking=heard.speaking)
    worked = _worked(found)
    cure = _cure(found, [*lines, *([f"What worked: `{worked}`"] if worked else [])], worked, sign)
    return replace(cure, said=True, tool_use="", hard=False, foreign=found.foreign)


def _worked(found: Found) -> str:
    if found.worked is None:
        return ""
    return pattern_of(found.worked, [failure.command for failure in found.failures])


def pattern_of(step: ToolStep, unlike: Sequence[str] = ()) -> str:
    """A command as it is told: in general, and without sentences in its quotes."""
    return command(commands.pattern(step.command, unlike))


def _sign(result: str, speaking: Container[str]) -> str:
    lines = (line for line in naming(result) if line not in speaking)
    return next(filter(None, (message(signature(line, speaking)) for line in lines)), "")


def _cure(found: Found, lines: Sequence[str], worked: str, sign: Callable[[str], str]) -> Cure:
    problem = trimmed(found.problem, LONGEST_PROBLEM)
    step = found.worked
    return Cure(
        problem=problem or (problem_of(step, found.failures, sign) if step else ""),
        approach="\n".join(lines),
        cautions=cautions_of(worked, found.failures, sign),
        tool_use=step.made.id if step and found.hard else "",
        failed=tuple(failure.made.id for failure in found.failures),
        signs=lines_kept((f.result for f in found.failures), step.result if step else ""),
        asked=bool(problem),
        **shared(found, "source changes turn hard"),
    )


def problem_of(worked: ToolStep, failures: Sequence[ToolStep], sign: Callable[[str], str]) -> str:
    """What failed, by its program and the line that names the trouble."""
    names = (sign(failure.result) for failure in reversed(failures))
    name = next(filter(None, names), "")
    what = _what(worked, failures)
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


def _what(worked: ToolStep, failures: Sequence[ToolStep]) -> str:
    if worked.served:
        return worked.served
    names = commands.programs(worked.command)
    tried = {name for f in failures for name in commands.programs(f.command)}
    both = [name for name in names if name in tried] or names or tuple(sorted(tried))
    return both[-1] if both else worked.made.tool


def explained(texts: Sequence[str], heard: Heard) -> list[str]:
    """What the agent said between the last failure and the cure, that is no guess."""
    sentences = [sentence for text in texts for sentence in heard.said[text]]
    fit = without_echoes(sentences, heard.untrusted, heard.speaking)
    firm = [s for s in fit if not _GUESS.search(s)] or fit
    text = ""
    for sentence in firm:
        if len(text) + len(sentence) < LONGEST_SAID:
            text = f"{text} {sentence}".strip()
    return [text] if text else []


def described(changes: Sequence[Change], heard: Heard) -> list[str]:
    """The last changes, each in a line."""
    lines = []
    for change in changes[-MOST_CHANGES:]:
        if _PRIVATE.search(f"{change.old}{change.new}"):
            continue  # where the private part begins or ends, the file tells, and not the change
        old, new, path = _told(change)
        # What stood in a file, and what a file is called, may be there to teach the agent.
        if len(without_echoes([old, new, path], heard.untrusted, heard.speaking)) < 3:
            continue
        how = f"`{new}`" if new else f"without `{old}`"
        how = f"`{old}` became `{new}`" if old and new else how
        lines.append(f"In {change.path}: {how}")
    return lines


def _told(change: Change) -> tuple[str, str, str]:
    return trimmed(change.old, LONGEST_CHANGE), trimmed(change.new, LONGEST_CHANGE), change.path


def trimmed(text: str, most: int) -> str:
    """On one line, and no longer than that; redacted first, since half a secret has no shape."""
    text = " ".join(safety.redact(safety.strip_private(text[:LOOKED_AT])).split())
    return text if len(text) <= most else text[: most - 1] + "\u2026"
