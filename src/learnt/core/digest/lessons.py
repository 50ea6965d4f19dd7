"""What a session teaches: cures of its failures, from calls that failed to the one that worked.

A cure is worth keeping where something was different in the end: another command, a file changed,
and not only another try. What an agent broke itself a moment before is nobody's lesson. Edits are
shown as code that can teach nobody: comments and strings that say something are left out, and so is
prose that stands between them.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from textwrap import dedent
from typing import Final

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.digest import commands
from learnt.core.digest.bare import DIAGNOSIS, LEFT_OUT, command, message, path, says, shown
from learnt.core.digest.remarks import NOTHING_READ, Basis, Reading
from learnt.core.digest.steps import LOOKS, Change, Talk, ToolStep
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.spans.keywords import KEYWORDS
from learnt.core.marked import sorted_out
from learnt.core.recall.marks import SHARED, lines_kept, most_telling, parts, runs_of, saying
from learnt.core.records import Record, shared
from learnt.core.sessions.turns import Turn
from learnt.core.tokens import UNSPACED, words
from learnt.core.words import SIGNS, STOP_WORDS

LOOKED_AT: Final = 8_000
LONGEST_PROBLEM: Final = 400
LONGEST_TRIED: Final = 200
MOST_CAUTIONS: Final = 3
LONGEST_EDITS: Final = 400  # characters of the edits of a cure, with the names of the files
LONGEST_LINE: Final = 160
AROUND: Final = 40  # characters before what differs in a longer line
MOST_LINES: Final = 200  # of either side of an edit
MOST_SHOWN: Final = 16  # of one edit
MOST_FILES: Final = 6
REST: Final = 12  # characters for which no further line is begun

_PRIVATE: Final = re.compile(r"</?private\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))(?:#+|//+!?|/\*+|\*+/?|<!--|--+|;+)\s+")
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_WORD: Final = r"(?<![\w$@./-])[^\W\d_]{2,40}(?![\w$(=@/-]|\.\w)"
_RUN: Final = re.compile(rf"{_WORD}(?:[^\S\n]+{_WORD}){{2,}}|[{UNSPACED}]{{6,}}")
_SENTENCE: Final = re.compile(rf"{_WORD}(?:[,.;:!?]?\s+{_WORD}){{2,}}|[{UNSPACED}]{{6,}}")
_NOTE: Final = re.compile(rf"{_WORD}[,.;!?]?\s+{_WORD}|{_SENTENCE.pattern}|[{UNSPACED}]{{2,}}")
_HUMPS: Final = re.compile(r"[a-z][A-Z]")
_LETTERS: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_COMMON: Final = STOP_WORDS | DIAGNOSIS | KEYWORDS | commands.SUBCOMMANDS | {"changed", "worked"}


class Lesson(Record):
    """One thing that a session teaches, in the turn of that number.

    `typed`: a person's own words, in a cure the prompt's until it is known whose. `tool_use` is the
    call that shows it; `hard`: it passed where `failed` ones had not.
    """

    source: Basis
    what: Draft
    origin: Origin
    turn: int
    tool_use: str = ""
    typed: bool = False
    hard: bool = False
    changes: tuple[Change, ...] = ()
    failed: tuple[str, ...] = ()


class Cure(Record):
    """A cure before it is text: what `failed`, what was changed and `ran` then, what `worked`.

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


def texts_of(cure: Cure) -> Iterator[str]:
    """The texts that must not speak to their reader."""
    for failure in cure.failures:
        yield from most_telling(failure.result)
    yield from (change.path for change in cure.changes)
    yield from chain.from_iterable(map(lines_of, cure.changes))
    yield from map(pattern_of, cure.ran)
    if cure.worked:
        yield _worked(cure)


def lesson_of(cure: Cure, speaking: Container[str], folder: str) -> Lesson | None:
    """A cure in structure: what failed and how, what was changed and run, what passed.

    None where there is nothing that may be told; `speaking` are the texts that may not.
    """
    lines = edits_shown(cure.changes, speaking)
    ran = (pattern_of(step) for step in cure.ran)
    lines += [f"Ran: `{text}`" for text in dict.fromkeys(ran) if text not in speaking]
    worked, step = _worked(cure), cure.worked
    if worked and worked not in speaking:
        lines.append(f"What worked: `{worked}`")
    if not lines:
        return None
    sign = partial(named_trouble, speaking=speaking)
    asked, approach = trimmed(cure.problem, LONGEST_PROBLEM), "\n".join(lines)

    def fit(text: str) -> str:
        # Where the project lies on this machine is nobody's lesson.
        return safety.redact(text.replace(f"{folder}/", "") if folder else text)

    return Lesson(
        what=Draft(
            problem=fit(asked or (problem_of(step, cure.failures, sign) if step else "")),
            approach=fit(approach),
            cautions=tuple(map(fit, cautions_of(worked, cure.failures, sign))),
            files=tuple(dict.fromkeys(fit(edit.path) for edit in cure.changes if edit.path)),
            signs=_signs(cure, approach),
        ),
        origin=Origin.TOOL if cure.hard else Origin.ASSISTANT,
        tool_use=step.made.id if step and cure.hard else "",
        failed=tuple(failure.made.id for failure in cure.failures),
        typed=bool(asked),
        **shared(cure, "source changes turn hard"),
    )


def _signs(cure: Cure, approach: str) -> tuple[str, ...]:
    """What a cure is found by: lines of its failures, and the words that all share with it.

    Such a word is what the cure acts on; what was there before or passed as well is none.
    """
    passed = cure.worked.result if cure.worked else ""
    results = [failure.result for failure in cure.failures]
    usual = [passed, *(failure.command for failure in cure.failures)]
    usual += [text for change in cure.changes for text in (change.path, change.old)]
    words = runs_of(approach).difference(_COMMON, *map(runs_of, usual))
    words = words.intersection(*(runs_of(saying(result)) for result in results))
    lines = lines_kept(results, passed)
    return (*lines, SHARED + " ".join(sorted(words))) if lines and words else lines


def _worked(cure: Cure) -> str:
    if cure.worked is None:
        return ""
    return pattern_of(cure.worked, [failure.command for failure in cure.failures])


def pattern_of(step: ToolStep, unlike: Sequence[str] = ()) -> str:
    """A command as it is shown: in general, and without sentences in its quotes."""
    return command(commands.pattern(step.repeatable, unlike))


def named_troubles(result: str, speaking: Container[str]) -> list[str]:
    """The lines of a failed call's result that name its trouble, as far as they may be shown."""
    texts = []
    for line in most_telling(result):
        names = {name for part in parts(line) for name in part.names}
        if line not in speaking and (text := message(shown(line), names)):
            texts.append(text)
    return sorted(texts, key=lambda text: " " not in text)


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


def edits_shown(changes: Sequence[Change], speaking: Container[str]) -> list[str]:
    """What was changed, the last edits first to be shown, in order: files, and behind each lines.

    Of an edit that no hook saw only its file is named. `speaking` are lines that may not be shown.
    What is shown is marked as the lines of a diff are, so that nothing in it reads as a line of
    Learnt's own.
    """
    fit = [change for change in changes if path(change.path) and change.path not in speaking]
    blocks: list[tuple[str, list[str]]] = []
    rest = LONGEST_EDITS
    for change in reversed(fit):
        head = f"Changed {change.path}:"
        lines = [line for line in lines_of(change) if line not in speaking]
        kept = _within(lines, rest - len(head))
        if kept:
            blocks.insert(0, (change.path, kept))
            rest -= len(head) + sum(map(len, kept)) + len(kept)
    names = {name for name, _ in blocks}
    others = [name for name in dict.fromkeys(change.path for change in fit) if name not in names]
    text = [f"Changed: {', '.join(others[-MOST_FILES:])}"] if others else []
    for name, block in groupby(blocks, itemgetter(0)):
        first, *more = chain.from_iterable(lines for _, lines in block)
        text += [f"Changed {name}: {first}", *more]
    return text


def lines_of(change: Change) -> list[str]:
    """The lines that an edit took away and put in, as they may be shown; none that no hook saw.

    >>> lines_of(Change(path="a.py", old="x = f(1)  # as the page said", new="x = f(2)", seen=True))
    ['- x = f(1)', '+ x = f(2)']
    """
    if not change.seen or _PRIVATE.search(f"{change.old}{change.new}"):
        return []  # where the private part begins or ends, the file tells, and not the edit
    old, new = _lines(change.old), _lines(change.new)
    marked_lines: list[tuple[str, str]] = []
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            gone, come = [*map(plain, old[a:b])], [*map(plain, new[c:d])]
            # What only moved to the right or left is shown where nothing else is.
            if {*map(str.strip, gone)} != {*map(str.strip, come)}:
                same = {*map(str.strip, gone)} & {*map(str.strip, come)}
                gone, come = ([x for x in xs if x.strip() not in same] for xs in (gone, come))
            marked_lines += _cut([*filter(None, gone)], [*filter(None, come)])
    texts = dedent("\n".join(text for _, text in marked_lines)).split("\n")
    marked = (f"{mark} {text}" for (mark, _), text in zip(marked_lines, texts, strict=False))
    return list(dict.fromkeys(marked))[:MOST_SHOWN]


def _lines(text: str) -> list[str]:
    whole = safety.redact(safety.strip_private(text[:LOOKED_AT]))
    return [line.expandtabs(4).rstrip() for line in whole.split("\n")[:MOST_LINES]]


def plain(line: str) -> str:
    """A line of a file without what it says to people; empty where nothing else is in it.

    >>> plain("  retries: 5  # never lower this"), plain('log("please ask the owner first")')
    ('  retries: 5', 'log("…")')
    """
    for comment in _COMMENT.finditer(line):
        if _NOTE.search(line, comment.end()):
            line = line[: comment.start()].rstrip()
            break
    runs = not commands.SUBCOMMANDS.isdisjoint(line.split())

    def left(run: re.Match[str]) -> str:
        return run[0] if _is_code(run[0].split(), runs=runs) else LEFT_OUT

    line = _RUN.sub(left, _QUOTED.sub(lambda text: _SENTENCE.sub(left, text[0]), line))
    line = " ".join(LEFT_OUT if says(word) and _speaks(word) else word for word in line.split(" "))
    return line.rstrip() if any(map(str.isalnum, line)) else ""


def _is_code(words: Sequence[str], *, runs: bool) -> bool:
    """Whether half of the words are keywords or names, or none is a sentence's in a command."""
    plain_words = [word.casefold().strip(",.;:!?") for word in words]
    names = sum(
        p in KEYWORDS or bool(_HUMPS.search(w)) for p, w in zip(plain_words, words, strict=True)
    )
    command = runs and STOP_WORDS.isdisjoint({*plain_words} - commands.SUBCOMMANDS)
    return command or (len(words) > 1 and 2 * names >= len(words))


def _speaks(word: str) -> bool:
    """Whether a name of many parts has those of a sentence."""
    parts = [part.casefold() for part in _LETTERS.findall(word)]
    return len([part for part in parts if part in STOP_WORDS and part not in KEYWORDS]) > 1


def _cut(gone: list[str], come: list[str]) -> list[tuple[str, str]]:
    """Lines with their marks, long ones from a little before what differs in them."""
    start = 0
    if len(gone) == len(come) == 1 and max(map(len, gone + come)) > LONGEST_LINE:
        pairs = enumerate(zip(gone[0], come[0], strict=False))
        start = max(0, next((at for at, (a, b) in pairs if a != b), 0) - AROUND)
    end, before = start + LONGEST_LINE, LEFT_OUT * bool(start)
    lines = [*(("-", text) for text in gone), *(("+", text) for text in come)]
    return [(m, before + text[start:end] + LEFT_OUT * (len(text) > end)) for m, text in lines]


def _within(lines: list[str], most: int) -> list[str]:
    """As many lines as fit: what was put in before what was taken away."""
    kept, rest = set[int](), most
    for at in sorted(range(len(lines)), key=lambda at: (lines[at][0] != "+", at)):
        if len(lines[at]) < rest:
            kept.add(at)
            rest -= len(lines[at]) + 1
        if rest < REST:
            break
    return [lines[at] for at in sorted(kept)]


_STRUCTURE: Final = re.compile(SIGNS["structure"], re.IGNORECASE)
_RULE: Final = re.compile(SIGNS["rule"], re.IGNORECASE)
_QUERY: Final = re.compile(SIGNS["query"], re.IGNORECASE | re.DOTALL)
_STEPS: Final = re.compile(SIGNS["steps"], re.IGNORECASE)
_COMMANDS: Final = re.compile(r"(?:`[\w./-]+ [\w./-][^`]*`.*){2}", re.DOTALL)


def digest(
    turns: Sequence[Turn],
    readings: Sequence[Reading],
    cures: Iterable[Lesson],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order, by the reading of each prompt and its cures."""
    lessons = []
    for number, reading in enumerate(readings):
        origin = origin_of(turns[number])
        for source, text in _words(turns[number].prompt, reading):
            what, typed = Draft(text=text, kind=kind_of(text)), origin is Origin.USER
            lesson = Lesson(source=source, what=what, origin=origin, turn=number, typed=typed)
            lessons.append(lesson)
    for cure in cures:
        # Nobody knows whose words are in it, unless a person typed the prompt.
        vouched = not cure.typed or origin_of(turns[cure.turn]) is Origin.USER
        lessons.append(replace(cure, typed=False, origin=cure.origin if vouched else Origin.MIXED))
    return sorted(lessons, key=lambda lesson: lesson.turn)


def _words(prompt: str, reading: Reading) -> Iterator[tuple[Basis, str]]:
    """What a prompt marks to be remembered, and its other sentences that are meant to last."""
    marked = [mark.text for mark in sorted_out(prompt)[0]]
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


MOST_ATTEMPTS: Final = 8
LOOKED_AHEAD: Final = 1_000  # calls in which a turn may come back to what it set out for
MOST_RUN: Final = 3
REACH: Final = 2  # turns between a failure and what cures it
LEAST_WORDS: Final = 2
_DOES: Final = frozenset({"test", "check", "change", "other"})


class _Trail:
    """What happened since the last success that counted."""

    def __init__(self) -> None:
        self.written: dict[str, int] = {}  # by file the failures before it was first written
        self.forget()

    def forget(self) -> None:
        self.failures: list[ToolStep] = []
        self.changes: list[Change] = []
        self.ran: list[ToolStep] = []  # what changed something, and no file


def cures_in(talk: Talk) -> list[Cure]:
    """The cures in a session's turns; one that only does what its person said is left out."""
    cured: list[Cure] = []
    trail = _Trail()
    for number, turn in enumerate(talk.turns):
        if trail.failures and number - trail.failures[0].turn > REACH:
            trail.forget()
        begun = len(cured)
        for made in turn.calls:
            if cure := _cure_by(talk, trail, talk.step(made, number)):
                cured.append(cure)
        if len(cured) == begun and (cure := reported(talk, number)):
            cured.append(cure)
            trail.forget()
    return cured


def _cure_by(talk: Talk, trail: _Trail, step: ToolStep) -> Cure | None:
    if step.failed:
        trail.failures = [*trail.failures, step][-MOST_ATTEMPTS:]
        trail.changes.clear()
        trail.ran.clear()
        return None
    if step.edits:
        for change in step.changes:
            trail.changes.append(change)
            trail.written.setdefault(change.path, len(trail.failures))
        return None
    attempts = [failure for failure in trail.failures if failure.is_of(step)]
    if not attempts or step.call.kind in LOOKS:
        if trail.failures and _sets_right(step):
            trail.ran.append(step)
        return None
    if attempts[0] is not trail.failures[0] and _goes_on(talk, step, trail.failures[0]):
        # What was tried on the way works; what it was tried for is still to come.
        trail.failures = [failure for failure in trail.failures if failure not in attempts]
        return None
    since = range(trail.failures[-1].turn + 1, step.turn + 1)
    as_told = any(talk.readings[turn].remarks for turn in since)
    # Whether all that was changed was written by the agent before it failed.
    own_doing = bool(trail.changes) and all(
        trail.written[change.path] == 0 and change.old for change in trail.changes
    )
    passed, did = step.repeatable.split(), bool(trail.changes or trail.ran)
    differs = did or all(passed != failure.repeatable.split() for failure in attempts)
    cure = Cure(
        source=Basis.FIX if did else Basis.WORKED,
        failures=tuple(trail.failures),
        changes=tuple(trail.changes),
        ran=tuple(trail.ran[-MOST_RUN:]),
        worked=step,
        turn=step.turn,
    )
    trail.forget()
    return cure if differs and not as_told and not own_doing else None


def _sets_right(step: ToolStep) -> bool:
    """Whether a command may have changed what made another fail: one that is no test and no look.

    And one that may help again: that a process was ended by its number helps nobody later.
    What `npm run generate` or `terraform init` alters is not seen; that all else passes now is.
    """
    again = step.repeatable
    named = bool(commands.programs(again))
    return bool(again) and (step.call.kind == "change" or (step.call.kind == "check" and named))


def _goes_on(talk: Talk, step: ToolStep, first: ToolStep) -> bool:
    """Whether the turn comes back to what failed first."""
    calls = talk.turns[step.turn].calls
    at = calls.index(step.made) + 1
    later = (talk.step(made, step.turn) for made in calls[at : at + LOOKED_AHEAD])
    return any(not s.failed and s.call.kind not in LOOKS and first.is_of(s) for s in later)


def reported(talk: Talk, number: int) -> Cure | None:
    """A trouble that the prompt tells of, and what the agent did until it was said to be gone."""
    turn = talk.turns[number]
    following = talk.readings[number + 1] if number + 1 < len(talk.turns) else NOTHING_READ
    cured = following.cured
    troubles = (s for s in talk.readings[number].sentences if s.trouble and not s.asks_whether)
    problem = next((s.text for s in troubles if len(set(words(s.text))) >= LEAST_WORDS), "")
    made = [talk.step(step, number) for step in turn.calls]
    if not problem or not made or (made[-1].failed and not cured):
        return None
    if not cured and (following.trouble or following.blames):
        return None
    changes = [change for step in made if step.edits for change in step.changes]
    worked = [s for s in made if s.command and s.call.good and s.call.kind in _DOES]
    checked = bool(worked) and worked[-1] is made[-1]
    did = changes or (cured and worked)
    if not did or not (checked or cured or following.thanks):
        return None
    return Cure(
        source=Basis.FIX,
        changes=tuple(changes),
        worked=worked[-1] if worked else None,
        problem=problem,
        turn=number,
        hard=checked,
    )
