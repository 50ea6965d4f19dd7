"""Events in words, one short sentence a kind."""

from typing import Final, assert_never

from learnt.core.events import Event
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.knowledge.gates import REASONS
from learnt.core.payloads.entry_events import BecameSkill, EntryFeedback, Gated, Remembered, Staged
from learnt.core.payloads.episode_events import EpisodeClosed, EpisodeFeedback
from learnt.core.payloads.project_events import ProjectLinked, ProjectSeen
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed, TextsPurged
from learnt.core.payloads.recall_events import Missed, NotDelivered, Recalled, Reused
from learnt.core.payloads.session_events import (
    HarvestedPart,
    SessionEnded,
    SessionLinked,
    SessionStarted,
)
from learnt.core.payloads.typed import typed

_VERDICTS: Final = {
    "admit": "let in",
    "merge": "one already",
    "correct": "put right",
    "reject": "kept out",
}
_LESSONS: Final = {
    "remember": "the user asked for it",
    "correction": "the user corrected it",
    "decision": "the user decided it",
    "fact": "the user said so",
    "fix": "a failure and its cure",
    "worked": "what worked in the end",
}
_RESULTS: Final = {
    "confirmed": "confirmed it",
    "success": "it proved true",
    "failure": "it proved false",
    "reset": "found true anew",
    "invalidate": "marked as wrong",
}
_SOURCES: Final = {"person": "a person", "reply": "the next prompt"}


def sentence(event: Event) -> str:
    """What happened, for a person to read. Raises Unreadable where the event can't be read."""
    match typed(event):
        case Gated() | Remembered() | EntryFeedback() | Staged() | BecameSkill() as of_entry:
            return _of_entry(of_entry)
        case Recalled() | Missed() | NotDelivered() | Reused() as of_recall:
            return _of_recall(of_recall)
        case EpisodeClosed() as closed:
            return _closed(closed)
        case HarvestedPart() as part:
            return _harvested(part)
        case SessionStarted() | SessionLinked() | SessionEnded() | EpisodeFeedback() as of_session:
            return _of_session(of_session)
        case ProjectLinked(other=other, verdict=verdict):
            return f"{'declared the same as' if verdict == 'same' else 'kept apart from'} {other}"
        case ProjectSeen():
            return "project seen at a path"
        case Proposed() | Decided() | Applied() | TextsPurged() as of_proposal:
            return _of_proposal(of_proposal)
        case rest:
            assert_never(rest)


def _of_session(
    payload: SessionStarted | SessionLinked | SessionEnded | EpisodeFeedback,
) -> str:
    match payload:
        case SessionStarted(source=source):
            return f"session begun ({source})"
        case SessionLinked(other=session):
            return f"follows session {session}"
        case SessionEnded(reason=reason):
            return f"session ended ({reason})"
        case EpisodeFeedback(source=source, verdict=word):
            return f"{_SOURCES.get(source, 'an agent')} said of it: {word}"
        case _:
            assert_never(payload)


def _of_proposal(payload: Proposed | Decided | Applied | TextsPurged) -> str:
    match payload:
        case Proposed(kind=kind, evidence=evidence):
            return f"proposed: {kind or 'something else'}, evidence {evidence.count}"
        case Decided(verdict=verdict):
            return f"decided: {verdict or 'something else'}"
        case Applied():
            return "applied: the text is on the disk"
        case TextsPurged():
            return "purged: its texts were erased"
        case _:
            assert_never(payload)


def _of_entry(payload: Gated | Remembered | EntryFeedback | Staged | BecameSkill) -> str:
    match payload:
        case Gated(verdict=verdict, reason=reason, passed=passed):
            why = REASONS.get(reason) or reason or "passed " + ", ".join(passed)
            return f"the gates: {_VERDICTS.get(verdict or '', 'another verdict')} ({why})"
        case Remembered(stage=stage, lesson=lesson):
            found = f", harvested: {_LESSONS.get(lesson, lesson)}" if lesson else ""
            return f"remembered as {stage}{found}"
        case EntryFeedback(result=result, source=source, weight=weight):
            how = f", weight {weight / 1_000:g}" if weight else ""
            word = _RESULTS.get(result or "", "said something else of it")
            return word + (f" ({source}{how})" if source or how else "")
        case Staged(reason=reason, into=into):
            named = payload.stage or "of another stage"
            return named + (f": {reason}" if reason else "") + (f" into {into}" if into else "")
        case BecameSkill(proposal=proposal):
            return f"became a skill by {proposal}" if proposal else "is a skill no more"
        case _:
            assert_never(payload)


def _of_recall(payload: Recalled | Missed | NotDelivered | Reused) -> str:
    match payload:
        case Recalled(mode=mode, shown=shown):
            if mode == "explicit":
                return f"asked for: {len(shown)} found"
            put = f"{len(shown)} put before the agent" if shown else "nothing new to show"
            return f"recalled: {put}"
        case Missed():
            return "missed: nothing known bears on the prompt"
        case NotDelivered(reason=reason):
            return f"taken back, it never arrived ({reason})"
        case Reused():
            return "put before the agent, counted once for the session"
        case _:
            assert_never(payload)


def _closed(closed: EpisodeClosed) -> str:
    outcome = closed.outcome
    ended = outcome.trouble if outcome.trouble is not Trouble.NONE else "no trouble"
    why = f" ({outcome.cause})" if outcome.cause is not Cause.NONE else ""
    how = "not graded" if outcome.grade is None else f"{outcome.grade / 10_000:.0f} %"
    done = f"{closed.tools} tool call(s), {closed.failed} failed"
    return f"episode closed after {done}: {ended}{why}, {how}"


def _harvested(part: HarvestedPart) -> str:
    counted = (
        (part.admit, "new"),
        (part.merge, "known"),
        (part.correct, "put right"),
        (part.reject, "kept out"),
        (part.refused, "refused"),
    )
    became = "".join(f", {count} {words}" for count, words in counted if count)
    return f"harvested: {part.turns} turn(s), {part.lessons} lesson(s){became}"
