"""How a failure was cured: from calls that failed to the one that worked.

A cure is worth keeping where something was different in the end: another command, a file changed,
and not only another try. What an agent broke itself a moment before is nobody's lesson.
"""

from typing import Final

from learnt.core.digest import commands
from learnt.core.digest.remarks import NOTHING_READ, Basis
from learnt.core.digest.steps import LOOKS, Change, Talk, ToolStep
from learnt.core.digest.telling import Found
from learnt.core.tokens import words

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


def found_in(talk: Talk) -> list[Found]:
    """The cures in a session's turns; one that only does what its person said is left out."""
    cured: list[Found] = []
    trail = _Trail()
    for number, turn in enumerate(talk.turns):
        if trail.failures and number - trail.failures[0].turn > REACH:
            trail.forget()
        begun = len(cured)
        for made in turn.calls:
            if cure := _next(talk, trail, talk.step(made, number)):
                cured.append(cure)
        if len(cured) == begun and (cure := reported(talk, number)):
            cured.append(cure)
            trail.forget()
    return cured


def _next(talk: Talk, trail: _Trail, step: ToolStep) -> Found | None:
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
    given, did = step.repeatable.split(), bool(trail.changes or trail.ran)
    differs = did or all(given != failure.repeatable.split() for failure in attempts)
    cure = Found(
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


def reported(talk: Talk, number: int) -> Found | None:
    """A trouble that the prompt tells of, and what the agent did until it was said to be gone."""
    turn = talk.turns[number]
    following = talk.readings[number + 1] if number + 1 < len(talk.turns) else NOTHING_READ
    cured = following.cured
    told = (s for s in talk.readings[number].sentences if s.trouble and not s.asks_whether)
    problem = next((s.text for s in told if len(set(words(s.text))) >= LEAST_WORDS), "")
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
    return Found(
        source=Basis.FIX,
        changes=tuple(changes),
        worked=worked[-1] if worked else None,
        problem=problem,
        turn=number,
        hard=checked,
    )
