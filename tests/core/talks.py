"""Conversations made by hand: what a test doesn't name is plain."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from msgspec.structs import replace

from learnt.core.address import Address
from learnt.core.digest import lessons as finding
from learnt.core.digest.remarks import Basis
from learnt.core.digest.steps import Change, Talk, ToolStep
from learnt.core.health.outcomes import CallEvidence
from learnt.core.records import JsonValue, Record
from learnt.core.sessions.turns import Made, Turn
from learnt.flows.knowledge.uses import cures_told
from learnt.formats.answers import filled
from learnt.language.shipped import ShippedLanguage

LANGUAGE = ShippedLanguage()


class Speaking:
    """The texts that the language room says speak to their reader."""

    def __contains__(self, text: object) -> bool:
        return LANGUAGE.commands(str(text)) is not Address.NONE


class Cure(Record):
    """What a lesson tells of a cure."""

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
    typed: bool = False


def cures(of: Talk) -> list[Cure]:
    """The cures of a session."""
    told = cures_told(LANGUAGE, finding.cures_in(of), of.turns)
    return [filled(Cure, lesson.what, lesson) for lesson in told]


def reported(of: Talk, number: int) -> Cure | None:
    """The cure of a trouble that a turn's prompt tells of."""
    found = finding.reported(of, number)
    told = cures_told(LANGUAGE, [found], of.turns) if found else []
    return next((filled(Cure, lesson.what, lesson) for lesson in told), None)


class Did(NamedTuple):
    """A tool call that is to be made, and what Learnt knows of it."""

    tool: str
    given: JsonValue
    result: str
    call: CallEvidence


def ran(command: str, result: str = "", *, kind: str = "other", tool: str = "Bash") -> Did:
    """A command that worked."""
    return Did(tool, {"command": command}, result, CallEvidence(kind=kind, good=True))


def broke(command: str, result: str = "", *, kind: str = "other", tool: str = "Bash") -> Did:
    """A command that failed."""
    return Did(tool, {"command": command}, result, CallEvidence(kind=kind, good=False))


def asked(sql: str, result: str = "", *, good: bool = True) -> Did:
    """A query of a database through its server."""
    return Did("mcp__db__query", {"sql": sql}, result, CallEvidence(good=good))


def edited(path: str, old: str, new: str) -> Did:
    """A change to a file."""
    given = {"file_path": path, "old_string": old, "new_string": new}
    return Did("Edit", given, "ok", CallEvidence(kind="edit", good=True, edit="seen"))


def page(text: str) -> Did:
    """A page that was read."""
    return Did("WebFetch", {"url": "u"}, text, CallEvidence(kind="read", good=True))


def turn(prompt: str, *steps: str | Did, folder: str = "") -> tuple[Turn, dict[str, CallEvidence]]:
    """A prompt, what the agent said and did, and the evidence of its calls by their ids."""
    made: list[Made] = []
    calls: dict[str, CallEvidence] = {}
    for at, step in enumerate(steps):
        if isinstance(step, str):
            continue  # what the agent says shows nothing
        name = f"{prompt}/{at}"
        failed = step.call.good is False
        made.append(Made(step.tool, name, step.given, step.result, failed=failed))
        calls[name] = step.call
    return Turn(prompt=prompt, calls=made, folder=folder), calls


def session(
    *turns: tuple[Turn, dict[str, CallEvidence]],
) -> tuple[list[Turn], dict[str, CallEvidence]]:
    """The turns of a session, and the evidence of all its calls."""
    return [one for one, _ in turns], {k: v for _, calls in turns for k, v in calls.items()}


def talk(*turns: tuple[Turn, dict[str, CallEvidence]], told: Set[int] = frozenset()) -> Talk:
    """A session's turns as cures are found in them."""
    made, calls = session(*turns)
    readings = [
        replace(LANGUAGE.remarks(one.prompt), remarks=("kept",) if number in told else ())
        for number, one in enumerate(made)
    ]
    return Talk(made, calls, readings)


def step(did: Did, number: int = 0) -> ToolStep:
    """One call with its evidence."""
    return ToolStep(made=Made(did.tool, "call", did.given, did.result), call=did.call, turn=number)


def steps(*done: Did) -> Sequence[ToolStep]:
    """Calls with their evidence."""
    return [step(one) for one in done]


def change(path: str = "a.py", old: str = "x = 1", new: str = "x = 2") -> Change:
    """What was put into a file, as a hook saw it."""
    return Change(path=path, old=old, new=new, seen=True)
