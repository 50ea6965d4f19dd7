"""How a failure was cured: from calls that failed to the one that worked, and what was said of it.

A cure is worth keeping where something was different in the end: another command, a file changed,
and not only another try. What an agent broke itself a moment before is nobody's lesson.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from learnt.core import safety
from learnt.core.digest import commands
from learnt.core.digest.own_words import own_words
from learnt.core.digest.remarks import Source
from learnt.core.digest.signatures import doubtful, signature, without_echoes
from learnt.core.digest.signs import (
    asks_for_something,
    asks_whether,
    tells_of_a_cure,
    tells_of_trouble,
    thanks,
)
from learnt.core.health.outcomes import Call
from learnt.core.health.replies import judge
from learnt.core.json_values import JsonValue, member, text_of
from learnt.core.sessions.turns import Made, Said, Turn
from learnt.core.tokens import words

LONGEST_SAID: Final = 360
LONGEST_CHANGE: Final = 110
LONGEST_PROBLEM: Final = 400
LEAST_WORDS: Final = 2
MOST_CHANGES: Final = 2
MOST_CAUTIONS: Final = 3
MOST_ATTEMPTS: Final = 8
LOOKED_BACK: Final = 6  # turns whose results the agent's words may repeat
REACH: Final = 2  # turns between a failure and what cures it

_WEB: Final = re.compile(r"WebFetch|WebSearch|fetch|browser", re.IGNORECASE)
_EDITS: Final = re.compile(
    r"(?:Multi|Notebook)?Edit|Write|apply_patch|str_replace.*|write_file|replace"
)
_DOES: Final = frozenset({"test", "check", "change", "other"})
_BLAME: Final = frozenset({"revert", "correction", "negative"})
_GUESS: Final = re.compile(
    r"\b(?:maybe|perhaps|i guess|probably|might|let me|i'?ll|trying|i'd)\b|也许|可能|我猜|试试|"
    r"看看",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What was put into a file."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """A trouble and what cured it, in the turn of that number.

    `web`: what was said may come from a page; `hard`: a call shows it, which `tool_use` names.
    """

    source: Source
    problem: str
    approach: str
    cautions: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    tool_use: str = ""
    turn: int = 0
    web: bool = False
    hard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A call with what is known of it."""

    made: Made
    call: Call
    turn: int

    @property
    def failed(self) -> bool:
        return self.call.kind not in {"look", "read"} and (
            self.call.good is False or (self.made.failed and self.call.good is None)
        )

    @property
    def command(self) -> str:
        return text_of(member(self.made.input, "command")) or text_of(
            member(self.made.input, "sql")
        )

    @property
    def result(self) -> str:
        return text_of(self.made.response)


@dataclass(slots=True)
class _Trail:
    """What happened since the last success that counted."""

    failures: list[_Step] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    written: dict[str, int] = field(default_factory=dict)  # files by this agent, and when

    def forget(self) -> None:
        self.failures.clear()
        self.said.clear()
        self.changes.clear()


def cures(turns: Sequence[Turn], calls: Mapping[str, Call], told: Mapping[int, str]) -> list[Cure]:
    """The cures in a session's turns; `calls` is the evidence of each call by its id.

    `told` has what a person said for good, by the number of the turn that begins with it: a cure
    that only does what it says is no lesson of its own.
    """
    found: list[Cure] = []
    trail = _Trail()
    for number, turn in enumerate(turns):
        if trail.failures and number - trail.failures[0].turn > REACH:
            trail.forget()
        begun = len(found)
        for step in turn.steps:
            if isinstance(step, Said):
                trail.said.append(step.text)
                continue
            one = _Step(made=step, call=calls.get(step.id, Call()), turn=number)
            if cure := _next(turns, trail, one, told):
                found.append(cure)
        if len(found) == begun and (cure := _reported(turns, number, calls)):
            found.append(cure)
            trail.forget()
    return found


def changed(turn: Turn) -> list[str]:
    """The files that a turn changed, in order."""
    made = [one for one in turn.calls if _EDITS.fullmatch(one.tool) and not one.failed]
    return [change.path for one in made for change in _changes(one)]


def ran(turn: Turn) -> list[str]:
    """The commands of a turn that did something, as patterns."""
    given = [text_of(member(made.input, "command")) for made in turn.calls]
    return [
        f"`{text}`"
        for command in given
        if commands.programs(command) and len(text := commands.pattern(command)) <= LONGEST_CHANGE
    ]


def _next(
    turns: Sequence[Turn],
    trail: _Trail,
    one: _Step,
    told: Mapping[int, str],
) -> Cure | None:
    if one.failed:
        trail.failures = [*trail.failures, one][-MOST_ATTEMPTS:]
        trail.said.clear()
        trail.changes.clear()
        return None
    if _EDITS.fullmatch(one.made.tool):
        for change in _changes(one.made):
            trail.changes.append(change)
            trail.written.setdefault(change.path, len(trail.failures))
        return None
    attempts = [failure for failure in trail.failures if _cured_by(failure, one)]
    if not attempts or one.call.kind in {"look", "read"}:
        return None
    if attempts[0] is not trail.failures[0] and _goes_on(turns[one.turn], one, trail.failures[0]):
        # What was tried on the way works; what it was tried for is still to come.
        trail.failures = [failure for failure in trail.failures if failure not in attempts]
        return None
    cure = None
    if not _as_told(trail, one, told) and not _own_doing(trail) and _differs(trail, attempts, one):
        cure = _cure(turns, trail, one)
    trail.forget()
    return cure


def _goes_on(turn: Turn, one: _Step, first: _Step) -> bool:
    """Whether the turn comes back to what failed first."""
    later = turn.calls[turn.calls.index(one.made) + 1 :]
    return any(
        not made.failed and _cured_by(first, _Step(made=made, call=Call(), turn=one.turn))
        for made in later
    )


def _cured_by(failure: _Step, one: _Step) -> bool:
    """Whether what worked is of the same matter as what failed."""
    if failure.made.tool != one.made.tool:
        return False
    if not one.command or not failure.command:
        return False
    if one.made.tool.startswith("mcp__"):
        return bool(_tables(failure.command) & _tables(one.command))
    same = set(commands.programs(failure.command)) & set(commands.programs(one.command))
    return bool(same or commands.things(failure.command) & commands.things(one.command))


_TABLE: Final = re.compile(r"\b(?:from|join|update|into|table)\s+[`\"]?([\w.]+)", re.IGNORECASE)


def _tables(command: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in _TABLE.findall(command))


def _as_told(trail: _Trail, one: _Step, told: Mapping[int, str]) -> bool:
    last = trail.failures[-1].turn
    return any(last < turn <= one.turn for turn in told)


def _own_doing(trail: _Trail) -> bool:
    """Whether all that was changed was written by the agent before it failed."""
    return bool(trail.changes) and all(
        trail.written.get(change.path, 1) == 0 and change.old for change in trail.changes
    )


def _differs(trail: _Trail, attempts: Sequence[_Step], one: _Step) -> bool:
    if trail.changes:
        return True
    last = " ".join(attempts[-1].command.split())
    return all(
        " ".join(one.command.split()) != " ".join(a.command.split()) for a in attempts
    ) and bool(last)


def _changes(made: Made) -> Iterator[Change]:
    path = text_of(member(made.input, "file_path")) or text_of(member(made.input, "path"))
    edits = member(made.input, "edits")
    rows: Sequence[JsonValue] = edits if isinstance(edits, list) else [made.input]
    for row in rows:
        new = text_of(member(row, "new_string")) or text_of(member(row, "content"))
        yield Change(path=path, old=text_of(member(row, "old_string")), new=new)


def _untrusted(turns: Sequence[Turn]) -> frozenset[str]:
    """Pieces of what pages said, and of what any result says to its reader."""
    return doubtful(
        (text_of(made.response), bool(_WEB.search(made.tool)))
        for turn in turns[-LOOKED_BACK:]
        for made in turn.calls
    )


def _cure(turns: Sequence[Turn], trail: _Trail, one: _Step) -> Cure:
    failures = trail.failures
    untrusted = _untrusted(turns[: one.turn + 1])
    named = [name for f in reversed(failures) if (name := _named(f))]
    what = _what(one, failures)
    problem = f"{what}: {named[0]}" if named else f"{what} fails"
    said = _explained(trail.said, untrusted)
    worked = commands.pattern(one.command, [f.command for f in failures])
    told = [*said, *_described(trail.changes, untrusted), f"What worked: `{worked}`"]
    seen: set[str] = set()
    cautions = []
    for failure in reversed(failures):
        tried = commands.pattern(failure.command)
        if tried and tried != worked and tried not in seen:
            seen.add(tried)
            name = _named(failure)
            cautions.append(f"`{tried[:200]}` fails" + (f": {name}" if name else ""))
    return Cure(
        source=Source.FIX if trail.changes else Source.WORKED,
        problem=_trimmed(problem, LONGEST_PROBLEM),
        approach="\n".join(told),
        cautions=tuple(cautions[:MOST_CAUTIONS]),
        changes=tuple(trail.changes),
        tool_use=one.made.id,
        turn=one.turn,
        web=_from_web(turns[failures[0].turn : one.turn + 1]),
        hard=True,
    )


def _named(failure: _Step) -> str:
    return safety.redact(signature(failure.result))


def _what(one: _Step, failures: Sequence[_Step]) -> str:
    if one.made.tool.startswith("mcp__"):
        return f"query of {', '.join(sorted(_tables(one.command)))}"
    names = commands.programs(one.command)
    tried = {name for f in failures for name in commands.programs(f.command)}
    both = [name for name in names if name in tried] or names or sorted(tried)
    return both[-1] if both else one.made.tool


def _explained(said: Sequence[str], untrusted: frozenset[str]) -> list[str]:
    """What the agent said between the last failure and the cure, that is no guess."""
    sentences = [s for text in said for s in own_words(text)]
    fit = without_echoes(sentences, untrusted)
    firm = [s for s in fit if not _GUESS.search(s)] or fit
    text = ""
    for sentence in firm:
        if len(text) + len(sentence) < LONGEST_SAID:
            text = f"{text} {sentence}".strip()
    return [text] if text else []


def _described(changes: Sequence[Change], untrusted: frozenset[str]) -> list[str]:
    told = []
    for change in changes[-MOST_CHANGES:]:
        old, new = _trimmed(change.old, LONGEST_CHANGE), _trimmed(change.new, LONGEST_CHANGE)
        if not without_echoes([new], untrusted):
            continue
        how = (
            f"`{old}` became `{new}`" if old and new else f"`{new}`" if new else f"without `{old}`"
        )
        told.append(f"In {change.path}: {how}")
    return told


def _trimmed(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def _from_web(turns: Sequence[Turn]) -> bool:
    return any(_WEB.search(made.tool) for turn in turns for made in turn.calls)


def _reported(turns: Sequence[Turn], number: int, calls: Mapping[str, Call]) -> Cure | None:
    """A trouble that the prompt tells of, and what the agent did until it was said to be gone."""
    turn = turns[number]
    following = turns[number + 1].prompt if number + 1 < len(turns) else ""
    cured = tells_of_a_cure(following)
    problem = _trouble(turn.prompt, cured=cured)
    made = [_Step(made=step, call=calls.get(step.id, Call()), turn=number) for step in turn.calls]
    if not problem or not made or (made[-1].failed and not cured):
        return None
    if not cured and (tells_of_trouble(following) or judge(following).said in _BLAME):
        return None
    changes = [c for one in made if _EDITS.fullmatch(one.made.tool) for c in _changes(one.made)]
    worked = [one for one in made if one.command and one.call.good and one.call.kind in _DOES]
    checked = bool(worked) and worked[-1] is made[-1]
    if not (changes or worked) or not (checked or cured or thanks(following)):
        return None
    web, untrusted = _from_web([turn]), _untrusted(turns[: number + 1])
    # Of a page the agent may have told before it looked for itself.
    said = _explained(_said_before(turn, worked)[-1 if web else -2 :], untrusted)
    if not said:
        return None
    told = [*said, *_described(changes, untrusted)]
    if worked:
        told.append(f"What worked: `{commands.pattern(worked[-1].command)}`")
    return Cure(
        source=Source.FIX,
        problem=_trimmed(problem, LONGEST_PROBLEM),
        approach="\n".join(told),
        changes=tuple(changes),
        tool_use=worked[-1].made.id if checked else "",
        turn=number,
        web=web,
        hard=checked,
    )


def _trouble(prompt: str, *, cured: bool) -> str:
    """The sentence of a prompt that tells of a trouble.

    Where it is said to be cured afterwards, any that asks for nothing may do.
    """
    said = [one for one in own_words(prompt) if len(set(words(one))) >= LEAST_WORDS]
    told = [one for one in said if tells_of_trouble(one) and not asks_whether(one)]
    if not told and cured:
        told = [one for one in said if not asks_for_something(one)]
    return told[0] if told else ""


def _said_before(turn: Turn, worked: Sequence[_Step]) -> list[str]:
    """What the agent said up to the last change, or up to the last thing that worked."""
    done = worked[-1].made.id if worked else ""
    last = 0
    for place, step in enumerate(turn.steps):
        if isinstance(step, Made) and (step.id == done or _EDITS.fullmatch(step.tool)):
            last = place
    return [step.text for step in turn.steps[:last] if isinstance(step, Said)]
