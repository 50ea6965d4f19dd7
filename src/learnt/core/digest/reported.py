"""Troubles that a prompt tells of, and what the agent did until they were said to be gone."""

from collections.abc import Sequence
from typing import Final

from learnt.core.digest import commands
from learnt.core.digest.own_words import own_words
from learnt.core.digest.remarks import Source
from learnt.core.digest.signs import (
    asks_for_something,
    asks_whether,
    tells_of_a_cure,
    tells_of_trouble,
    thanks,
)
from learnt.core.digest.steps import Step, Talk, changes_of
from learnt.core.digest.telling import LONGEST_PROBLEM, Cure, described, explained, trimmed
from learnt.core.health.replies import judge
from learnt.core.sessions.turns import Made, Said
from learnt.core.tokens import words

LEAST_WORDS: Final = 2
_DOES: Final = frozenset({"test", "check", "change", "other"})
_BLAME: Final = frozenset({"revert", "correction", "negative"})


def reported(talk: Talk, number: int) -> Cure | None:
    """A trouble that the prompt tells of, and what the agent did until it was said to be gone."""
    turn = talk.turns[number]
    following = talk.turns[number + 1].prompt if number + 1 < len(talk.turns) else ""
    cured = tells_of_a_cure(following)
    problem = _trouble(turn.prompt, cured=cured)
    made = [talk.step(step, number) for step in turn.calls]
    if not problem or not made or (made[-1].failed and not cured):
        return None
    if not cured and (tells_of_trouble(following) or judge(following).said in _BLAME):
        return None
    changes = [c for one in made if one.edits for c in changes_of(one.made)]
    worked = [one for one in made if one.command and one.call.good and one.call.kind in _DOES]
    checked = bool(worked) and worked[-1] is made[-1]
    if not (changes or worked) or not (checked or cured or thanks(following)):
        return None
    web, untrusted = talk.web(number, number), talk.untrusted()
    # Of a page the agent may have told before it looked for itself.
    said = explained(_said_before(talk, number, worked)[-1 if web else -2 :], untrusted)
    if not said:
        return None
    told = [*said, *described(changes, untrusted)]
    if worked:
        told.append(f"What worked: `{commands.pattern(worked[-1].command)}`")
    return Cure(
        source=Source.FIX,
        problem=trimmed(problem, LONGEST_PROBLEM),
        approach="\n".join(told),
        changes=tuple(changes),
        tool_use=worked[-1].made.id if checked else "",
        turn=number,
        web=web,
        hard=checked,
        asked=True,
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
