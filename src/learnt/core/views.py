"""Views: what the events of one subject add up to. The ledger and a rebuild use this same fold."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from learnt.core.events import Event
from learnt.core.records import JsonObject, decode, encode


def step(state: JsonObject | None, event: Event) -> JsonObject | None:
    """The subject's state after one more event; None for a subject that has no view."""
    view = _view(event.subject.partition(":")[0])
    if view is None:
        return None
    record, fold_one = view
    return encode(fold_one(None if state is None else decode(record, state), event))


@cache
def _view(prefix: str) -> tuple[type, Callable[[Any, Event], object]] | None:
    """The record of a kind of subject, and its fold."""
    # A fold is loaded when it is needed: who only looks pays for none.
    record: type
    fold_one: Callable[[Any, Event], object]
    match prefix:
        case "entry":
            from learnt.core.knowledge.entries import Entry as record
            from learnt.core.knowledge.entry_fold import step as fold_one
        case "session":
            from learnt.core.sessions.sessions import Session as record
            from learnt.core.sessions.sessions import step as fold_one
        case "project":
            from learnt.core.projects import Project as record
            from learnt.core.projects import step as fold_one
        case "proposal":
            from learnt.core.governance.proposal_fold import step as fold_one
            from learnt.core.governance.proposals import Proposal as record
        case "skill":
            from learnt.core.skills.history import SkillHistory as record
            from learnt.core.skills.history import step as fold_one
        case _:
            return None
    return record, fold_one


def fold(events: Iterable[Event], state: JsonObject | None = None) -> JsonObject | None:
    """The state after many events, which must come in the order of their stamps."""
    for event in events:
        state = step(state, event)
    return state
