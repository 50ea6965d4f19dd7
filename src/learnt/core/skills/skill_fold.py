"""How the events of a skill fold into what is true of it."""

from dataclasses import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import shared
from learnt.core.skills.history import (
    IMPORT_UNDONE,
    REMEMBERED,
    Copy,
    Evaluation,
    Flagged,
    SkillHistory,
    Version,
)


def step(history: SkillHistory | None, event: Event) -> SkillHistory:
    """The skill after one more event about it."""
    before = history or SkillHistory()
    if event.kind is Kind.PURGED:
        flagged = replace(before.flagged, executions=None)
        told = tuple(replace(one, issue=None) for one in before.evaluations)
        erased = tuple(replace(version, text=None) for version in before.versions)
        copies = tuple(replace(copy, source=None) for copy in before.copies)
        before = replace(before, versions=erased, flagged=flagged, copies=copies)
        return replace(before, name=None, source=None, evaluations=told)
    if event.kind is not Kind.SKILL:
        return before
    happened = payload_of(SkillEvent, event)
    before = replace(before, name=happened.name or before.name)
    if happened.action in {"evaluating", "evaluated", "exporting", "exported"}:
        when = happened.at_ms or event.wall_ms
        return replace(before, evaluations=_compared(before.evaluations, happened, when))
    if happened.action == "committed":
        result = shared(happened, "commit obstacle")
        versions = tuple(
            replace(one, **result) if one.digest == happened.digest else one
            for one in before.versions
        )
        return replace(before, owed="", versions=versions)
    return _happened(before, happened, event.wall_ms)


def _happened(before: SkillHistory, happened: SkillEvent, ms: int) -> SkillHistory:
    """The skill after an event that compares no texts of it."""
    match happened.action:
        case "versioned":
            taken = shared(happened, "digest parent cause text place")
            version = Version(number=happened.version, ms=ms, **taken)
            return replace(before, versions=(*before.versions, version))
        case "installed" | "removed":
            copies = tuple(copy for copy in before.copies if copy.place != happened.place)
            last = copies[-1] if copies else Copy()
            if happened.action == "installed":
                last = Copy(**shared(happened, "place digest source"))
                copies += (last,) if last.place else ()
            return replace(before, source=last.source, installed=last.digest, copies=copies)
        case "pinned" | "unpinned":
            return replace(before, pinned=happened.action == "pinned")
        case "graded":
            results = before.results + ("S" if happened.success else "F")
            return replace(before, uses=before.uses + 1, results=results[-REMEMBERED:])
        case "flagged":
            told = Flagged(flags=happened.flags, ms=happened.at_ms, gap=happened.gap or 0)
            if happened.cause == IMPORT_UNDONE:
                own = tuple(one for one in before.evaluations if one.cause != "import")
                return replace(before, flagged=told, evaluations=own)
            return replace(before, flagged=replace(told, executions=happened.source))
        case "automatic" | "manual":
            return replace(before, automatic=happened.action == "automatic")
        case "committing":
            return replace(before, owed=happened.cause)
        case _:
            return before


def _compared(
    evaluations: tuple[Evaluation, ...], happened: SkillEvent, ms: int
) -> tuple[Evaluation, ...]:
    """The comparisons after one begins, or after what happened to the last one."""
    if happened.action == "evaluating":
        same = shared(happened, "digest parent method cause")
        going_on = [one for one in evaluations[-1:] if one.verdict is None]
        before = evaluations[:-1] if going_on and same["digest"] else evaluations
        return (*before, Evaluation(**same, gap=happened.gap or 0, ms=ms))
    if not evaluations or evaluations[-1].digest != happened.digest:
        return evaluations
    last = evaluations[-1]
    match happened.action:
        case "exporting":
            last = replace(last, tries=last.tries + 1, tried_ms=ms, trouble="")
        case "exported":
            last = replace(last, issue=happened.source, trouble=happened.trouble)
        case "evaluated":
            after = last.after if happened.gap is None else happened.gap
            gap = last.gap if happened.before is None else happened.before
            last = replace(last, verdict=happened.verdict, gap=gap, after=after, ended_ms=ms)
            last = replace(last, **shared(happened, "commit executions"))
    return (*evaluations[:-1], last)
