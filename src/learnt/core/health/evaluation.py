"""The window of ten executions: what a skill's new text lacks of success, and the old one's.

It reports before and after, as the seeds say, and is no proof: alike texts pass it about as often
as a coin falls on one side.
"""

import re
from collections.abc import Sequence
from shlex import quote
from typing import Final

from learnt.core.health.executions import Use
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.payloads.skill_events import EvaluationVerdict
from learnt.core.skills.history import Evaluation, SkillHistory

WINDOW: Final = 10  # executions of a new text
LABEL: Final = "skill-regression"
WAITS: Final = frozenset({"review", "investigate"})


def lack(use: Use) -> int | None:
    """What an execution lacked of success, in millionths; None where it says nothing of the skill.

    Nothing seen is no trouble.
    """
    if not use.launched or use.cause in {Cause.ENVIRONMENT, Cause.INPUT}:
        return None
    if use.grade is not None:
        return MILLION - use.grade
    return 0 if use.trouble is Trouble.NONE else MILLION


def gap(lacks: Sequence[int]) -> int | None:
    """The mean of the last ten, in millionths; None where there is none.

    >>> gap([9, 0, *[1_000_000] * 5, *[0] * 5]), gap([])
    (500000, None)
    """
    latest = lacks[-WINDOW:]
    return round(sum(latest) / len(latest)) if latest else None


def concluded(before: int, lacks: Sequence[int]) -> tuple[EvaluationVerdict, int] | None:
    """How a window ends that began at a gap, and the gap it ends with; None while it goes on.

    >>> concluded(350_000, [100_000] * 10), concluded(350_000, [350_000] * 11)
    (('promoted', 100000), ('review', 350000))
    """
    after = gap(lacks[:WINDOW])
    if after is None or len(lacks) < WINDOW:
        return None
    return ("promoted" if after < before else "review"), after


def revert(commit: str) -> str:
    """The command that takes a commit back. Raises ValueError for what is no commit's name.

    >>> revert("abc123")
    'git revert abc123 --no-edit'
    """
    if not re.fullmatch("[a-f0-9]+", commit):
        raise ValueError("no commit has such a name")
    return f"git revert {commit} --no-edit"


def reverted(command: str) -> str:
    """The commit that another system's command takes back; empty for any other command.

    >>> reverted("git revert abc123 --no-edit"), reverted("git revert abc; rm")
    ('abc123', '')
    """
    found = re.fullmatch(r"git revert ([a-f0-9]+)(?: --no-edit)?(?: && .*)?", command)
    return found[1] if found else ""


def way_back(name: str, history: SkillHistory, last: Evaluation) -> str:
    """The command that brings the text before back; empty where that is not known."""
    by_digest = {version.digest: version for version in history.versions}
    new, before = by_digest.get(last.digest), by_digest.get(last.parent)
    if commit := last.commit or (new.commit if new else ""):
        return revert(commit)
    return f"learnt skills rollback {quote(name)} --to {before.number}" if before else ""
