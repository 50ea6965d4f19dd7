"""A regression that waits for a person is told in public as well, where somebody asked for that."""

from collections.abc import Callable
from typing import Final

from learnt.core.events import Actor
from learnt.core.health.evaluation import LABEL
from learnt.core.identifiers import keyed_hash
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.safety import owned
from learnt.file_ports import Exported, PublicIssue
from learnt.flows.health.evaluate import TRIES, WindowComparison, recorded_comparisons
from learnt.flows.skills.catalogue import history_of
from learnt.flows.stored import append, kept
from learnt.formats.regression_issue import regression
from learnt.ports import Outside

_AGAIN_MS: Final = 3_600_000


def export(outside: Outside, send: Callable[[PublicIssue], Exported]) -> None:
    """Open an issue of each regression that waits and has none; what fails is tried again later."""
    for shown in recorded_comparisons(outside, waiting=True):
        if _failed(outside, shown, send):
            return  # what is wrong is wrong for the others, too


def _failed(
    outside: Outside, shown: WindowComparison, send: Callable[[PublicIssue], Exported]
) -> bool:
    now = outside.clock.now_ms()
    # The try is recorded first: a cut in between costs a try, and makes no second issue.
    with outside.ledger.durably_writing() as writer:
        last = history_of(writer, shown.subject).evaluations[-1]
        told_elsewhere = last.ms != shown.begun_ms or not last.digest or last.issue
        if told_elsewhere or last.tries >= TRIES or now < last.tried_ms + _AGAIN_MS:
            return False
        asked = SkillEvent(action="exporting", digest=last.digest)
        append(writer, shown.subject, Actor.LEARNT, asked)
    mark = keyed_hash(outside.ledger.key, "regression", f"{shown.subject} {shown.begun_ms}")[:16]
    title, body = regression(
        shown.skill,
        (shown.parent, shown.version),
        (shown.baseline_gap, shown.current_gap),
        shown.diff,
        shown.rollback_command,
        f"learnt:{mark}",
        tried=shown.target is None,
    )
    done = send(PublicIssue(title, body, LABEL, f"learnt:{mark}"))
    with outside.ledger.durably_writing() as writer:
        source = kept(writer, "address", owned(done.url))
        told = asked._replace(action="exported", source=source, trouble=done.trouble)
        append(writer, shown.subject, Actor.LEARNT, told)
    return bool(done.trouble)
