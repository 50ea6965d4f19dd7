"""Troubles that a prompt tells of, and what the agent did until they were said to be gone."""

from collections.abc import Sequence
from typing import Final

from learnt.core.digest import commands
from learnt.core.digest.remarks import NOTHING_READ, Basis, Reading
from learnt.core.digest.steps import Step, Talk, changes_of
from learnt.core.digest.telling import LONGEST_PROBLEM, Cure, described, explained, trimmed
from learnt.core.sessions.turns import Made, Said
from learnt.core.tokens import words

LEAST_WORDS: Final = 2
_DOES: Final = frozenset({"test", "check", "change", "other"})


def reported(talk: Talk, number: int) -> Cure | None:
    """A trouble that the prompt tells of, and what the agent did until it was said to be gone."""
    turn = talk.turns[number]
    following = talk.readings[number + 1] if number + 1 < len(talk.turns) else NOTHING_READ
    cured = following.cured
    problem = _trouble(talk.readings[number], cured=cured)
    made = [talk.step(step, number) for step in turn.calls]
    if not problem or not made or (made[-1].failed and not cured):
        return None
    if not cured and (following.trouble or following.blames):
        return None
    changes = [c for one in made if one.edits for c in changes_of(one.made)]
    worked = [one for one in made if one.command and one.call.good and one.call.kind in _DOES]
    checked = bool(worked) and worked[-1] is made[-1]
    if not (changes or worked) or not (checked or cured or following.thanks):
        return None
    web, untrusted = talk.web(number, number), talk.untrusted
    reads = talk.language.commands
    # Of a page the agent may have told before it looked for itself.
    said = explained(
        talk.language, _said_before(talk, number, worked)[-1 if web else -2 :], untrusted
    )
    if not said:
        return None
    told = [*said, *described(changes, untrusted, reads)]
    if worked:
        told.append(f"What worked: `{commands.pattern(worked[-1].command)}`")
    return Cure(
        source=Basis.FIX,
        problem=trimmed(problem, LONGEST_PROBLEM),
        approach="\n".join(told),
        changes=tuple(changes),
        tool_use=worked[-1].made.id if checked else "",
        turn=number,
        web=web,
        hard=checked,
        asked=True,
    )


def _trouble(prompt: Reading, *, cured: bool) -> str:
    """The sentence of a prompt that tells of a trouble.

    Where it is said to be cured afterwards, any that asks for nothing may do.
    """
    said = [one for one in prompt.sentences if len(set(words(one.text))) >= LEAST_WORDS]
    told = [one for one in said if one.trouble and not one.asks_whether]
    if not told and cured:
        told = [one for one in said if not one.asks]
    return told[0].text if told else ""


def _said_before(talk: Talk, number: int, worked: Sequence[Step]) -> list[str]:
    """What the agent said up to the last change, or up to the last thing that worked."""
    done = [one.made for one in worked[-1:]]
    steps = talk.turns[number].steps
    last = max(
        place
        for place, step in enumerate(steps)
        if isinstance(step, Made) and (step in done or talk.step(step, number).edits)
    )
    return [step.text for step in steps[:last] if isinstance(step, Said)]
