"""Events in words, one short sentence a kind."""

from typing import Final, assert_never

from learnt.core.events import Event, Kind
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.knowledge.gates import REASONS
from learnt.core.payloads import session_events
from learnt.core.payloads.entry_events import (
    BecameSkill,
    EntryDecided,
    EntryFeedback,
    Gated,
    Recalled,
    Related,
    Remembered,
    Staged,
    SuspectedPair,
)
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.core.payloads.skill_events import Action, Distilled, ModelCalled, SkillEvent
from learnt.core.payloads.typed import typed

_VERDICTS: Final = dict(admit="let in", merge="one already", correct="corrected", reject="kept out")
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
    "reset": "found true again",
    "invalidate": "marked as wrong",
    "disputed": "it may not hold together with another entry",
    "argued": "an argument for it in its dispute",
    "settled": "the dispute with another entry is settled",
}
_RELATIONS: Final = {
    "same": "said to say the same as {0.other}",
    "contradicts": "said to contradict {0.other}",
    "narrows": "said to narrow {0.other}",
    "different": "said to have nothing to do with {0.other}",
    None: "what was said of it and {0.other} is taken back",
}
_SUSPECTED: Final = {
    "same": "it may repeat {0.other}",
    "contradicts": "it may contradict {0.other}",
}
_DECIDED: Final = {
    "drawn": "the coin for this session: {0.arm}, its chance to be shown was {chance:g} %",
    "masked": "masked, no hook shows it: it hurts, by evidence of {evidence:g}",
    "unmasked": "hooks may show it again, and its effect is measured from now",
}
_SKILL: Final[dict[Action | None, str]] = {
    "evaluating": "its new text is compared with the one before ({0.method})",
    "swapped": "a session gets one of its two texts",
    "drawn": "a session got one of its two texts",
    "exemplar": "a past success of it was imported",
    "evaluated": "the comparison of its texts: {0.verdict}",
    "flagged": "another system has it in its queue, flagged {0.flags} times",
    "suspected": "an agent that read it named a threat: {0.cause}",
    "installed": "installed",
    "removed": "removed",
    "counted": "its file named {0.executions} uses before it was installed",
    "pinned": "pinned",
    "unpinned": "unpinned",
    "automatic": "texts of it that rules make are applied by themselves from now on",
    "manual": "texts of it that rules make wait for a person from now on",
    "committing": "a text of it is applied by itself ({0.cause})",
    "committed": "git has its text: {0.commit}{0.obstacle}",
    "exporting": "an issue of its regression is asked for",
    "exported": "an issue of its regression: {0.source}{0.trouble}",
    "named": "a person or agent saw that it keeps failing",
    None: "something else happened to it",
}
_AT: Final = {
    "failure": " at a failure",
    "file": " at a file",
    "start": " at the session's start",
    "act": " before a command",
}
_SOURCES: Final = {"person": "a person", "reply": "the next prompt"}


# What takes no deciding: `{0}` is the payload.
_PLAIN: Final = {
    Kind.SESSION_STARTED: "session begun ({0.source})",
    Kind.SESSION_LINKED: "follows session {0.other}",
    Kind.SESSION_ENDED: "session ended ({0.reason})",
    Kind.PROJECT_SEEN: "project seen at a path",
    Kind.PROJECT_NAMED: "a person named it",
    Kind.PROJECT_SWITCHED: "a person turned Learnt {0.turned} there",
    Kind.MISSED: "missed: nothing known bears on the prompt",
    Kind.NOT_DELIVERED: "taken back, it never arrived ({0.reason})",
    Kind.REUSED: "put before the agent, counted once for the session",
    Kind.APPLIED: "applied: the text is on the disk",
    Kind.PURGED: "purged: its texts were erased",
    Kind.TIDIED: "pairs of notes were shown, to be related",
    Kind.CLASSED: "its kind is {0.kind}",
}


def sentence(event: Event) -> str:
    """What happened, for a person to read. Raises Unreadable where the event can't be read."""
    match typed(event):
        case Gated() | Remembered() | EntryFeedback() | Staged() | BecameSkill() as of_entry:
            return _of_entry(of_entry)
        case SuspectedPair() | Related() as of_two:
            return _of_two(of_two)
        case EntryDecided(action=action, propensity=chance, evidence=evidence) as decided:
            said = _DECIDED.get(action or "", "something else was decided on it")
            return said.format(decided, chance=chance / 10_000, evidence=evidence / 1_000)
        case Recalled() as recalled:
            return _recalled(recalled)
        case session_events.EpisodeClosed() | session_events.EpisodeFeedback() as of_episode:
            return _of_episode(of_episode)
        case session_events.HarvestedPart() | Distilled() | ModelCalled() as of_part:
            return _of_part(of_part)
        case SkillEvent() as of_skill:
            return _of_skill(of_skill)
        case session_events.ProjectLinked(other=other, verdict=verdict):
            return f"{'declared the same as' if verdict == 'same' else 'kept apart from'} {other}"
        case Proposed() | Decided() as of_proposal:
            return _of_proposal(of_proposal)
        case plain:
            return _PLAIN[plain.event].format(plain)


def _of_skill(payload: SkillEvent) -> str:
    if payload.action == "versioned":
        return f"its text became version {payload.version or '?'} by {payload.cause or '?'}"
    if payload.action == "graded":
        return f"a use {'went well' if payload.success else 'failed'}"
    return _SKILL[payload.action].format(payload)


def _of_entry(payload: Gated | Remembered | EntryFeedback | Staged | BecameSkill) -> str:
    match payload:
        case Gated(verdict=verdict, reason=reason, passed=passed):
            why = REASONS.get(reason) or reason or "passed " + ", ".join(passed)
            return f"the gates: {_VERDICTS.get(verdict or '', 'another verdict')} ({why})"
        case Remembered(stage=stage, lesson=lesson):
            source = f", harvested: {_LESSONS.get(lesson, lesson)}" if lesson else ""
            return f"remembered as {stage}{source}"
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


def _of_proposal(payload: Proposed | Decided) -> str:
    if isinstance(payload, Decided):
        return f"decided: {payload.verdict or 'something else'}"
    return f"proposed: {payload.kind or 'something else'}, evidence {payload.evidence.count}"


def _of_two(payload: SuspectedPair | Related) -> str:
    if isinstance(payload, SuspectedPair):
        return _SUSPECTED[payload.sort].format(payload)
    if payload.relation == "narrows" and payload.wider:
        return f"said to be narrowed by {payload.other}"
    said = _RELATIONS[payload.relation].format(payload)
    return f"{said}: they are in dispute" if payload.disputed else said


def _recalled(recalled: Recalled) -> str:
    count = len(recalled.shown)
    if recalled.mode == "skill":
        return f"a skill was called: {len(recalled.exemplars)} past success(es) shown"
    if recalled.mode == "explicit":
        return f"asked for: {count} found"
    if recalled.mode == "read":
        return f"the agent read what a line{_AT.get(recalled.moment or '', '')} had named"
    at = _AT.get(recalled.mode or "", "")
    given = [f"{count} put before the agent"] * bool(count)
    given += [f"{len(recalled.hinted)} named by a line"] * bool(recalled.hinted)
    return f"recalled{at}: {', '.join(given) or 'nothing new to show'}"


def _of_episode(closed: session_events.EpisodeClosed | session_events.EpisodeFeedback) -> str:
    if isinstance(closed, session_events.EpisodeFeedback):
        said = f"of it: {closed.verdict}" if closed.verdict else "why it failed"
        return f"{_SOURCES.get(closed.source, 'an agent')} said {said}"
    outcome = closed.outcome
    ended = outcome.trouble if outcome.trouble is not Trouble.NONE else "no trouble"
    why = f" ({outcome.cause})" if outcome.cause is not Cause.NONE else ""
    how = "not graded" if outcome.grade is None else f"{outcome.grade / 10_000:.0f} %"
    done = f"{closed.tools} tool call(s), {closed.failed} failed"
    return f"episode closed after {done}: {ended}{why}, {how}"


def _of_part(part: session_events.HarvestedPart | Distilled | ModelCalled) -> str:
    match part:
        case session_events.HarvestedPart():
            counted = (
                (part.admit, "new"),
                (part.merge, "known"),
                (part.correct, "corrected"),
                (part.reject, "kept out"),
                (part.refused, "refused"),
            )
            became = "".join(f", {count} {words}" for count, words in counted if count)
            return f"harvested: {part.turns} turn(s), {part.lessons} lesson(s){became}"
        case Distilled():
            became = f"{part.drafts} draft(s), {len(part.proposals)} proposed"
            seen = f"{len(part.failures)} novel failure(s), {part.successes} success(es)"
            return f"distilled by {part.engine}: {seen}, {became}"
        case ModelCalled(action=action, purpose=purpose):
            cost = f"{part.tokens} token(s), ${part.micro_usd / 1_000_000:.4f}"
            if action == "asked":
                return f"a model was asked to {purpose}, {cost} reserved"
            why = f": {part.trouble}" if part.trouble else ""
            return f"the model {action}{why}, {cost}"
        case _:
            assert_never(part)
