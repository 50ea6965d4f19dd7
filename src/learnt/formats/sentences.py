"""Events in words, one short sentence a kind."""

from collections.abc import Callable, Mapping
from typing import Final

from learnt.core.events import Event, Kind
from learnt.core.json_values import JsonObject, member, strings, text_of, whole
from learnt.core.knowledge.gates import REASONS


def _gated(payload: JsonObject) -> str:
    verdict, reason = text_of(member(payload, "verdict")), text_of(member(payload, "reason"))
    words = {
        "admit": "let in",
        "merge": "one already",
        "correct": "put right",
        "reject": "kept out",
    }
    why = REASONS.get(reason) or reason or "passed " + ", ".join(strings(member(payload, "passed")))
    return f"the gates: {words.get(verdict, verdict)} ({why})"


def _remembered(payload: JsonObject) -> str:
    lesson = text_of(member(payload, "lesson"))
    found = f", harvested: {_LESSONS.get(lesson, lesson)}" if lesson else ""
    return f"remembered as {text_of(member(payload, 'stage'))}{found}"


_LESSONS: Final = {
    "remember": "the user asked for it",
    "correction": "the user corrected it",
    "decision": "the user decided it",
    "fact": "the user said so",
    "fix": "a failure and its cure",
    "worked": "what worked in the end",
}


def _recalled(payload: JsonObject) -> str:
    shown = len(strings(member(payload, "shown")))
    if member(payload, "mode") == "explicit":
        return f"asked for: {shown} found"
    return f"recalled: {shown} put before the agent" if shown else "recalled: nothing new to show"


def _episode_closed(payload: JsonObject) -> str:
    tools, failed = whole(member(payload, "tools")), whole(member(payload, "failed"))
    trouble, grade = text_of(member(payload, "trouble")), member(payload, "grade")
    ended = trouble if trouble not in {"", "none"} else "no trouble"
    cause = text_of(member(payload, "cause"))
    why = f" ({cause})" if cause not in {"", "none"} else ""
    how = f"{grade / 10_000:.0f} %" if isinstance(grade, int) else "not graded"
    return f"episode closed after {tools} tool call(s), {failed} failed: {ended}{why}, {how}"


_RESULTS: Final = {
    "confirmed": "confirmed it",
    "success": "it proved true",
    "failure": "it proved false",
    "reset": "found true anew",
    "invalidate": "marked as wrong",
}


def _feedback(payload: JsonObject) -> str:
    if (result := text_of(member(payload, "result"))) in _RESULTS:
        source, weight = text_of(member(payload, "source")), whole(member(payload, "weight"))
        how = f", weight {weight / 1_000:g}" if weight else ""
        return _RESULTS[result] + (f" ({source}{how})" if source or how else "")
    sources = {"person": "a person", "reply": "the next prompt"}
    by = sources.get(text_of(member(payload, "source")), "an agent")
    return f"{by} said of it: {text_of(member(payload, 'verdict'))}"


def _staged(payload: JsonObject) -> str:
    stage, reason = text_of(member(payload, "stage")), text_of(member(payload, "reason"))
    into = text_of(member(payload, "into"))
    named = stage or "of another stage"
    return named + (f": {reason}" if reason else "") + (f" into {into}" if into else "")


def _project_linked(payload: JsonObject) -> str:
    other = text_of(member(payload, "other"))
    same = member(payload, "verdict") == "same"
    return f"declared the same as {other}" if same else f"kept apart from {other}"


def _proposed(payload: JsonObject) -> str:
    kind, count = text_of(member(payload, "kind")), whole(member(payload, "count"))
    return f"proposed: {kind}, evidence {count}"


def _decided(payload: JsonObject) -> str:
    return f"decided: {text_of(member(payload, 'verdict'))}"


def _applied(payload: JsonObject) -> str:
    if "written" in payload:
        return "applied: the text is on the disk"
    proposal = text_of(member(payload, "proposal"))
    return f"became a skill by {proposal}" if proposal else "is a skill no more"


def _harvested(payload: JsonObject) -> str:
    turns, lessons = whole(member(payload, "turns")), whole(member(payload, "lessons"))
    counted = ", ".join(
        f"{count} {words}" for name, words in _VERDICTS if (count := whole(member(payload, name)))
    )
    return f"harvested: {turns} turn(s), {lessons} lesson(s)" + (f", {counted}" if counted else "")


_VERDICTS: Final = (
    ("admit", "new"),
    ("merge", "known"),
    ("correct", "put right"),
    ("reject", "kept out"),
    ("refused", "refused"),
)
_SENTENCES: Final[Mapping[Kind, Callable[[JsonObject], str]]] = {
    Kind.GATED: _gated,
    Kind.REMEMBERED: _remembered,
    Kind.RECALLED: _recalled,
    Kind.MISSED: lambda p: "missed: nothing known bears on the prompt",
    Kind.NOT_DELIVERED: lambda p: f"taken back, it never arrived ({text_of(member(p, 'reason'))})",
    Kind.REUSED: lambda p: "put before the agent, counted once for the session",
    Kind.SESSION_STARTED: lambda p: f"session begun ({text_of(member(p, 'source'))})",
    Kind.SESSION_LINKED: lambda p: f"follows session {text_of(member(p, 'other'))}",
    Kind.SESSION_ENDED: lambda p: f"session ended ({text_of(member(p, 'reason'))})",
    Kind.EPISODE_CLOSED: _episode_closed,
    Kind.PROJECT_SEEN: lambda p: "project seen at a path",
    Kind.PROJECT_LINKED: _project_linked,
    Kind.PROPOSED: _proposed,
    Kind.DECIDED: _decided,
    Kind.APPLIED: _applied,
    Kind.FEEDBACK: _feedback,
    Kind.STAGED: _staged,
    Kind.HARVESTED: _harvested,
    Kind.PURGED: lambda p: "purged: its texts were erased",
}


def sentence(event: Event) -> str:
    """What happened, for a person to read."""
    return _SENTENCES[event.kind](event.payload)
