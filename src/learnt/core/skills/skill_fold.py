"""How the events of a skill fold into what is true of it."""

from dataclasses import replace
from typing import assert_never

from learnt.core.events import Event, Kind, payload_of
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import shared
from learnt.core.skills.history import REMEMBERED, SkillHistory, Version


def step(history: SkillHistory | None, event: Event) -> SkillHistory:
    """The skill after one more event about it."""
    before = history or SkillHistory()
    if event.kind is Kind.PURGED:
        erased = tuple(replace(version, text=None) for version in before.versions)
        return replace(before, name=None, source=None, versions=erased)
    if event.kind is not Kind.SKILL:
        return before
    happened = payload_of(SkillEvent, event)
    before = replace(before, name=happened.name or before.name)
    match happened.action:
        case "versioned":
            taken = shared(happened, "digest parent cause text")
            version = Version(number=happened.version, ms=event.wall_ms, **taken)
            return replace(before, versions=(*before.versions, version))
        case "installed":
            return replace(before, source=happened.source, installed=happened.digest)
        case "removed":
            return replace(before, source=None, installed="")
        case "pinned" | "unpinned":
            return replace(before, pinned=happened.action == "pinned")
        case "graded":
            results = before.results + ("S" if happened.success else "F")
            return replace(before, uses=before.uses + 1, results=results[-REMEMBERED:])
        case None:
            return before
        case _:
            assert_never(happened.action)
