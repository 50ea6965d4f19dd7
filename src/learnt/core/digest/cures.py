"""How a failure was cured: from calls that failed to the one that worked, and what was said of it.

A cure is worth keeping where something was different in the end: another command, a file changed,
and not only another try. What an agent broke itself a moment before is nobody's lesson.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from learnt.core.digest import commands
from learnt.core.digest.remarks import Basis
from learnt.core.digest.reported import reported
from learnt.core.digest.steps import LOOKS, Change, Step, Talk, changes_of
from learnt.core.digest.telling import Cure, cautions_of, described, explained, problem_of
from learnt.core.sessions.turns import Said

MOST_ATTEMPTS: Final = 8
LOOKED_AHEAD: Final = 1_000  # calls in which a turn may come back to what it set out for
REACH: Final = 2  # turns between a failure and what cures it


@dataclass(slots=True)
class _Trail:
    """What happened since the last success that counted."""

    failures: list[Step] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    written: dict[str, int] = field(
        default_factory=dict
    )  # files, and failures before the first time

    def forget(self) -> None:
        """Begin anew; what was written stays known."""
        self.failures.clear()
        self.said.clear()
        self.changes.clear()


def cures(talk: Talk) -> list[Cure]:
    """The cures in a session's turns.

    One that only does what its person said in between is no lesson of its own.
    """
    found: list[Cure] = []
    trail = _Trail()
    for number, turn in enumerate(talk.turns):
        if trail.failures and number - trail.failures[0].turn > REACH:
            trail.forget()
        begun = len(found)
        for step in turn.steps:
            if isinstance(step, Said):
                trail.said.append(step.text)
            elif cure := _next(talk, trail, talk.step(step, number)):
                found.append(cure)
        if len(found) == begun and (cure := reported(talk, number)):
            found.append(cure)
            trail.forget()
    return found


def _next(talk: Talk, trail: _Trail, one: Step) -> Cure | None:
    """Go one step further: the cure that it is, if it is one."""
    if one.failed:
        trail.failures = [*trail.failures, one][-MOST_ATTEMPTS:]
        trail.said.clear()
        trail.changes.clear()
        return None
    if one.edits:
        for change in changes_of(one.made):
            trail.changes.append(change)
            trail.written.setdefault(change.path, len(trail.failures))
        return None
    attempts = [failure for failure in trail.failures if failure.is_of(one)]
    if not attempts or one.call.kind in LOOKS:
        return None
    if attempts[0] is not trail.failures[0] and _goes_on(talk, one, trail.failures[0]):
        # What was tried on the way works; what it was tried for is still to come.
        trail.failures = [failure for failure in trail.failures if failure not in attempts]
        return None
    lesson = not _as_told(talk, trail, one) and not _own_doing(trail)
    cure = _cure(talk, trail, one) if lesson and _differs(trail, attempts, one) else None
    trail.forget()
    return cure


def _goes_on(talk: Talk, one: Step, first: Step) -> bool:
    """Whether the turn comes back to what failed first."""
    calls = talk.turns[one.turn].calls
    at = calls.index(one.made) + 1
    later = (talk.step(made, one.turn) for made in calls[at : at + LOOKED_AHEAD])
    return any(
        not step.failed and step.call.kind not in LOOKS and first.is_of(step) for step in later
    )


def _as_told(talk: Talk, trail: _Trail, one: Step) -> bool:
    last = trail.failures[-1].turn
    return any(talk.readings[turn].remarks for turn in range(last + 1, one.turn + 1))


def _own_doing(trail: _Trail) -> bool:
    """Whether all that was changed was written by the agent before it failed."""
    return bool(trail.changes) and all(
        trail.written[change.path] == 0 and change.old for change in trail.changes
    )


def _differs(trail: _Trail, attempts: Sequence[Step], one: Step) -> bool:
    """Whether something was different in the end."""
    given = one.command.split()
    return bool(trail.changes) or all(given != failure.command.split() for failure in attempts)


def _cure(talk: Talk, trail: _Trail, one: Step) -> Cure:
    failures, untrusted = trail.failures, talk.untrusted
    worked = commands.pattern(one.command, [failure.command for failure in failures])
    told = [
        *explained(talk.language, trail.said, untrusted),
        *described(trail.changes, untrusted, talk.language.commands),
        f"What worked: `{worked}`",
    ]
    return Cure(
        source=Basis.FIX if trail.changes else Basis.WORKED,
        problem=problem_of(one, failures, talk.language.commands),
        approach="\n".join(told),
        cautions=cautions_of(worked, failures, talk.language.commands),
        changes=tuple(trail.changes),
        tool_use=one.made.id,
        turn=one.turn,
        web=talk.web(failures[0].turn, one.turn),
        hard=True,
        failed=tuple(failure.made.id for failure in failures),
    )
